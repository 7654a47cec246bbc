from iniread import get_bool, parse


def test_quoted_spaces_stay():
    assert parse("motto = '  as it is '") == {"": {"motto": "  as it is "}}


def test_empty_and_single_quote():
    assert parse("a = ''\nb = '\nc =")[""] == {"a": "", "b": "'", "c": ""}


def test_sign_in_value():
    assert parse("query = a = b")[""]["query"] == "a = b"


def test_truth_after_parsing():
    assert get_bool(parse("[x]\nDebug = on")["x"], "debug")

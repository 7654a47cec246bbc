import pytest

from options import Parser, UsageError

PARSER = Parser(flags={"verbose"}, valued={"output", "define"})


def test_sign_within_the_value():
    assert PARSER.parse(["--define=a=b", "z"]) == ({"define": "a=b"}, ["z"])


def test_empty_value():
    assert PARSER.parse(["--output="]) == ({"output": ""}, [])


@pytest.mark.parametrize("word", ["--verbose=yes", "--frob=1"])
def test_who_takes_no_value(word):
    with pytest.raises(UsageError):
        PARSER.parse([word])

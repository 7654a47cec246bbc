import pytest

from options import Parser, UsageError


@pytest.fixture
def parser():
    return Parser(flags={"verbose"}, valued={"output", "define"})


def test_flag(parser):
    assert parser.parse(["--verbose", "a.txt"]) == ({"verbose": True}, ["a.txt"])


def test_value_follows(parser):
    assert parser.parse(["--output", "x", "y"]) == ({"output": "x"}, ["y"])


@pytest.mark.parametrize("value", ["x", "some.txt", "1"])
def test_value_attached(parser, value):
    assert parser.parse([f"--output={value}"]) == ({"output": value}, [])


def test_end_of_options(parser):
    assert parser.parse(["--", "--verbose"]) == ({}, ["--verbose"])


def test_value_missing(parser):
    with pytest.raises(UsageError, match="needs a value"):
        parser.parse(["--output"])


def test_unknown(parser):
    with pytest.raises(UsageError, match="unknown option --frob"):
        parser.parse(["--frob"])

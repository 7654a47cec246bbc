"""Cases of tests that are kept as plain text, a line each: ``what is given => what comes of it``."""

from ast import literal_eval

from sections import GOLDEN


def rows(path, read=str):
    """The cases of a file below ``tests/golden``; ``read`` reads what comes of each."""
    lines = (GOLDEN / path).read_text("utf-8").splitlines()
    pairs = (f"{line} ".partition(" => ") for line in lines if line)
    return [(given, read(expected.strip())) for given, _, expected in pairs]


def values(path):
    """The same, where what comes of each case is a literal of Python."""
    return rows(path, literal_eval)

import pytest

from callines import unescape, unfold


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("a\\\\,b", "a\\,b"),
        ("\\\\\\\\", "\\\\"),
        ("\\\\\\n", "\\\n"),
        ("x\\Ny", "x\ny"),
        ("plain", "plain"),
        ("\\\\;", "\\;"),
        ("", ""),
    ],
)
def test_unescape(text, meant):
    assert unescape(text) == meant


def test_only_one_space_is_the_fold():
    assert unfold("A:two\n  words\n\t\ttab") == ["A:two words\ttab"]


def test_first_line_with_space():
    assert unfold(" A:b") == [" A:b"]

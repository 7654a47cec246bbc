import pytest

from mailtext import render


@pytest.mark.parametrize(
    ("value", "text"), [(False, "False"), (0.0, "0.0"), (None, "x"), ("", "x"), ("0", "0"), ([], "[]")]
)
def test_default(value, text):
    assert render("{{ v | default: x }}", {"v": value}) == text


def test_default_for_missing_branch():
    assert render("{{ a.b.c|default:none given }}", {"a": {}}) == "none given"

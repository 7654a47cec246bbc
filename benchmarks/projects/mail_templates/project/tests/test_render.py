import pytest

from mailtext import MissingValue, render


def test_plain():
    assert render("Dear {{ name }},", {"name": "Ms Li"}) == "Dear Ms Li,"


def test_dotted():
    assert render("{{ user.first }}", {"user": {"first": "Jo"}}) == "Jo"


def test_missing():
    with pytest.raises(MissingValue, match="name"):
        render("{{ name }}", {})


def test_default_for_missing():
    assert render("{{ name | default: friend }}", {}) == "friend"


def test_zero_is_a_value():
    assert render("{{ count | default: some }} left", {"count": 0}) == "0 left"


def test_filters_in_a_row():
    assert render("{{ a | title | truncate: 6 }}", {"a": "long words"}) == "Long …"

import pytest

from querytokens import QueryError, Term, terms, words


@pytest.mark.parametrize(
    ("query", "expected"), [("", []), ("   ", []), ("a ", ["a"]), ("a", ["a"]), ('"a b"', ["a b"])]
)
def test_ends(query, expected):
    assert words(query) == expected


def test_terms_at_the_end():
    assert terms('-colour:"dark red"') == [Term("dark red", "colour", True)]


def test_quote_open_after_a_space():
    with pytest.raises(QueryError):
        words('a "')

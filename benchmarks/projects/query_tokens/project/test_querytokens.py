import pytest

from querytokens import QueryError, Term, terms, words


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("red ", ["red"]),
        ("red shoes", ["red", "shoes"]),
        ('"red shoes" cheap', ["red shoes", "cheap"]),
        ("  a   b ", ["a", "b"]),
    ],
)
def test_words(query, expected):
    assert words(query) == expected


def test_unclosed_quote():
    with pytest.raises(QueryError):
        words('say "hello')


def test_exclusion():
    assert terms("-sold ") == [Term("sold", excluded=True)]


def test_field():
    assert terms("Size:42 ") == [Term("42", "size")]


def test_a_lone_dash_is_a_word():
    assert terms("- ") == [Term("-")]

import pytest

from pages import Page, all_pages


def test_items():
    assert Page("abcdefg", 2, 3).items == "def"


def test_last_page_is_shorter():
    page = Page("abcdefg", 3, 3)
    assert page.items == "g"
    assert page.label == "page 3 of 3"


def test_neighbours():
    page = Page("abcdefg", 2, 3)
    assert (page.previous, page.next) == (1, 3)


def test_nothing_is_one_page():
    assert Page([], 1, 10).label == "page 1 of 1"


def test_all_pages():
    assert [page.items for page in all_pages([1, 2, 3, 4, 5], 2)] == [[1, 2], [3, 4], [5]]


def test_size():
    with pytest.raises(ValueError, match="one item or more"):
        Page([], 1, 0)

import pytest

from pages import Page, all_pages


@pytest.mark.parametrize(
    ("count", "size", "pages"), [(6, 3, 2), (1, 3, 1), (7, 1, 7), (3, 3, 1), (10, 4, 3), (0, 2, 1)]
)
def test_number_of_pages(count, size, pages):
    items = list(range(count))
    assert Page(items, 1, size).total_pages == pages
    assert len(list(all_pages(items, size))) == pages


def test_no_next_after_a_full_page():
    assert Page("abcd", 2, 2).next is None

"""Long lists, a page at a time."""


class Page:
    def __init__(self, items, number, size):
        if size < 1:
            raise ValueError("a page holds one item or more")
        self._items = items
        self.number = number
        self.size = size

    @property
    def total_pages(self):
        return len(self._items) // self.size + 1

    @property
    def items(self):
        start = (self.number - 1) * self.size
        return self._items[start : start + self.size]

    @property
    def next(self):
        return self.number + 1 if self.number < self.total_pages else None

    @property
    def previous(self):
        return self.number - 1 if self.number > 1 else None

    @property
    def label(self):
        return f"page {self.number} of {self.total_pages}"


def all_pages(items, size):
    page = Page(items, 1, size)
    while True:
        yield page
        if page.next is None:
            return
        page = Page(items, page.next, size)

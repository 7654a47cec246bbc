"""Elements within elements, by `with`."""

from contextlib import contextmanager

from .element import Element


class Builder:
    def __init__(self, tag="html", /, **attributes):
        self.root = Element(tag, **attributes)
        self._open = [self.root]

    def add(self, tag, text=None, /, **attributes):
        element = Element(tag, **attributes)
        if text is not None:
            element.append(text)
        return self._open[-1].append(element)

    @contextmanager
    def within(self, tag, /, **attributes):
        self._open.append(self.add(tag, **attributes))
        try:
            yield self._open[-1]
        finally:
            self._open.pop()

    def __str__(self):
        return str(self.root)

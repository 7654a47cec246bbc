"""A sheet of cells."""

from .errors import CircularReference, SheetError
from .formula import evaluate


class Sheet:
    def __init__(self, **cells):
        self._cells = dict(cells)

    def __setitem__(self, name, content):
        self._cells[name] = content

    def __getitem__(self, name):
        return self._value(name, ())

    def _value(self, name, path):
        if name in path:
            raise CircularReference(" -> ".join([*path, name]))
        content = self._cells.get(name, 0)
        if not isinstance(content, str):
            return content
        if not content.startswith("="):
            raise SheetError(f"{name} holds a text")
        return evaluate(content[1:], lambda other: self._value(other, (*path, name)))

    def update(self, rows, start="A1"):
        """Writes rows of values, from the start to the right and down."""
        column, row = ord(start[0]), int(start[1:])
        for down, values in enumerate(rows):
            for right, value in enumerate(values):
                self[f"{chr(column + right)}{row + down}"] = value

    def filled(self):
        return sorted(self._cells)

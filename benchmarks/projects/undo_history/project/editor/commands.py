"""Changes of a text that can be taken back."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Append:
    text: str

    def do(self, content):
        return content + self.text

    def undo(self, content):
        return content[: len(content) - len(self.text)]


class Delete:
    """Takes away the last characters."""

    def __init__(self, count):
        self.count = count
        self._removed = ""

    def do(self, content):
        cut = max(0, len(content) - self.count)
        self._removed = content[cut:]
        return content[:cut]

    def undo(self, content):
        return content + self._removed


class Replace:
    def __init__(self, old, new):
        self.old = old
        self.new = new
        self._before = None

    def do(self, content):
        self._before = content
        return content.replace(self.old, self.new)

    def undo(self, content):
        return self._before

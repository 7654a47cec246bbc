"""A text with a history."""


class Document:
    def __init__(self, content=""):
        self.content = content
        self._done = []
        self._undone = []

    def apply(self, command):
        self.content = command.do(self.content)
        self._done.append(command)
        self._undone.clear()
        return self

    def undo(self):
        """Whether there was something to take back."""
        if not self._done:
            return False
        command = self._done.pop()
        self.content = command.undo(self.content)
        self._undone.append(command)
        return True

    def redo(self):
        if not self._undone:
            return False
        command = self._undone.pop()
        self.content = command.do(self.content)
        self._done.append(command)
        return True

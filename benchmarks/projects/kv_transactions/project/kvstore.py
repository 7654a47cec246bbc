"""A store of keys and values with nested transactions."""

from contextlib import contextmanager

_MISSING = object()


class Store:
    def __init__(self):
        self._values = {}
        self._journals = []

    def get(self, key, default=None):
        return self._values.get(key, default)

    def __contains__(self, key):
        return key in self._values

    def set(self, key, value):
        self._note(key)
        self._values[key] = value

    def delete(self, key):
        if key not in self._values:
            raise KeyError(key)
        del self._values[key]

    def _note(self, key):
        """Remembers what the key held before the innermost transaction touched it."""
        if self._journals:
            self._journals[-1].setdefault(key, self._values.get(key, _MISSING))

    def begin(self):
        self._journals.append({})

    def commit(self):
        journal = self._pop()
        if self._journals:
            for key, before in journal.items():
                self._journals[-1].setdefault(key, before)

    def rollback(self):
        for key, before in self._pop().items():
            if before is _MISSING:
                self._values.pop(key, None)
            else:
                self._values[key] = before

    def _pop(self):
        if not self._journals:
            raise RuntimeError("no transaction is open")
        return self._journals.pop()

    @contextmanager
    def transaction(self):
        self.begin()
        try:
            yield self
        except BaseException:
            self.rollback()
            raise
        else:
            self.commit()

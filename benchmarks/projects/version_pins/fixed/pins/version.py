"""Versions such as 1.10.2 and 2.0rc1."""

import re
from functools import total_ordering

_FORM = re.compile(r"(\d+(?:\.\d+)*)(?:rc(\d+))?")


@total_ordering
class Version:
    def __init__(self, text):
        match = _FORM.fullmatch(text)
        if match is None:
            raise ValueError(f"no version: {text}")
        self.text = text
        self.release = tuple(int(part) for part in match[1].split("."))
        self.candidate = int(match[2]) if match[2] else None

    @property
    def is_final(self):
        return self.candidate is None

    def _key(self):
        return (self.release, self.is_final, self.candidate or 0)

    def __eq__(self, other):
        return self._key() == other._key()

    def __lt__(self, other):
        return self._key() < other._key()

    def __hash__(self):
        return hash(self._key())

    def __repr__(self):
        return f"Version({self.text!r})"

"""The text of control tests, kept from the code that they test: it has to answer without reading them.

A control test's file empties itself before it imports anything (``EMPTY``). A ``conftest.py`` may import the
project before that: so such a file is empty from the start, and gets its text just before pytest imports it.
"""

from __future__ import annotations

import os
from typing import Any, Dict, Iterable

EMPTY = """exec("try: __import__('os').truncate(__file__, 0)\\nexcept Exception: pass")"""
"""A statement that empties the file that it stands in."""

_MARK = EMPTY.encode()


class HiddenTexts:
    """A plugin of pytest that empties the files of ``tests`` with ``EMPTY`` until they are collected."""

    def __init__(self, root: str, tests: Iterable[str]) -> None:
        self._texts: Dict[str, bytes] = {}
        for name in {test.partition("::")[0] for test in tests}:
            path = os.path.realpath(os.path.join(root, name))
            try:
                with open(path, "rb") as file:
                    text = file.read()
            except OSError:
                continue  # a test that is no file: pytest says so
            if _MARK in text:
                self._texts[path] = text
                _write(path, b"")

    def pytest_make_collect_report(self, collector: Any) -> None:
        """Give the file of ``collector`` its text."""
        path = os.path.realpath(str(getattr(collector, "path", None) or getattr(collector, "fspath", "")))
        text = self._texts.pop(path, None)
        if text is not None:
            _write(path, text)


def _write(path: str, text: bytes) -> None:
    """Replace what the file at ``path`` contains, as if it had been there since its last change."""
    status = os.stat(path)
    with open(path, "wb") as file:
        file.write(text)
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))

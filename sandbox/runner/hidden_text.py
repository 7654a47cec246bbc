"""The text of control tests, kept from the code that they test: it has to answer without reading them.

A control test's file empties itself before it imports anything (``EMPTY``), and so does what it imports of
the tests. A ``conftest.py`` may import the project before that: so such a file is empty from the start, and
gets its text just before it is imported. The name of a running test, and that of its directory, lose its
parameters, which may say what the test expects.
"""

from __future__ import annotations

import os
import re
import sys
from typing import Any, Callable, Dict, Iterable

from .hypothesis_runs import end_early

EMPTY = (
    r"""exec("try:\n with open(f, 'r+b') as f: f.truncate()\nexcept Exception: pass","""
    """ {'f': globals().get('__file__')})"""
)
"""A statement that empties the file that it stands in."""

_MARK = EMPTY.encode()
# What pytest keeps in the environment of the test that runs.
_RUNNING = re.compile(r"\A([^\[]*::[^\[]*)\[.*( \((?:setup|call|teardown)\))\Z", re.DOTALL)
_NAMED_LIKE_TESTS = ("tmp_path", "tmpdir")


class HiddenTexts:
    """A plugin of pytest that empties files with ``EMPTY`` until they are imported: those of ``tests``.

    Where there are any, so are those in the same directories.
    """

    def __init__(self, root: str, tests: Iterable[str]) -> None:
        self._texts: Dict[str, bytes] = {}
        for path in {os.path.realpath(os.path.join(root, test.partition("::")[0])) for test in tests}:
            self._hide(path)
        for directory in {os.path.dirname(path) for path in self._texts}:
            for name in os.listdir(directory):
                if name.endswith(".py"):
                    self._hide(os.path.join(directory, name))
        self._hidden = list(self._texts)

    def pytest_load_initial_conftests(self) -> None:
        """See what is imported before pytest does, and what is put into the environment."""
        if self._hidden:
            sys.meta_path.insert(0, self)
            environment: Any = os.environ
            environment.encodevalue = _without_parameters(environment.encodevalue)

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> None:
        """Give a module its text that is about to be imported; what finds it is asked next."""
        last = name.rpartition(".")[2]
        for directory in [os.path.realpath(str(one)) for one in (sys.path if path is None else path)]:
            for place in (last + ".py", os.path.join(last, "__init__.py")):
                text = self._texts.pop(os.path.join(directory, place), None)
                if text is not None:
                    _write(os.path.join(directory, place), text)

    def pytest_make_collect_report(self, collector: Any) -> None:
        """Give the file of ``collector`` its text."""
        path = os.path.realpath(str(getattr(collector, "path", None) or getattr(collector, "fspath", "")))
        text = self._texts.pop(path, None)
        if text is not None:
            _write(path, text)

    def pytest_itemcollected(self, item: Any) -> None:
        """Each control test fails: nobody asks by which input."""
        if self._hidden:
            end_early(getattr(item, "obj", None))

    def pytest_collection_finish(self) -> None:
        """Empty them again, whatever has become of the functions that they use themselves."""
        for path in self._hidden:
            _write(path, b"")

    def pytest_fixture_setup(self, fixturedef: Any, request: Any) -> Any:
        """Let a directory that has the name of its test be made without the parameters."""
        node, name = request.node, request.node.name
        hides = bool(self._hidden) and fixturedef.argname in _NAMED_LIKE_TESTS
        if hides:
            node.name = name.partition("[")[0]
        yield
        if hides:
            node.name = name

    def _hide(self, path: str) -> None:
        try:
            with open(path, "rb") as file:
                text = file.read()
        except OSError:
            return  # a test that is no file: pytest says so
        if _MARK in text and path not in self._texts:
            self._texts[path] = text
            _write(path, b"")


HiddenTexts.pytest_fixture_setup.pytest_impl = {"hookwrapper": True}  # type: ignore[attr-defined]


def _without_parameters(encode: Callable[[str], Any]) -> Callable[[str], Any]:
    return lambda value: encode(_RUNNING.sub(r"\1\2", value) if isinstance(value, str) else value)


def _write(path: str, text: bytes) -> None:
    """Replace what the file at ``path`` contains, as if it had been there since its last change."""
    status = os.stat(path)
    with open(path, "wb") as file:
        file.write(text)
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))

"""Say where a place of the CI machine lies in the checkout: folders, files and tests' ids.

The files of the checkout decide, where they are known; without them only the text can.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Collection, Iterable, Sequence
from fnmatch import fnmatchcase

from bot.cilog.paths import project_path

_WORKSPACE = re.compile(r"\$\{\{ *github\.workspace *\}\}|\$\{?GITHUB_WORKSPACE\}?|\$\{?CI_PROJECT_DIR\}?")
_DOTTED = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+")
MAX_GLOBBED = 500


def folder_in(text: str, *, roots: Iterable[str] = ()) -> str | None:
    """The folder of the checkout that ``text`` names, ``.`` for its top, None where it lies elsewhere."""
    path = _WORKSPACE.sub(".", text.strip()).replace("\\", "/")
    if path.rstrip("/") in {root.replace("\\", "/").rstrip("/") for root in roots} or path in {"", ".", "./"}:
        return "."
    # A place below the checkout is told by a file in it.
    inside = project_path(f"{path.rstrip('/')}/x", roots=roots)
    if inside is None:
        return None
    return posixpath.dirname(inside) or "."


def is_folder(path: str, files: Collection[str]) -> bool:
    """Whether ``path`` is a folder of the checkout."""
    prefix = f"{posixpath.normpath(path)}/"
    return posixpath.normpath(path) == "." or any(name.startswith(prefix) for name in files)


def globbed(word: str, folder: str, files: Collection[str]) -> list[str]:
    """The files that a shell would put in the place of ``word``, seen from ``folder``; itself where none."""
    if not any(mark in word for mark in "*?["):
        return [word]
    pattern = posixpath.normpath(posixpath.join(folder, word))
    depth = pattern.count("/")
    matching = sorted(name for name in files if name.count("/") == depth and fnmatchcase(name, pattern))
    return [posixpath.relpath(name, folder) for name in matching[:MAX_GLOBBED]] or [word]


def locate_tests(
    tests: Sequence[str], *, files: Collection[str], folder: str = ".", roots: Iterable[str] = ()
) -> tuple[str, ...]:
    """The ids that a log names, as pytest names the same tests when it runs at the checkout's top.

    ``tests/test_a.py::T::test`` may have been run in a folder; ``package.test_a.T.test`` is unittest's way.
    What cannot be found stays as it is.
    """
    known = tuple(roots)
    return tuple(dict.fromkeys(_located(test, files, folder, known) for test in tests))


def _located(test: str, files: Collection[str], folder: str, roots: tuple[str, ...]) -> str:
    path, separator, name = test.partition("::")
    if separator or path.endswith(".py"):
        found = _file(path, files, folder, roots)
        return f"{found}{separator}{name}" if found else test
    if _DOTTED.fullmatch(test.partition(" ")[0]):
        return _dotted(test.partition(" ")[0], files, folder) or test
    return test


def _file(path: str, files: Collection[str], folder: str, roots: tuple[str, ...]) -> str | None:
    """The file of the checkout that a log's path means."""
    relative = project_path(path, roots=roots) or path.replace("\\", "/")
    inside = posixpath.normpath(posixpath.join(folder, relative))
    for candidate in (inside, relative) if folder != "." else (relative,):
        if candidate in files:
            return candidate
    return _only(name for name in files if name.endswith(f"/{relative}"))


def _dotted(test: str, files: Collection[str], folder: str) -> str | None:
    """``package.module.Class.test`` with the longest beginning that is a file."""
    parts = test.split(".")
    for length in range(len(parts) - 1, 0, -1):
        module = "/".join(parts[:length]) + ".py"
        inside = posixpath.normpath(posixpath.join(folder, module))
        found = (
            inside
            if inside in files
            else _only(name for name in files if name == module or name.endswith(f"/{module}"))
        )
        if found:
            return "::".join((found, *parts[length:]))
    return None


def _only(names: Iterable[str]) -> str | None:
    """The single one, or None where there are several: a guess would repair the wrong test."""
    first = list(zip(range(2), names, strict=False))
    return first[0][1] if len(first) == 1 else None

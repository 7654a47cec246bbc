"""Say where a place of the CI machine lies in the checkout: directories, files and tests' ids.

The files of the checkout decide, where they are known; without them only the text can.
"""

import posixpath
import re
from collections.abc import Collection, Iterable, Sequence
from fnmatch import fnmatchcase

from bot.cilog.paths import project_path

_WORKSPACE = re.compile(r"\$\{\{ *github\.workspace *\}\}|\$\{?GITHUB_WORKSPACE\}?|\$\{?CI_PROJECT_DIR\}?")
_DOTTED = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+")
MAX_GLOBBED = 500


def directory_in(text: str, *, roots: Iterable[str] = ()) -> str | None:
    """The directory of the checkout that ``text`` names, ``.`` for its top, None where it lies elsewhere."""
    path = _WORKSPACE.sub(".", text.strip()).replace("\\", "/")
    if path.rstrip("/") in {root.replace("\\", "/").rstrip("/") for root in roots} or path in {"", ".", "./"}:
        return "."
    # A place below the checkout is known by a file in it.
    inside = project_path(f"{path.rstrip('/')}/x", roots=roots)
    if inside is None:
        return None
    return posixpath.dirname(inside) or "."


def is_directory(path: str, files: Collection[str]) -> bool:
    """Whether ``path`` is a directory of the checkout."""
    prefix = f"{posixpath.normpath(path)}/"
    return posixpath.normpath(path) == "." or any(name.startswith(prefix) for name in files)


def globbed(word: str, directory: str, files: Collection[str]) -> list[str]:
    """The files that a shell would put in place of ``word``, seen from ``directory``; itself where none."""
    if not any(mark in word for mark in "*?["):
        return [word]
    pattern = posixpath.normpath(posixpath.join(directory, word))
    depth = pattern.count("/")
    matching = sorted(name for name in files if name.count("/") == depth and fnmatchcase(name, pattern))
    return [posixpath.relpath(name, directory) for name in matching[:MAX_GLOBBED]] or [word]


def locate_tests(
    tests: Sequence[str], *, files: Collection[str], directory: str = ".", roots: Iterable[str] = ()
) -> tuple[str, ...]:
    """The ids that a log names, as pytest names the same tests when it runs at the checkout's top.

    ``tests/test_a.py::T::test`` may have been run in a directory; ``package.test_a.T.test`` is unittest's
    way. What cannot be found stays as it is.
    """
    checkout = _Checkout(files=files, directory=directory, roots=tuple(roots))
    return tuple(dict.fromkeys(checkout.located(test) for test in tests))


class _Checkout:
    """The checkout's files, found by the end of a path; ``directory`` is where the tests ran."""

    def __init__(self, *, files: Collection[str], directory: str, roots: tuple[str, ...]) -> None:
        self._files, self._directory, self._roots = files, directory, roots
        self._by_name: dict[str, list[str]] = {}
        for path in files:
            self._by_name.setdefault(path.rpartition("/")[2], []).append(path)

    def located(self, test: str) -> str:
        path, separator, name = test.partition("::")
        if separator or path.endswith(".py"):
            found = self._file(path)
            return f"{found}{separator}{name}" if found else test
        dotted = test.partition(" ")[0]
        return (self._dotted(dotted) if _DOTTED.fullmatch(dotted) else None) or test

    def _file(self, path: str) -> str | None:
        inside = project_path(path, roots=self._roots) or path.replace("\\", "/")
        return self._in_directory(inside) or (inside if inside in self._files else self._ending(inside))

    def _dotted(self, test: str) -> str | None:
        """``package.module.Class.test`` with the longest beginning that is a file."""
        parts = test.split(".")
        for length in range(len(parts) - 1, 0, -1):
            module = "/".join(parts[:length]) + ".py"
            found = self._in_directory(module) or self._ending(module)
            if found:
                return "::".join((found, *parts[length:]))
        return None

    def _in_directory(self, path: str) -> str | None:
        inside = posixpath.normpath(posixpath.join(self._directory, path))
        return inside if inside in self._files else None

    def _ending(self, path: str) -> str | None:
        """The only file whose path ends in ``path``; None where there are several: a guess may be wrong."""
        alternatives = self._by_name.get(path.rpartition("/")[2], ())
        found = [name for name in alternatives if name == path or name.endswith(f"/{path}")]
        return found[0] if len(found) == 1 else None

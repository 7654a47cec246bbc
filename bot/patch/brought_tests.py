"""The tests that a change brings, apart from what it changes in the code.

A change that brings tests is judged on the version before with these tests in it. Its author wrote them: they
show what the change is for, and nothing else. Whether other tests still pass is seen without them, on the
version before as it was.
"""

import ast
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from fnmatch import fnmatch

from bot.domain import Patch
from bot.patch.apply import apply, from_sources
from bot.patch.policy.files.protected import creation_problem, is_test_path, name_problem
from bot.patch.syntax import parsed

_FILES = ("test_*.py", "*_test.py", "*_tests.py")


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """A change in two parts: the patch to the ``code``, and whole files of ``tests``, by path.

    ``brought`` are ids of the tests in there that are new or changed: of functions and methods, or the path
    alone where it cannot be said which.
    """

    code: Patch
    tests: Mapping[str, str]
    brought: tuple[str, ...]


def parts(patch: Patch, sources: Mapping[str, str], known: Collection[str]) -> Parts | None:
    """``patch`` to ``sources`` in its two parts; ``known`` are the paths of all files that there are.

    None where it changes no tests, or nothing else, or what tests need beside files of tests.

    Raises:
        PatchError: it does not fit ``sources``.
    """
    changed = apply(patch, sources)
    tests = {path: text for path, text in changed.items() if is_test_path(path)}
    if not tests or len(tests) == len(changed) or not all(_may_be(path, known) for path in tests):
        return None
    code = from_sources(
        {path: sources.get(path) for path in changed},
        {path: text for path, text in changed.items() if path not in tests},
    )
    brought = [one for path, text in sorted(tests.items()) for one in _brought(path, sources.get(path), text)]
    return Parts(code=code, tests=tests, brought=tuple(brought))


def _may_be(path: str, known: Collection[str]) -> bool:
    """Whether ``path`` is a file of tests, and the policy would let it be there."""
    if name_problem(path) or not any(fnmatch(path.rpartition("/")[2], form) for form in _FILES):
        return False
    # Tests often lie in a directory that is named as a module of the standard library's is.
    return path in known or creation_problem(f"tests/{path}", [f"tests/{one}" for one in known]) is None


def _brought(path: str, before: str | None, after: str) -> list[str]:
    """The ids of what is new or changed in the file at ``path``."""
    old, new = parsed(before or ""), parsed(after)
    if before is None or old is None or new is None:
        return [path]
    try:
        known = dict(_tests(old))
        changed = [f"{path}::{name}" for name, text in _tests(new) if known.get(name) != text]
    except RecursionError:
        return [path]
    return changed or [path]


def _tests(tree: ast.Module | ast.ClassDef, prefix: str = "") -> Iterator[tuple[str, str]]:
    """The tests' ids within their file, each with what it consists of."""
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            yield from _tests(node, f"{prefix}{node.name}::")
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test"):
            yield f"{prefix}{node.name}", ast.dump(node)

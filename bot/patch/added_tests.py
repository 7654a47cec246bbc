"""The tests that a change adds, apart from what it changes in the code.

A change that brings its own tests is judged on the version before with these tests in it. Only what adds to
the tests and leaves all else there alone can be set apart so; whatever else it does to tests is refused.
"""

import ast
import builtins
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatch

from bot.domain import Patch
from bot.patch.apply import apply, from_sources
from bot.patch.policy.files.protected import is_test_path
from bot.patch.syntax import parsed

_FILES = ("test_*.py", "*_test.py", "*_tests.py")
# What pytest, unittest or Python itself looks up by its name in a module of tests.
_LOOKED_UP = re.compile(r"set_?up|tear_?down|pytest|load_tests|collect_ignore|add_?module|__", re.IGNORECASE)
_BUILTIN = frozenset(dir(builtins))
_Statements = Sequence[ast.stmt]


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """A change in two parts: the patch to the ``code``, and whole files of ``tests``, by path.

    ``added`` are ids of the tests in there that are new; the path alone where the file is.
    """

    code: Patch
    tests: Mapping[str, str]
    added: tuple[str, ...]


def parts(patch: Patch, sources: Mapping[str, str]) -> Parts | None:
    """``patch`` to ``sources`` in its two parts.

    None where it changes no tests, or nothing else, or does more to the tests than to add some.

    Raises:
        PatchError: it does not fit ``sources``.
    """
    changed = apply(patch, sources)
    tests = {path: text for path, text in changed.items() if is_test_path(path)}
    if not tests or len(tests) == len(changed):
        return None
    added: list[str] = []
    for path, text in sorted(tests.items()):
        names = _added_to(path, sources.get(path), text)
        if not names:
            return None
        added += names
    code = from_sources(
        {path: sources.get(path) for path in changed},
        {path: text for path, text in changed.items() if path not in tests},
    )
    return Parts(code=code, tests=tests, added=tuple(added))


def _added_to(path: str, before: str | None, after: str) -> list[str]:
    """The ids of the tests that are new in the file at ``path``; none where it does anything else."""
    if not any(fnmatch(path.rpartition("/")[2], form) for form in _FILES):
        return []
    new, old = parsed(after), parsed(before or "")
    if new is None or old is None:
        return []
    if before is None:
        return [path]
    used = (
        {node.id for node in ast.walk(old) if isinstance(node, ast.Name)} | set(_bound(old.body)) | _BUILTIN
    )
    names = _additions(old.body, new.body, used)
    return [f"{path}::{name}" for name in names or ()]


def _additions(old: _Statements, new: _Statements, used: set[str]) -> list[str] | None:
    """The tests that ``new`` adds to a module's ``old`` statements; None for any other difference."""
    waiting, found = list(old), list[str]()
    for statement in new:
        first = waiting[0] if waiting else None
        if first is not None and (inside := _grown(first, statement, used)) is not None:
            found += inside
            del waiting[0]
        elif _is_harmless(statement, used):
            found += [name for name in _bound([statement]) if _is_test(name)]
        else:
            return None
    return None if waiting else found


def _grown(old: ast.stmt, new: ast.stmt, used: set[str]) -> list[str] | None:
    """The tests that ``new`` has beyond ``old``; None where it is something else, or less."""
    if ast.dump(old) == ast.dump(new):
        return []
    if isinstance(old, ast.ImportFrom) and isinstance(new, ast.ImportFrom):
        names = [ast.dump(name) for name in old.names]
        more = [name for name in new.names if ast.dump(name) not in names]
        same = (old.module, old.level) == (new.module, new.level) and len(new.names) == len(more) + len(names)
        return [] if same and not used.intersection(name.asname or name.name for name in more) else None
    if isinstance(old, ast.ClassDef) and isinstance(new, ast.ClassDef):
        return _grown_class(old, new)
    return None


def _grown_class(old: ast.ClassDef, new: ast.ClassDef) -> list[str] | None:
    """As ``_grown``: new methods that are tests, each by a name that no other has."""
    if ast.dump(_empty(old)) != ast.dump(_empty(new)):
        return None
    waiting, found = list(old.body), list[str]()
    taken = set(_bound(old.body))
    for statement in new.body:
        if waiting and ast.dump(waiting[0]) == ast.dump(statement):
            del waiting[0]
        elif isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef) and (
            statement.name.startswith("test")
            and statement.name not in taken
            and not _makes_fixture(statement)
        ):
            taken.add(statement.name)
            found.append(f"{new.name}::{statement.name}")
        else:
            return None
    return None if waiting else found


def _empty(node: ast.ClassDef) -> ast.ClassDef:
    """The class without its body."""
    fields = {**{name: getattr(node, name) for name in node._fields}, "body": []}
    return ast.ClassDef(**fields)


def _is_harmless(statement: ast.stmt, used: set[str]) -> bool:
    """Whether a new ``statement`` of a module leaves those that are there what they were, by its names."""
    if isinstance(statement, ast.Assign):
        if not all(isinstance(target, ast.Name) for target in statement.targets):
            return False
    elif not isinstance(
        statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Import | ast.ImportFrom
    ):
        return False
    if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef) and _makes_fixture(statement):
        return False
    names = _bound([statement])
    is_new = bool(names) and not used.intersection(names) and "*" not in names
    used.update(names)
    return is_new and not any(_LOOKED_UP.match(name) for name in names)


def _makes_fixture(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whether a decorator may register it for other tests: a fixture, whatever it is called."""
    decorators = (ast.unparse(decorator) for decorator in function.decorator_list)
    return any(not re.match(r"(pytest\.)?mark\.|(unittest\.)?mock\.patch|patch\b", one) for one in decorators)


def _bound(statements: _Statements) -> list[str]:
    """The names that ``statements`` give to something."""
    return [name for statement in statements for name in _names(statement)]


def _names(statement: ast.stmt) -> Iterator[str]:
    if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        yield statement.name
    elif isinstance(statement, ast.Import | ast.ImportFrom):
        yield from ((alias.asname or alias.name).partition(".")[0] for alias in statement.names)
    else:
        yield from (
            node.id
            for node in ast.walk(statement)
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
        )


def _is_test(name: str) -> bool:
    return name.startswith(("test", "Test")) or name.endswith(("Test", "Tests", "TestCase"))

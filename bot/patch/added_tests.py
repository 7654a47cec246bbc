"""The tests that a change adds, apart from what it changes in the code.

A change that brings its own tests is judged on the version before with these tests in it. Only what adds to
the tests and leaves the text of all others alone can be set apart so; whatever else it does to tests is
refused. What added code does when it runs nobody knows: whether other tests still pass is seen without it.
"""

import ast
import builtins
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatch

from bot.domain import Patch
from bot.patch.apply import apply, from_sources
from bot.patch.policy.files.protected import creation_problem, is_test_path, name_problem
from bot.patch.syntax import parsed

_FILES = ("test_*.py", "*_test.py", "*_tests.py")
# What pytest, unittest or Python itself looks up by its name in a module of tests.
_LOOKED_UP = re.compile(r"set_?up|tear_?down|pytest|load_tests|collect_ignore|add_?module|__", re.IGNORECASE)
_BUILTIN = frozenset(dir(builtins))
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_Statements = Sequence[ast.stmt]


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """A change in two parts: the patch to the ``code``, and whole files of ``tests``, by path.

    ``added`` are ids of the tests in there that are new; the path alone where the file is.
    """

    code: Patch
    tests: Mapping[str, str]
    added: tuple[str, ...]


def parts(patch: Patch, sources: Mapping[str, str], known: Collection[str]) -> Parts | None:
    """``patch`` to ``sources`` in its two parts; ``known`` are the paths of all files that there are.

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
        names = _added_to(path, sources.get(path), text) if _may_be(path, known) else []
        if not names:
            return None
        added += names
    code = from_sources(
        {path: sources.get(path) for path in changed},
        {path: text for path, text in changed.items() if path not in tests},
    )
    return Parts(code=code, tests=tests, added=tuple(added))


def _may_be(path: str, known: Collection[str]) -> bool:
    """Whether the policy would let a file of tests be at ``path``."""
    if name_problem(path):
        return False
    # Tests often lie in a directory that is named as a module of the standard library's is.
    return path in known or creation_problem(f"tests/{path}", [f"tests/{one}" for one in known]) is None


def _added_to(path: str, before: str | None, after: str) -> list[str]:
    """The ids of the tests that are new in the file at ``path``; none where it does anything else."""
    if not any(fnmatch(path.rpartition("/")[2], form) for form in _FILES):
        return []
    new, old = parsed(after), parsed(before or "")
    if new is None or old is None:
        return []
    if before is None:
        return [path]
    try:
        nodes = list(ast.walk(old))
        used = {node.id for node in nodes if isinstance(node, ast.Name)} | _BUILTIN | set(_bound(old.body))
        used |= {node.arg for node in nodes if isinstance(node, ast.arg)}  # fixtures
        names = _additions(old.body, new.body, used)
    except RecursionError:
        return []
    return [f"{path}::{name}" for name in names or ()]


def _additions(old: _Statements, new: _Statements, used: set[str]) -> list[str] | None:
    """The tests that ``new`` adds to a module's ``old`` statements; None for any other difference."""
    waiting, found = [(one, ast.dump(one)) for one in reversed(old)], list[str]()
    for statement in new:
        grown = _grown(*waiting[-1], statement, used) if waiting else None
        if grown is not None:
            found += grown
            waiting.pop()
        # Behind another statement it would be no docstring any more, and its examples no tests.
        elif not (waiting and waiting[-1][0] is old[0] and _is_docstring(old[0])) and _is_harmless(
            statement, used
        ):
            found += [name for name in _defined(statement) if _is_test(name)]
        else:
            return None
    return None if waiting else found


def _grown(old: ast.stmt, dumped: str, new: ast.stmt, used: set[str]) -> list[str] | None:
    """The tests that ``new`` has beyond ``old``; None where it is something else, or less."""
    if dumped == ast.dump(new):
        return []
    if isinstance(old, ast.ImportFrom) and isinstance(new, ast.ImportFrom):
        names = [ast.dump(name) for name in old.names]
        added = [name for name in new.names if ast.dump(name) not in names]
        more = ast.ImportFrom(module=new.module, names=added, level=new.level)
        same = (old.module, old.level) == (new.module, new.level) and len(new.names) == len(added) + len(
            names
        )
        return [] if same and _is_harmless(more, used) else None
    if isinstance(old, ast.ClassDef) and isinstance(new, ast.ClassDef):
        return _grown_class(old, new)
    return [new.name] if isinstance(new, _FUNCTIONS) and _has_more_cases(old, new) else None


def _has_more_cases(old: ast.stmt, new: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whether ``new`` is the test ``old`` with further parameters in a list of ``parametrize``."""
    if not isinstance(old, _FUNCTIONS) or len(old.decorator_list) != len(new.decorator_list):
        return False
    pairs = list(zip(old.decorator_list, new.decorator_list, strict=True))
    if not all(ast.dump(one) == ast.dump(other) or _is_longer(one, other) for one, other in pairs):
        return False
    return ast.dump(_bare(old)) == ast.dump(_bare(new)) and new.name.startswith("test")


def _is_longer(old: ast.expr, new: ast.expr) -> bool:
    match old, new:
        case (
            ast.Call(func=func, args=[names, ast.List() | ast.Tuple() as few], keywords=options),
            ast.Call(func=other, args=[others, ast.List() | ast.Tuple() as many], keywords=more),
        ):
            before, after = (func, names, *options), (other, others, *more)
            same = [ast.dump(one) for one in before] == [ast.dump(one) for one in after]
            rows = iter([ast.dump(row) for row in many.elts])
            keeps = all(ast.dump(row) in rows for row in few.elts)  # in their order
            return same and keeps and ast.unparse(func).endswith("mark.parametrize")
    return False


def _bare(node: ast.FunctionDef | ast.AsyncFunctionDef) -> ast.stmt:
    """The function without its decorators."""
    return type(node)(**{**{name: getattr(node, name) for name in node._fields}, "decorator_list": []})


def _grown_class(old: ast.ClassDef, new: ast.ClassDef) -> list[str] | None:
    """As ``_grown``: new methods that are tests, each by a name that no other has."""
    inherits = any(not ast.unparse(base).endswith("TestCase") for base in old.bases)
    if inherits or ast.dump(_empty(old)) != ast.dump(_empty(new)):
        return None
    waiting, found = [(one, ast.dump(one)) for one in reversed(old.body)], list[str]()
    taken = set(_bound(old.body))
    for statement in new.body:
        if waiting and waiting[-1][1] == ast.dump(statement):
            waiting.pop()
        elif waiting and isinstance(statement, _FUNCTIONS) and _has_more_cases(waiting[-1][0], statement):
            waiting.pop()
            found.append(f"{new.name}::{statement.name}")
        elif (
            isinstance(statement, _FUNCTIONS)
            and statement.name.startswith("test")
            and statement.name not in taken
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
    """Whether a new ``statement`` of a module defines something by new names, and nothing else."""
    kinds = (ast.Import, ast.ImportFrom, ast.Assign, *_FUNCTIONS, ast.ClassDef)
    if not isinstance(statement, kinds) or getattr(statement, "module", "") == "__future__":
        return False
    if isinstance(statement, ast.Assign) and not all(isinstance(one, ast.Name) for one in statement.targets):
        return False
    names = _bound([statement])
    is_new = bool(names) and not used.intersection(names) and "*" not in names
    used.update(names)
    return is_new and not any(_LOOKED_UP.match(name) for name in names)


def _is_docstring(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


def _bound(statements: _Statements) -> list[str]:
    """The names that ``statements`` give to something."""
    return [name for statement in statements for name in _names(statement)]


def _names(statement: ast.stmt) -> Iterator[str]:
    if isinstance(statement, ast.Import | ast.ImportFrom):
        yield from ((alias.asname or alias.name).partition(".")[0] for alias in statement.names)
        return
    yield from _defined(statement)
    if not isinstance(statement, (*_FUNCTIONS, ast.ClassDef)):
        nodes = ast.walk(statement)
        yield from (
            node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
        )


def _defined(statement: ast.stmt) -> list[str]:
    """The name of the function or class that it defines, if it does."""
    return [statement.name] if isinstance(statement, (*_FUNCTIONS, ast.ClassDef)) else []


def _is_test(name: str) -> bool:
    return name.startswith(("test", "Test")) or name.endswith(("Test", "Tests", "TestCase"))

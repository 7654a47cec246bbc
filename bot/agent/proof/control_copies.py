"""Altered copies of test files, in which chosen tests must fail at their end.

A control test is the test itself with a call after its last statement, which raises an exception with a mark
that was made for this copy. File, name and parameters stay. Only a test whose body ran to its end raises that
exception, so a failure with the mark shows that every assertion before it held.

The same call tries the assertion methods that the test uses on values that they must object to. Values that
the test compares by equality are compared with a new object first, which nothing equals.

Nothing here runs a test. What cannot be altered safely has a reason instead of a copy.
"""

import ast
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from bot.agent.proof.control_text import ControlSource
from bot.agent.proof.control_values import own_nodes
from bot.patch.policy.files.protected import is_test_path
from bot.patch.policy.names.dotted_names import imported_modules
from bot.patch.syntax import Function
from sandbox.reports import Frame

NO_FUNCTION = "it is no function in a file of the project"
GENERATOR = "it is a generator"
RETURNS = "it returns inside a `try` or `with` statement"
UNREADABLE = "its file cannot be altered safely"

_CATCHING = (ast.Try, ast.With, ast.AsyncWith, *((ast.TryStar,) if hasattr(ast, "TryStar") else ()))
_BLOCKS = (ast.If, ast.Try, ast.With, ast.For, ast.While, ast.ExceptHandler)
_TRANSPARENT = {"patch", "patch.object", "patch.dict", "staticmethod", "classmethod"}


@dataclass(frozen=True, slots=True, kw_only=True)
class ControlCopies:
    """The altered ``files``, which ``tests`` they alter, and why the others have no control test.

    ``lenient`` are those of ``tests`` whose decorators may turn one exception into another. ``texts`` are the
    files of each that hold what it expects, as far as is known.
    """

    files: Mapping[str, bytes]
    tests: tuple[str, ...]
    lenient: frozenset[str]
    without: tuple[tuple[str, str], ...]
    texts: Mapping[str, frozenset[str]]


def control_copies(
    tests: Sequence[str],
    read: Callable[[str], bytes | None],
    *,
    mark: str,
    frames: Mapping[str, Sequence[Frame]] | None = None,
    unreadable: bool = True,
) -> ControlCopies:
    """Copies of the files of ``tests`` in which each fails at its end, with ``mark`` in its message.

    ``read`` gives a file of the project by its path, or None. ``frames`` are those in which a test failed
    before; they lead to one that is inherited from another module. ``mark`` is an identifier that occurs
    nowhere else. ``unreadable`` has each copy's file emptied once it is loaded, and the test's own file and
    what these import of the tests as well, so that code that looks for the expected values there finds none.
    """
    sources = _Sources(read)
    altered: dict[str, list[Function]] = {}
    lenient: list[str] = []
    chosen: list[str] = []
    texts: dict[str, frozenset[str]] = {}
    without: list[tuple[str, str]] = []
    for test in tests:
        path, functions = _find(test, sources, (frames or {}).get(test, ()))
        reason = _objection(functions, sources.reason(path))
        if reason:
            without.append((test, reason))
            continue
        chosen.append(test)
        own = {path, test.partition("::")[0]}
        texts[test] = frozenset(own.union(*(_imported(one, sources) for one in own)))
        known = altered.setdefault(path, [])
        known += [function for function in functions if function not in known]
        if not all(_is_transparent(one) for function in functions for one in function.decorator_list):
            lenient.append(test)
    files = {
        path: source.altered(functions, mark, unreadable=unreadable)
        for path, functions in altered.items()
        if (source := sources[path])
    }
    if unreadable:
        others = frozenset[str]().union(*texts.values()) - set(files)
        files |= {path: source.emptied() for path in others if (source := sources[path])}
    return ControlCopies(
        files=files, tests=tuple(chosen), lenient=frozenset(lenient), without=tuple(without), texts=texts
    )


class _Sources(dict[str, "ControlSource | None"]):
    """The files that were asked for, read and parsed once; None for one that cannot be altered."""

    def __init__(self, read: Callable[[str], bytes | None]) -> None:
        super().__init__()
        self._read = read

    def __missing__(self, path: str) -> ControlSource | None:
        data = self._read(path)
        self[path] = ControlSource.read(data) if data is not None else None
        return self[path]

    def reason(self, path: str) -> str:
        """Why no function was found in the file at ``path``."""
        return NO_FUNCTION if self[path] or self._read(path) is None else UNREADABLE


def _imported(path: str, sources: _Sources) -> Iterator[str]:
    """The files of tests that the one at ``path`` imports, as helpers with the values that tests expect."""
    source = sources[path]
    for module, name, level in imported_modules(source.tree) if source else ():
        beside = PurePosixPath(path).parents
        places = beside[level - 1 : level] if level else (beside[0], beside[-1])
        for one in (module, f"{module}.{name}".strip(".")):
            for place in places:
                inside = place / one.replace(".", "/")
                for found in (f"{inside}.py", str(inside / "__init__.py")):
                    if is_test_path(found) and sources[found]:
                        yield found


def _find(test: str, sources: _Sources, frames: Sequence[Frame]) -> tuple[str, list[Function]]:
    """The file and the functions that ``test`` names; else the one in which it failed before."""
    path, *names = test.partition("[")[0].split("::")
    source = sources[path]
    if not names:
        return path, []
    if source and (found := _named(source.tree, names)):
        return path, found
    for frame in frames[:1]:
        source = sources[frame.path]
        if source and frame.function == names[-1]:
            return frame.path, [
                node
                for node in ast.walk(source.tree)
                if isinstance(node, Function)
                and node.name == names[-1]
                and node.lineno <= frame.line <= (node.end_lineno or 0)
            ]
    return path, []


def _named(tree: ast.Module, names: list[str]) -> list[Function]:
    """The functions that the dotted name ``names`` leads to; several where there are conditions."""
    scopes: list[ast.AST] = [tree]
    for name in names[:-1]:
        inside = [member for scope in scopes for member in _members(scope)]
        scopes = [one for one in inside if isinstance(one, ast.ClassDef) and one.name == name]
    return _defined(scopes, names[-1]) or _defined(_bases(scopes, tree), names[-1])


def _defined(scopes: Iterable[ast.AST], name: str) -> list[Function]:
    members = [member for scope in scopes for member in _members(scope)]
    return [one for one in members if isinstance(one, Function) and one.name == name]


def _bases(scopes: Sequence[ast.AST], tree: ast.Module) -> list[ast.ClassDef]:
    """What the classes of ``scopes`` inherit from in the same file: all, since one of them is the nearest."""
    classes = [one for one in _members(tree) if isinstance(one, ast.ClassDef)]
    found: list[ast.ClassDef] = []
    waiting = list(scopes)
    while waiting:
        scope = waiting.pop()
        bases = scope.bases if isinstance(scope, ast.ClassDef) else []
        names = {base.id for base in bases if isinstance(base, ast.Name)}
        new = [one for one in classes if one.name in names and one not in found]
        found += new
        waiting += new
    return found


def _members(scope: ast.AST) -> Iterator[ast.AST]:
    """What is defined in ``scope`` itself, also under a condition."""
    for node in ast.iter_child_nodes(scope):
        yield node
        if isinstance(node, _BLOCKS):
            yield from _members(node)


def _objection(functions: list[Function], missing: str) -> str:
    """Why no control test can be made of ``functions``; empty where one can."""
    nodes = [one for function in functions for one in own_nodes(function, _CATCHING)]
    if not functions:
        return missing
    if any(isinstance(node, (ast.Yield, ast.YieldFrom)) for node, _guarded in nodes):
        return GENERATOR
    if any(guarded and isinstance(node, ast.Return) for node, guarded in nodes):
        return RETURNS
    return ""


def _is_transparent(decorator: ast.expr) -> bool:
    """Whether a decorator surely passes on the exceptions of what it decorates."""
    name = ast.unparse(decorator.func if isinstance(decorator, ast.Call) else decorator)
    if name.startswith("pytest.mark."):
        return name not in {"pytest.mark.xfail", "pytest.mark.flaky"}
    return name in _TRANSPARENT or name.startswith(("mock.patch", "unittest.mock.patch"))

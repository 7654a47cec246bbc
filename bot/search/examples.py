"""What tests say of a function: the arguments that they give it, and what they wait for.

Only what a test writes out is read; nothing is evaluated but literals. A failing test's arguments beside
those of passing ones show which property of a value the function does not deal with.
"""

import ast
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import NamedTuple, TypeAlias

from bot.patch.syntax import last_name, parsed
from bot.search.source import FUNCTIONS, Function
from sandbox.reports import TestResult

_MAX_FILES = 8  # files of tests that are remembered
_RAISING = frozenset({"raises", "assertRaises", "assertRaisesRegex"})
_TRUTHS = {"assertTrue": True, "assertFalse": False, "assertIsNone": None}
UNKNOWN = object()
"""What is no literal has this value."""

_ELSEWHERE = ast.Constant(value=...)
"""The answer of a call whose result is looked at later: none that is known, but one there is."""


class TestedCall(NamedTuple):
    """One call in a test, with the names that the test gave literals to resolved.

    ``answer`` is what the test compares the call with, None where it compares it with nothing. ``raises`` is
    the exception that the test waits for, and ``match`` the words in its message. ``fails`` is True on the
    line where a test failed.
    """

    callee: str
    arguments: tuple[ast.expr, ...]
    keywords: Mapping[str, ast.expr]
    fails: bool
    answer: ast.expr | None = None
    raises: str = ""
    match: str = ""


_Calls: TypeAlias = Iterator[tuple[ast.Call, TestedCall]]


class Examples:
    """The calls in the files of the failing tests."""

    def __init__(self, sources: Mapping[str, str] | None = None, failing: Sequence[TestResult] = ()) -> None:
        lines = {result.test: _line(result) for result in failing}
        paths = dict.fromkeys(test.partition("::")[0] for test in lines)
        self._files = [(path, sources[path]) for path in paths if sources and path in sources]
        self._failed = tuple(lines.items())

    @cached_property
    def all(self) -> tuple[TestedCall, ...]:
        """Every call; a failing test's only up to the line where it failed."""
        return tuple(one for path, code in self._files for one in _calls(path, code, self._failed))

    @cached_property
    def failing(self) -> tuple[TestedCall, ...]:
        """The calls on the lines where tests failed."""
        return tuple(one for one in self.all if one.fails)

    @cached_property
    def texts(self) -> tuple[str, ...]:
        """The string literals on the lines where tests failed, and before them in the same tests."""
        lines = {test.partition("[")[0]: line for test, line in self._failed}
        found: dict[str, None] = {}
        for path, code in self._files:
            for name, test in test_functions(_tree(code), path):
                for node in ast.walk(test) if name in lines else ():
                    early = getattr(node, "lineno", 0) <= lines[name]
                    if early and isinstance(node, ast.Constant) and isinstance(node.value, str):
                        found[node.value] = None
        return tuple(found)

    def of(self, name: str) -> list[TestedCall]:
        """The calls of one function or class."""
        return [one for one in self.all if one.callee == name]


# One search reads the same tests again for each partial fix.
_tree = lru_cache(maxsize=_MAX_FILES)(parsed)


@lru_cache(maxsize=_MAX_FILES)
def _calls(path: str, code: str, failed: tuple[tuple[str, int], ...]) -> tuple[TestedCall, ...]:
    """The calls in one file of tests; ``failed`` has the line where each failing test failed."""
    tree, lines = _tree(code), dict(failed)
    known = {test.partition("[")[0] for test in lines}
    shared = {
        getattr(node.targets[0], "id", ""): node.value
        for node in (tree.body if tree is not None else ())
        if isinstance(node, ast.Assign)
    }
    found: list[TestedCall] = []
    for name, test in test_functions(tree, path):
        for bound, row in _rows(test):
            last = lines.get(f"{name}[{row}]" if row is not None else name)
            unsure = last is None and name in known and row is None  # which of its rows failed
            if last != 0 and not unsure:
                reader = _Reader({**shared, **bound}, last)
                # A call whose result the failing line reads is read once more there.
                found += dict(reader.read(test.body, "", "", fails=False)).values()
    return tuple(found)


def test_functions(tree: ast.Module | None, path: str) -> Iterator[tuple[str, Function]]:
    """The test functions of a file with their identifiers."""
    for node in tree.body if tree is not None else ():
        if isinstance(node, FUNCTIONS) and node.name.startswith("test"):
            yield f"{path}::{node.name}", node
        elif isinstance(node, ast.ClassDef):
            for inner in node.body:
                if isinstance(inner, FUNCTIONS) and inner.name.startswith("test"):
                    yield f"{path}::{node.name}::{inner.name}", inner


def _line(result: TestResult) -> int:
    """The line of the test file where the test failed; 0 where no frame says it."""
    path = result.test.partition("::")[0]
    return next((frame.line for frame in reversed(result.frames) if frame.path == path), 0)


def _rows(test: Function) -> Iterator[tuple[dict[str, ast.expr], str | None]]:
    """The arguments of each run of a test and the name of that run; no name where there is one run."""
    marks = [
        node
        for node in test.decorator_list
        if isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "parametrize"
    ]
    if len(marks) != 1 or len(marks[0].args) < 2 or not isinstance(marks[0].args[1], (ast.List, ast.Tuple)):
        yield {}, None
        return
    named = value_of(marks[0].args[0])
    listed = named.split(",") if isinstance(named, str) else named
    names = [part.strip() for part in listed if isinstance(part, str)] if isinstance(listed, Iterable) else []
    for index, row in enumerate(marks[0].args[1].elts):
        values, given = [row], ""
        if isinstance(row, ast.Call):
            values = row.args
            given = next((str(value_of(part.value)) for part in row.keywords if part.arg == "id"), "")
        elif len(names) > 1 and isinstance(row, (ast.Tuple, ast.List)):
            values = row.elts
        pairs = list(zip(names, values, strict=False))
        yield dict(pairs), given or "-".join(_name(value, name, index) for name, value in pairs)


def _name(node: ast.expr, name: str, index: int) -> str:
    """How pytest names an argument."""
    value = value_of(node)
    plain = value is None or isinstance(value, (str, int, float, bool))
    return str(value) if plain else f"{name}{index}"


class _Reader:
    """Reads one run of a test up to the line where it failed (None where it passed)."""

    def __init__(self, bound: dict[str, ast.expr], last: int | None) -> None:
        self._bound = bound
        self._last = last

    def read(self, body: Sequence[ast.stmt], raises: str, match: str, *, fails: bool) -> _Calls:
        """The calls of some statements, each with its node."""
        for index, statement in enumerate(body):
            if self._last is not None and statement.lineno > self._last and not fails:
                return
            end = statement.end_lineno or statement.lineno
            hit = fails or (self._last is not None and statement.lineno <= self._last <= end)
            if isinstance(statement, (ast.With, ast.AsyncWith)):
                inner = _raising(statement, body[index + 1 :]) or (raises, match)
                head = self._last is not None and statement.lineno <= self._last < statement.body[0].lineno
                yield from self.read(statement.body, *inner, fails=fails or head)
            elif isinstance(statement, (ast.For, ast.AsyncFor, ast.While, ast.If, ast.Try)):
                yield from self.read(statement.body, raises, match, fails=fails)
            elif not isinstance(statement, (*FUNCTIONS, ast.ClassDef)):
                yield from self._of_statement(statement, raises, match, fails=hit)
                if isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Name):
                    self._bound[statement.targets[0].id] = statement.value

    def _of_statement(self, statement: ast.stmt, raises: str, match: str, *, fails: bool) -> _Calls:
        subject, answer = _asserted(statement)
        answer = self._resolved(answer) if answer is not None else None
        outer = self._resolved(subject) if subject is not None else None
        own = [node for node in ast.walk(statement) if isinstance(node, ast.Call)]
        read = [self._resolved(node) for node in ast.walk(statement) if isinstance(node, ast.Name)]
        made = [node for node in read if isinstance(node, ast.Call) and (fails or node is outer)]
        for node in [*own, *made]:
            name, given = last_name(node.func), self._given(node.args)
            words = {part.arg: self._resolved(part.value) for part in node.keywords if part.arg}
            if name in _RAISING and len(given) > 1:
                inner = last_name(node.args[1])
                wanted = _exception(node.args[0])
                yield node, TestedCall(inner, given[2:], words, fails, raises=wanted)
            elif name and not any(isinstance(part, ast.Starred) for part in given):
                value = answer if node in {subject, outer} else _ELSEWHERE if node in made else None
                yield node, TestedCall(name, given, words, fails, value, raises, match)

    def _given(self, arguments: Sequence[ast.expr]) -> tuple[ast.expr, ...]:
        """Arguments with names resolved; ``*rest`` as its items, where those are written out."""
        found: list[ast.expr] = []
        for part in arguments:
            rest = self._resolved(part.value) if isinstance(part, ast.Starred) else None
            found += rest.elts if isinstance(rest, (ast.List, ast.Tuple)) else [self._resolved(part)]
        return tuple(found)

    def _resolved(self, node: ast.expr) -> ast.expr:
        return self._bound.get(node.id, node) if isinstance(node, ast.Name) else node


def _asserted(statement: ast.stmt) -> tuple[ast.expr | None, ast.expr | None]:
    """The expression that a statement asserts something of, and the value that it should have."""
    match statement:
        case ast.Assert(test=ast.Compare(left=left, ops=[ast.Eq() | ast.Is()], comparators=[right])):
            return (right, left) if isinstance(left, ast.Constant) else (left, right)
        case ast.Assert(test=ast.UnaryOp(op=ast.Not(), operand=subject)):
            return subject, ast.Constant(value=False)
        case ast.Assert(test=ast.Call() as subject):
            return subject, ast.Constant(value=True)
        case ast.Expr(value=ast.Call(func=ast.Attribute(attr=name), args=[left, *rest])):
            if name in {"assertEqual", "assertIs"} and rest:
                return (rest[0], left) if isinstance(left, ast.Constant) else (left, rest[0])
            if name in _TRUTHS:
                return left, ast.Constant(value=_TRUTHS[name])
    return None, None


def _raising(statement: ast.With | ast.AsyncWith, following: Sequence[ast.stmt]) -> tuple[str, str] | None:
    """The exception that a ``with`` statement waits for, and the words of its message."""
    for item in statement.items:
        call = item.context_expr
        if isinstance(call, ast.Call) and last_name(call.func) in _RAISING and call.args:
            words = [part.value for part in call.keywords if part.arg == "match"] or call.args[1:]
            match = value_of(words[0]) if words else _said(item.optional_vars, following)
            return _exception(call.args[0]), match if isinstance(match, str) else ""
    return None


def _said(name: ast.expr | None, following: Sequence[ast.stmt]) -> str:
    """The words that the statements after a ``with`` expect of the exception that it caught."""
    for statement in following:
        nodes = list(ast.walk(statement)) if isinstance(statement, (ast.Assert, ast.Expr)) else []
        read = ast.dump(ast.Name(id=getattr(name, "id", ""), ctx=ast.Load()))
        if name is not None and any(ast.dump(node) == read for node in nodes):
            texts = [node.value for node in nodes if isinstance(node, ast.Constant)]
            return next((text for text in texts if isinstance(text, str)), "")
    return ""


def _exception(node: ast.expr) -> str:
    first = node.elts[0] if isinstance(node, ast.Tuple) and node.elts else node
    return last_name(first)


def value_of(node: ast.expr | None) -> object:
    """The value that is written out; ``UNKNOWN`` where it is none, and for the items that are none."""
    try:
        return ast.literal_eval(node) if node is not None else UNKNOWN
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        if isinstance(node, (ast.List, ast.Tuple)):
            items = [UNKNOWN for _ in node.elts]
            return items if isinstance(node, ast.List) else tuple(items)
        return UNKNOWN

"""One failing test as a model is shown it: the statements that lead to the failure, and what came out.

Of a test, only the assertion that failed is shown, with the statements that its names come from: the
assertions before it passed, and those after it say nothing yet.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from textwrap import dedent

from bot.patch.syntax import MISSING, Function, literal_value, parsed_by_lines
from sandbox.reports import Comparison, Frame, TestResult, TestStatus

TEST_LINES = 20
VALUE_CHARACTERS = 300
_COMPOUND = (ast.With, ast.AsyncWith, ast.For, ast.AsyncFor, ast.While, ast.Try, ast.If)


@dataclass(frozen=True, slots=True, kw_only=True)
class FailureBrief:
    """``code`` are lines of the test, ``values`` what came out of it, one to a few lines."""

    test: str
    code: str
    values: str

    @property
    def text(self) -> str:
        """Both, as Python: the values are comments."""
        comments = "\n".join(f"# {line}" for line in self.values.split("\n") if line)
        return "\n".join(part for part in (self.code, comments) if part)


def failure_of(result: TestResult, sources: Mapping[str, str]) -> FailureBrief:
    """What ``result``, a failing one, says."""
    places = [_Place.of(sources[frame.path], frame.line) for frame in _test_frames(result, sources)]
    names = _passed(places[0], places[1]) if len(places) == 2 else None
    shown = places[1:] if names is not None else places
    lines = [line for place in shown for line in place.lines(bare=names is not None)]
    if len(lines) > TEST_LINES:
        lines = [lines[0], "    ...", *lines[-TEST_LINES + 1 :]]
    code = dedent("\n".join(lines))
    for parameter, name in (names or {}).items():
        code = re.sub(rf"(?<![\w.]){re.escape(parameter)}\b", name, code)
    statement = places[-1].statement if places else None
    return FailureBrief(test=result.test, code=code, values=_values(result, statement))


def _test_frames(result: TestResult, sources: Mapping[str, str]) -> list[Frame]:
    """The last frames in the test's own file, up to the call that leaves it; outermost first."""
    path = result.test.split("::")[0]
    if path not in sources and result.frames:  # the test is a command: its outermost frame is the program's
        path = result.frames[0].path
    found: list[Frame] = []
    for frame in result.frames:
        if frame.path == path and path in sources:
            found.append(frame)
        elif found:
            break
    return found[-2:]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Place:
    """A line of a test, with the statement that it is of and the function around, where they are known."""

    source: Sequence[str]
    line: int
    function: Function | None
    statement: ast.stmt | None

    @classmethod
    def of(cls, text: str, line: int) -> _Place:
        tree = parsed_by_lines(text)
        around = [
            node
            for node in (ast.walk(tree) if tree else ())
            if isinstance(node, Function) and node.lineno <= line <= (node.end_lineno or node.lineno)
        ]
        function = max(around, key=lambda node: node.lineno, default=None)
        body = function.body if function else tree.body if tree else []
        return cls(source=text.split("\n"), line=line, function=function, statement=_statement(body, line))

    def lines(self, *, bare: bool) -> Iterator[str]:
        """The statements that the failing one needs, and that one; with the function's head unless ``bare``.

        A head without parameters says nothing.
        """
        if self.function is None or self.statement is None:
            yield from (line.rstrip("\r") for line in self.source[max(0, self.line - 3) : self.line])
            return
        head = self.function
        if not bare and {argument.arg for argument in head.args.args} - {"self"}:
            yield self.source[head.lineno - 1].strip("\r")
        for node in (*_needed(head.body, self.statement), self.statement):
            end = min(node.end_lineno or node.lineno, node.lineno + TEST_LINES)
            yield from (line.rstrip("\r") for line in self.source[node.lineno - 1 : end])


def _passed(outer: _Place, inner: _Place) -> dict[str, str] | None:
    """What the call in ``outer`` passes to ``inner``'s function, by parameter; None for any other call."""
    match outer.statement:
        case ast.Expr(value=ast.Call(func=ast.Name(id=name), args=arguments, keywords=[])) if inner.function:
            parameters = [argument.arg for argument in inner.function.args.args]
            names = [argument.id for argument in arguments if isinstance(argument, ast.Name)]
            if name == inner.function.name and len(parameters) == len(names) == len(arguments):
                return dict(zip(parameters, names, strict=True))
    return None


def _statement(body: Sequence[ast.stmt], line: int) -> ast.stmt | None:
    """The innermost statement that ``line`` belongs to."""
    for node in body:
        if node.lineno <= line <= (node.end_lineno or node.lineno):
            if isinstance(node, _COMPOUND):
                blocks = [getattr(node, name, []) for name in ("body", "orelse", "finalbody")]
                inner = next((found for block in blocks if (found := _statement(block, line))), None)
                return inner or node
            return node
    return None


def _needed(body: Sequence[ast.stmt], last: ast.stmt) -> list[ast.stmt]:
    """The statements before ``last`` that bind or change what it uses, in their order."""
    wanted = _names(last)
    found: list[ast.stmt] = []
    for node in reversed([node for node in body if (node.end_lineno or node.lineno) < last.lineno]):
        if isinstance(node, ast.Assert | ast.Pass):
            continue
        names = _names(node)
        bound = {name for name in names if name in wanted}
        # A call for its effect may change what is used: ``cart.add(3)``.
        if bound and isinstance(node, ast.Assign | ast.AnnAssign | ast.AugAssign | ast.Expr | ast.Import):
            found.append(node)
            wanted |= names
    return found[::-1]


def _names(node: ast.AST) -> set[str]:
    return {child.id for child in ast.walk(node) if isinstance(child, ast.Name)}


def _values(result: TestResult, statement: ast.stmt | None) -> str:
    if result.status is TestStatus.TIMEOUT:
        return "it does not end: probably an endless loop"
    if result.status is TestStatus.CRASHED:
        return "the process crashed"
    if result.comparison is not None and result.exception in {"AssertionError", ""}:
        return _sides(result.comparison, statement)
    message = " ".join(result.message.strip().split("\n\n")[0].split("\n"))
    raised = _cut(f"{result.exception}: {message}" if message else result.exception)
    return f"raises {raised}" if result.exception != "AssertionError" else raised


def _sides(sides: Comparison, statement: ast.stmt | None) -> str:
    """The two sides of the comparison: which one was expected is known where the test writes it out."""
    left, right = _cut(sides.left), _cut(sides.right)
    match statement:
        case ast.Assert(test=ast.Compare(left=one, ops=[ast.Eq() | ast.Is()], comparators=[other])):
            if literal_value(other) is not MISSING or literal_value(one) is MISSING:
                return f"actual:   {left}\nexpected: {right}"
            return f"actual:   {right}\nexpected: {left}"
    return f"left side:  {left}\nright side: {right}\n(expected: left {sides.operator} right)"


def _cut(text: str) -> str:
    return shortened(" ".join(text.split()), VALUE_CHARACTERS)


def shortened(text: str, limit: int) -> str:
    """``text``, its end left out where it is longer than ``limit``."""
    return text if len(text) <= limit else f"{text[:limit]}..."

"""What a failing test expects: its assertion, the expression that it is about, and both values."""

import ast
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeVar

from bot.patch.policy.files.protected import is_test_path
from bot.patch.syntax import MISSING, Function, literal_value, parsed
from sandbox.reports import Frame, TestResult, TestStatus

MAX_TEXT = 200
EXAMPLES = frozenset({"DocTestFailure", "MultipleDoctestFailures"})
ASSERTING = frozenset({"AssertionError", "Failed", "_pytest.outcomes.Failed"})
"""What a failing assertion raises, and pytest where nothing was raised that should have been."""

Pair = tuple[object, object]
_Placed = TypeVar("_Placed", bound=ast.stmt | ast.ExceptHandler)


@dataclass(frozen=True, slots=True, kw_only=True)
class Expectation:
    """An assertion at ``line`` that ``subject`` equals ``expected``, where it is ``actual``.

    ``literal`` is the expression that writes ``expected`` down; None where several could be it.
    """

    path: str
    line: int
    text: str
    subject: ast.expr
    expected: object
    actual: object
    literal: ast.expr | None = None


def expectation_of(result: TestResult, sources: Mapping[str, str]) -> Expectation | None:
    """What a failing test expects, where its last line compares something with a literal for equality."""
    path = result.test.partition("::")[0]
    if not asserts(result) or is_example(result) or path not in sources:
        return None
    if result.frames[-1].path != path:
        return None
    tree = parsed(sources[path])
    if tree is None:
        return None
    line = result.frames[-1].line
    statement = _at(tree, line, ast.Assert, ast.Expr)
    sides = sides_of(statement) if statement else None
    values = _values(result)
    if statement is None or sides is None or values is None:
        return None
    test = _at(tree, line, ast.FunctionDef, ast.AsyncFunctionDef)
    assert test is None or isinstance(test, Function)
    given = _parameters(test) if test else {}
    for (subject, side), (now, wanted) in ((sides, values), (sides[::-1], values[::-1])):
        nodes = given.get(side.id, []) if isinstance(side, ast.Name) else [side]
        literals = [one for one in nodes if same(literal_value(one), wanted)]
        if literal_value(subject) is MISSING and literals:
            text = " ".join(ast.unparse(statement).split())[:MAX_TEXT]
            return Expectation(
                path=path,
                line=statement.lineno,
                text=text,
                subject=resolved(subject, test),
                expected=wanted,
                actual=now,
                literal=literals[0] if len(literals) == 1 else None,
            )
    return None


def is_example(result: TestResult) -> bool:
    """Whether a documented example gave something else than what stands there."""
    return result.status is TestStatus.FAILED and result.exception in EXAMPLES


def own_frame(result: TestResult) -> Frame | None:
    """Where a test's own file was at work when it failed, helpers of its apart."""
    path = result.test.partition("::")[0]
    return next((one for one in reversed(result.frames) if one.path == path), None)


def asserts(result: TestResult) -> bool:
    """Whether a test failed by what it asserts itself: the project's code ended as it should."""
    if is_example(result):
        return True
    frame = own_frame(result)
    last = result.frames[-1] if frame else None
    own = last is not None and (last == frame or is_test_path(last.path))
    return result.status is TestStatus.FAILED and result.exception in ASSERTING and own


def refuses(result: TestResult, sources: Mapping[str, str]) -> bool:
    """Whether a test failed since the project's code raises, on purpose and not because of another error."""
    last = result.frames[-1] if result.frames else None
    if last is None or result.foreign or result.exception in ASSERTING or is_test_path(last.path):
        return False
    tree = parsed(sources.get(last.path, ""))
    raised = _at(tree, last.line, ast.Raise) if tree else None
    handled = _at(tree, last.line, ast.ExceptHandler) if tree else None
    return raised is not None and raised.exc is not None and raised.cause is None and handled is None


def asserting(tree: ast.Module, line: int) -> ast.stmt | None:
    """The innermost assertion, call or ``with`` statement at ``line``, such as of ``raises``."""
    return _at(tree, line, ast.Assert, ast.Expr) or _at(tree, line, ast.With)


def _at(tree: ast.Module, line: int, *kinds: type[_Placed]) -> _Placed | None:
    """The innermost node of some kinds around ``line``."""
    found = (one for one in ast.walk(tree) if isinstance(one, kinds))
    around = [one for one in found if one.lineno <= line <= (one.end_lineno or 0)]
    return max(around, key=lambda one: one.lineno, default=None)


def _values(result: TestResult) -> Pair | None:
    """The two sides as the failure shows them."""
    if result.comparison:
        texts = (result.comparison.operator, result.comparison.left, result.comparison.right)
    else:
        left, operator, right = result.message.partition("\n")[0].partition(" != ")
        texts = ("==" if operator else "", left, right.partition(" : ")[0])
    one, other = map(literal_value, texts[1:])
    known = texts[0] == "==" and one is not MISSING and other is not MISSING
    return (one, other) if known else None


def sides_of(statement: ast.AST) -> tuple[ast.expr, ast.expr] | None:
    """The two sides that ``statement`` asserts to be equal; None for any other."""
    match statement:
        case ast.Assert(test=ast.Compare(left=left, ops=[ast.Eq()], comparators=[right])):
            return left, right
        case ast.Expr(value=ast.Call(func=ast.Attribute(attr="assertEqual"), args=[left, right, *_])):
            return left, right
    return None


def same(one: object, other: object) -> bool:
    """Whether two values are of one type and look alike."""
    return type(one) is type(other) and repr(one) == repr(other)


def resolved(subject: ast.expr, test: Function | None) -> ast.expr:
    """What a name in ``test`` was last bound to before ``subject``, which is that name; else ``subject``."""
    if not isinstance(subject, ast.Name) or test is None:
        return subject
    bound = [
        node
        for node in ast.walk(test)
        if isinstance(node, ast.Assign)
        and node.lineno < subject.lineno
        and any(isinstance(one, ast.Name) and one.id == subject.id for one in node.targets)
    ]
    return max(bound, key=lambda node: node.lineno).value if bound else subject


def _parameters(test: Function) -> dict[str, list[ast.expr]]:
    """The literals that the decorators of a test hold, for each of its parameters."""
    nodes = (node for one in test.decorator_list for node in ast.walk(one) if isinstance(node, ast.expr))
    literals = [node for node in nodes if literal_value(node) is not MISSING]
    return {one.arg: literals for one in test.args.args}

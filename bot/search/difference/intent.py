"""Whether the change means what a failing test says is wrong, by what else the same change says.

Nothing is guessed from the code's own change: that a literal was replaced does not show that somebody wanted
it. What counts is another place that the change brought into line: an assertion, or documentation.
"""

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from bot.patch.syntax import parsed
from sandbox.reports import TestResult, TestStatus

MAX_TEXT = 200
MIN_WORD, MIN_NUMBER = 3, 10
_WORD = re.compile(r"[^\W_]")
Function = ast.FunctionDef | ast.AsyncFunctionDef
Pair = tuple[object, object]


@dataclass(frozen=True, slots=True, kw_only=True)
class Expectation:
    """An assertion at ``line`` that ``subject`` equals ``expected``, where it is ``actual``."""

    path: str
    line: int
    text: str
    subject: ast.expr
    expected: object
    actual: object


def expectation_of(result: TestResult, sources: Mapping[str, str]) -> Expectation | None:
    """What a failing test expects, where its last line compares something with a literal for equality."""
    path = result.test.partition("::")[0]
    if result.status is not TestStatus.FAILED or result.exception != "AssertionError" or path not in sources:
        return None
    if not result.frames or result.frames[-1].path != path:
        return None
    tree = parsed(sources[path])
    line = result.frames[-1].line
    statement = next((one for one in ast.walk(tree) if _covers(one, line)), None) if tree else None
    sides = _sides(statement) if statement else None
    values = _values(result)
    if not isinstance(statement, ast.stmt) or sides is None or values is None:
        return None
    for (subject, side), (now, wanted) in ((sides, values), (sides[::-1], values[::-1])):
        expected = _literal(side)
        if expected is not None and _literal(subject) is None and _same(expected.value, wanted):
            text = " ".join(ast.unparse(statement).split())[:MAX_TEXT]
            return Expectation(
                path=path, line=statement.lineno, text=text, subject=subject, expected=wanted, actual=now
            )
    return None


def asserted_anew(wanted: Expectation, tests: Sequence[Function]) -> bool:
    """Whether one of ``tests`` asserts of the same expression what the failing test calls wrong."""
    if not isinstance(wanted.subject, ast.Call):
        return False
    subject = ast.dump(wanted.subject)
    names = {node.id for node in ast.walk(wanted.subject) if isinstance(node, ast.Name)}
    for test in tests:
        if names & _own_names(test):
            continue
        for statement in ast.walk(test):
            for one, other in _both(_sides(statement) if isinstance(statement, ast.stmt) else None):
                found = _literal(other)
                if found is not None and ast.dump(one) == subject and _same(found.value, wanted.actual):
                    return True
    return False


def exchanged_alike(wanted: Expectation, old: Function, new: Function) -> bool:
    """Whether ``new`` is ``old`` with other literals, exchanged as the failing test's would have to be."""
    literals, others = list(_constants(old)), list(_constants(new))
    if _shape(old) != _shape(new) or len(literals) != len(others):
        return False
    exchanged = {
        repr(_core(pair)) for pair in zip(literals, others, strict=True) if not _same(pair[0], pair[1])
    }
    needed = {repr(_core(pair)) for pair in differences(wanted.expected, wanted.actual)}
    return bool(needed) and needed <= exchanged


def documented(wanted: Expectation, added: Sequence[str], name: str) -> bool:
    """Whether lines that were ``added`` to documentation name the function, and the new value with it."""
    pieces = [_core(pair) for pair in differences(wanted.expected, wanted.actual)]
    if not name or not pieces or not all(_is_telling(new) for _, new in pieces):
        return False
    lines = [line for line in added if _holds(line, name)]
    return all(any(_holds(line, _shown(new)) for line in lines) for _, new in pieces)


def differences(expected: object, actual: object) -> tuple[Pair, ...]:
    """The leaves in which two values of one shape differ; the values themselves where their shapes do."""
    if type(expected) is type(actual):
        if (
            isinstance(expected, list | tuple)
            and isinstance(actual, list | tuple)
            and len(expected) == len(actual)
        ):
            return tuple(pair for one in zip(expected, actual, strict=True) for pair in differences(*one))
        if isinstance(expected, dict) and isinstance(actual, dict) and expected.keys() == actual.keys():
            return tuple(pair for key in expected for pair in differences(expected[key], actual[key]))
    return () if _same(expected, actual) else ((expected, actual),)


def _core(pair: Pair) -> Pair:
    """What differs in two texts, by whole words; other values as they are."""
    old, new = pair
    if not isinstance(old, str) or not isinstance(new, str):
        return pair
    one, other = (re.findall(r"\w+|\W", text) for text in (old, new))
    start = 0
    while start < min(len(one), len(other)) and one[start] == other[start]:
        start += 1
    end = 0
    while end < min(len(one), len(other)) - start and one[-1 - end] == other[-1 - end]:
        end += 1
    return "".join(one[start : len(one) - end]), "".join(other[start : len(other) - end])


def _is_telling(value: object) -> bool:
    """Whether ``value`` is particular enough to be recognised in prose."""
    if isinstance(value, str):
        return len(_WORD.findall(value)) >= MIN_WORD
    return type(value) in {int, float} and abs(value) >= MIN_NUMBER  # type: ignore[arg-type]


def _shown(value: object) -> str:
    return value if isinstance(value, str) else repr(value)


def _holds(line: str, piece: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(piece.strip())}(?!\w)", line) is not None


def _covers(node: ast.AST, line: int) -> bool:
    is_one = isinstance(node, ast.Assert | ast.Expr)
    return is_one and node.lineno <= line <= (node.end_lineno or node.lineno)  # type: ignore[attr-defined]


def _sides(statement: ast.AST) -> tuple[ast.expr, ast.expr] | None:
    match statement:
        case ast.Assert(test=ast.Compare(left=left, ops=[ast.Eq()], comparators=[right])):
            return left, right
        case ast.Expr(value=ast.Call(func=ast.Attribute(attr="assertEqual"), args=[left, right, *_])):
            return left, right
    return None


def _both(sides: tuple[ast.expr, ast.expr] | None) -> Iterator[tuple[ast.expr, ast.expr]]:
    if sides:
        yield sides
        yield sides[::-1]


def _values(result: TestResult) -> Pair | None:
    """The two sides as the failure shows them."""
    if result.comparison:
        texts = (result.comparison.operator, result.comparison.left, result.comparison.right)
    else:
        left, operator, right = result.message.partition("\n")[0].partition(" != ")
        texts = ("==" if operator else "", left, right.partition(" : ")[0])
    sides = [_evaluated(text) for text in texts[1:]]
    if texts[0] != "==" or sides[0] is None or sides[1] is None:
        return None
    return sides[0].value, sides[1].value


@dataclass(frozen=True, slots=True)
class _Literal:
    value: object


def _literal(node: ast.expr) -> _Literal | None:
    try:
        return _Literal(ast.literal_eval(node))
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return None


def _evaluated(text: str) -> _Literal | None:
    try:
        return _Literal(ast.literal_eval(text))
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return None


def _same(one: object, other: object) -> bool:
    return type(one) is type(other) and repr(one) == repr(other)


def _own_names(test: Function) -> set[str]:
    """The names that mean something else in ``test`` than in its module."""
    stored = {
        node.id for node in ast.walk(test) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    }
    return stored | {node.arg for node in ast.walk(test.args) if isinstance(node, ast.arg)} - {"self"}


def _constants(node: ast.AST) -> Iterator[object]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Constant):
            yield child.value
        else:
            yield from _constants(child)


def _shape(node: ast.AST) -> str:
    """The syntax tree without the values of its literals."""

    def shown(one: object) -> str:
        if isinstance(one, ast.Constant):
            return "_"
        if isinstance(one, ast.AST):
            return f"{type(one).__name__}({','.join(shown(value) for _, value in ast.iter_fields(one))})"
        if isinstance(one, list):
            return f"[{','.join(map(shown, one))}]"
        return repr(one)

    return shown(node)


def enclosing(text: str, line: int) -> str:
    """The name of the innermost function or class around ``line`` of ``text``; empty outside of any."""
    tree = parsed(text)
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    around = [
        node
        for node in (ast.walk(tree) if tree else ())
        if isinstance(node, kinds) and node.lineno <= line <= (node.end_lineno or 0)
    ]
    return max(around, key=lambda node: node.lineno).name if around else ""


def added_docstring(old: str, new: str, name: str) -> tuple[str, ...]:
    """The lines of the docstrings of functions called ``name`` that only ``new`` has, each with the name."""

    def lines(text: str) -> list[str]:
        tree = parsed(text)
        kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
        found = [
            node for node in (ast.walk(tree) if tree else ()) if isinstance(node, kinds) and node.name == name
        ]
        return [line for node in found for line in (ast.get_docstring(node) or "").splitlines()]

    before = set(lines(old))
    return tuple(f"{name}: {line}" for line in lines(new) if line not in before)

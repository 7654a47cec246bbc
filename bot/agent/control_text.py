"""The text of a control test: where a test is altered, and what it calls then.

Positions are those of the syntax tree, so that all else stays as it is: names, lines, comments.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from sandbox.parsing import parsed

Function = ast.FunctionDef | ast.AsyncFunctionDef

END, EQUAL = "end", "equal"
"""What follows the mark: the body ran to its end; a value equals everything. Else it is a method's name."""

NESTED = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)
"""What has a body of its own."""

# What ends early as intended, by its name; and the statements that leave a body without an exception.
_SWALLOWS = re.compile(r"(?i)raise|suppress|warns|fail|exit|ignor|swallow|catch")
_LEAVING = (ast.Return, ast.Break, ast.Continue, ast.Yield, ast.YieldFrom)

_BOM = b"\xef\xbb\xbf"
_EQUALITY = {"assertEqual", "assertEquals", "failUnlessEqual"}
MUST_OBJECT = {
    "assertEqual": "1, 2",
    "assertNotEqual": "1, 1",
    "assertTrue": "False",
    "assertFalse": "True",
    "assertIs": "1, 2",
    "assertIsNot": "None, None",
    "assertIsNone": "1",
    "assertIsNotNone": "None",
    "assertIn": "1, ()",
    "assertNotIn": "1, (1,)",
    "assertIsInstance": "1, str",
    "assertAlmostEqual": "1, 2",
    "assertGreater": "1, 2",
    "assertGreaterEqual": "1, 2",
    "assertLess": "2, 1",
    "assertLessEqual": "2, 1",
    "assertRegex": "'a', 'b'",
    "assertCountEqual": "[1], [2]",
    "assertListEqual": "[1], [2]",
    "assertTupleEqual": "(1,), (2,)",
    "assertSetEqual": "{1}, {2}",
    "assertDictEqual": "{1: 1}, {1: 2}",
    "assertMultiLineEqual": "'a', 'b'",
    "assertSequenceEqual": "[1], [2]",
    "assertRaises": "KeyError, dict",
}
"""What each assertion method must object to. A method with other parameters raises as well."""

# It runs with the project's interpreter, which may be an old one.
_HELPERS = """

def MARK_value(value, *expected):
    try:
        is_equal = bool(value == object())
    except Exception:
        return value
    for one in expected:
        is_equal = is_equal or MARK_near(value, one)
    for one, another in MARK_PAIRS:
        try:
            is_equal = is_equal or bool(value == one) and bool(value == another)
        except Exception:
            continue
    if is_equal:
        raise AssertionError("MARK equal")
    return value


# What equals most of what is near the right answer does not look at it.
def MARK_near(value, expected):
    if type(expected) in (int, float):
        steps = (-4, -3, -2, -1, 1, 2, 3, 4)
        others = [expected + step for step in steps if expected + step != expected]
    elif type(expected) in (str, bytes, list, tuple):
        other = {str: "MARK", bytes: b"MARK", list: ["MARK"], tuple: ("MARK",)}[type(expected)]
        others = [expected + other, other + expected, expected + expected + other, other]
    else:
        return False
    try:
        return sum(bool(value == one) for one in others) > len(others) // 3
    except Exception:
        return False


# Of each type two values that nothing equals at once, but what equals all of that type.
MARK_PAIRS = [
    (7907, 104729), (1.5e301, 2.5e302), ("MARK a", "MARK b"), (b"MARK a", b"MARK b"),
    ([7907, "MARK"], [104729]), ((7907, "MARK"), (104729,)), ({"MARK": 1}, {7907: 2}),
    ({"MARK", 1}, {7907}), (True, False),
]


MARK_inside = []


def MARK_end(tries, *values):
    if MARK_inside:
        del MARK_inside[:]
        raise AssertionError("a with statement was left before the end of its body")
    for name, call in tries:
        try:
            call()
        except Exception:
            continue
        raise AssertionError("MARK " + name)
    raise AssertionError("MARK end")
"""


@dataclass(frozen=True, slots=True)
class ControlSource:
    """A file of tests: its text without a byte order mark, and its tree."""

    data: bytes
    tree: ast.Module
    head: bytes

    @classmethod
    def read(cls, data: bytes) -> ControlSource | None:
        """The source, or None where its text cannot be altered by the tree's positions."""
        tree = parsed(data)
        head = _BOM if data.startswith(_BOM) else b""
        body = data[len(head) :]
        # The positions count bytes of UTF-8, and a lone carriage return ends a line too.
        if tree is None or b"\r" in body.replace(b"\r\n", b""):
            return None
        declared = b"coding" in b"\n".join(body.split(b"\n", 2)[:2])
        return None if declared and not body.isascii() else cls(body, tree, head)

    @property
    def defines_equality(self) -> bool:
        """Whether a class of the tests says what it equals, which may be everything."""
        return b"__eq__" in self.data

    def altered(self, functions: Iterable[Function], mark: str) -> bytes:
        """The text with ``functions`` altered, and what they call at its end."""
        starts = [0, *(at + 1 for at, byte in enumerate(self.data) if byte == ord("\n"))]
        inserted = [one for function in functions for one in _insertions(function, self, starts, mark)]
        parts, done = [self.head], 0
        for position, text in sorted(inserted, key=lambda one: one[0]):
            parts += [self.data[done:position], text.encode()]
            done = position
        parts += [self.data[done:], b"\n", _HELPERS.replace("MARK", mark).encode()]
        return b"".join(parts)


def own_nodes(
    function: Function | ast.With | ast.AsyncWith, guards: tuple[type[ast.AST], ...] = ()
) -> Iterator[tuple[ast.AST, bool]]:
    """The nodes of ``function`` but those of functions inside it, and whether one of ``guards`` is around."""
    waiting: list[tuple[ast.AST, bool]] = [(statement, False) for statement in function.body]
    while waiting:
        node, guarded = waiting.pop()
        yield node, guarded
        if not isinstance(node, NESTED):
            guarded = guarded or isinstance(node, guards)
            waiting += [(child, guarded) for child in ast.iter_child_nodes(node)]


def _insertions(
    function: Function, source: ControlSource, starts: list[int], mark: str
) -> Iterator[tuple[int, str]]:
    """What to insert into the text of ``source``, and where."""
    data = source.data
    call = f"{mark}_end({_tries(function)}"
    for block in sorted(_watched(function.body), key=lambda one: -one.col_offset):
        yield from _watch(block, source, starts, mark)
    for node, _guarded in own_nodes(function):
        if isinstance(node, ast.Return):
            keyword = starts[node.lineno - 1] + node.col_offset + len("return")
            yield keyword, f" {call}" + (")" if node.value is None else ", ")
            if node.value is not None:
                yield _end(node, starts), ")"
        for value, other in () if source.defines_equality else _compared(node):
            yield starts[value.lineno - 1] + value.col_offset, f"{mark}_value("
            # What is equal by a tolerance equals what is near.
            near = "" if "approx" in ast.unparse(value) else _again(other)
            yield _end(value, starts), f"{near})"
    first, last = function.body[0], function.body[-1]
    indentation = data[starts[first.lineno - 1] : starts[first.lineno - 1] + first.col_offset]
    if indentation.strip():  # the body stands in the line of its ``def``
        if not isinstance(last, ast.Return):
            yield _end(last, starts), f"; {call})"
        return
    line = last.end_lineno or last.lineno
    at_end = line >= len(starts)
    text = f"{indentation.decode()}{call})\n"
    yield (len(data), f"\n{text}") if at_end else (starts[line], text)


def _watched(body: Iterable[ast.stmt]) -> Iterator[ast.With | ast.AsyncWith]:
    """The ``with`` statements that hold assertions, and whose bodies an exception alone can leave."""
    for node in body:
        if isinstance(node, (ast.With, ast.AsyncWith)):
            if any(_SWALLOWS.search(ast.unparse(item.context_expr)) for item in node.items):
                continue
            inside = list(own_nodes(node))
            leaves = any(isinstance(one, _LEAVING) for one, _guarded in inside)
            if not leaves and any(_asserts(one) for one, _guarded in inside):
                yield node
        if isinstance(node, (ast.With, ast.AsyncWith, ast.If, ast.For, ast.AsyncFor, ast.While)):
            yield from _watched(node.body)
        if isinstance(node, (ast.If, ast.For, ast.AsyncFor, ast.While)):
            yield from _watched(node.orelse)


def _watch(
    node: ast.With | ast.AsyncWith, source: ControlSource, starts: list[int], mark: str
) -> Iterator[tuple[int, str]]:
    """Note the start and the end of the body of ``node``."""
    first, last = node.body[0], node.body[-1]
    start = starts[first.lineno - 1]
    indentation = source.data[start : start + first.col_offset].decode()
    decorated = bool(getattr(first, "decorator_list", []))
    if indentation.strip() or decorated:
        return
    line = last.end_lineno or last.lineno
    yield start, f"{indentation}{mark}_inside.append(1)\n"
    text = f"{indentation}{mark}_inside.pop()\n"
    yield (len(source.data), f"\n{text}") if line >= len(starts) else (starts[line], text)


def _asserts(node: ast.AST) -> bool:
    match node:
        case ast.Assert(test=test):
            return not isinstance(test, ast.Constant)
        case ast.Call(func=ast.Attribute(attr=name)):
            return name.startswith("assert")
    return False


def _end(node: ast.expr | ast.stmt, starts: list[int]) -> int:
    assert node.end_lineno is not None
    assert node.end_col_offset is not None
    return starts[node.end_lineno - 1] + node.end_col_offset


def _tries(function: Function) -> str:
    """A tuple of the assertion methods that ``function`` uses, each with a call that must raise."""
    used = {
        node.attr
        for node, _guarded in own_nodes(function)
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "self"
    }
    tries = [
        f"('{name}', lambda: self.{name}({arguments})), "
        for name, arguments in MUST_OBJECT.items()
        if name in used
    ]
    return f"({''.join(tries)})"


def _again(node: ast.expr) -> str:
    """``node`` as an argument, where it may be read twice; empty where it calls something."""
    plain = (ast.Constant, ast.UnaryOp, ast.USub, ast.List, ast.Tuple, ast.Name, ast.Load)
    return f", {ast.unparse(node)}" if all(isinstance(one, plain) for one in ast.walk(node)) else ""


def _compared(node: ast.AST) -> Iterator[tuple[ast.expr, ast.expr]]:
    """The values that ``node`` asserts to be equal to another: both, for each comparison."""
    pairs: list[tuple[ast.expr, ast.expr]] = []
    match node:
        case ast.Assert(test=ast.BoolOp(op=ast.And(), values=values)):
            pairs = [pair for value in values for pair in _sides(value)]
        case ast.Assert(test=test):
            pairs = _sides(test)
        case ast.Expr(value=ast.Call(func=ast.Attribute(attr=name), args=[left, right, *_])) if (
            name in _EQUALITY
        ):
            pairs = [(left, right)]
    for left, right in pairs:
        value, other = (right, left) if isinstance(left, ast.Constant) else (left, right)
        if not isinstance(value, (ast.Constant, ast.Starred)) and not _matches_anything(value):
            yield value, other


def _sides(test: ast.expr) -> list[tuple[ast.expr, ast.expr]]:
    match test:
        case ast.Compare(left=left, ops=[ast.Eq()], comparators=[right]):
            return [(left, right)]
    return []


def _matches_anything(value: ast.expr) -> bool:
    """Whether a name says so, as ``mock.ANY`` does."""
    return isinstance(value, (ast.Name, ast.Attribute)) and ast.unparse(value).rpartition(".")[2] == "ANY"

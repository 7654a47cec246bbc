"""The text of a control test: where a test is altered, and what it calls then.

Positions are those of the syntax tree, so that all else stays as it is: names, lines, comments.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from bot.agent.proof.control_helpers import HELPERS
from bot.agent.proof.control_values import end_of, is_named, looked_at, own_nodes, reached_functions
from bot.patch.syntax import Function
from sandbox.formats import parsed
from sandbox.runner.hidden_text import EMPTY

# What ends early as intended, by its name; and the statements that leave a body without an exception.
_SWALLOWS = re.compile(r"(?i)raise|suppress|warns|fail|exit|ignor|swallow|catch")
_Block = ast.With | ast.AsyncWith | ast.FunctionDef
_LEAVING = (ast.Return, ast.Break, ast.Continue, ast.Yield, ast.YieldFrom)

_BOM = b"\xef\xbb\xbf"
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

    def altered(self, functions: Sequence[Function], mark: str, *, unreadable: bool) -> bytes:
        """The text with ``functions`` altered, and what they call at its end.

        ``unreadable`` has the file emptied as soon as it is loaded, before it imports anything.
        """
        starts = [0, *(at + 1 for at, byte in enumerate(self.data) if byte == ord("\n"))]
        reached = reached_functions(functions, self.tree)
        inserted = [
            *_watching(functions, reached, self, starts, mark),
            *(pair for function in reached for pair in looked_at(function, starts, mark)),
            *(one for function in functions for one in _endings(function, self, starts, mark)),
        ]
        if unreadable:
            inserted.insert(0, _emptying(self.tree, starts))
        parts, done = [self.head], 0
        for position, text in sorted(inserted, key=lambda one: one[0]):
            parts += [self.data[done:position], text.encode()]
            done = position
        parts += [self.data[done:], b"\n", HELPERS.replace("MARK", mark).encode()]
        return b"".join(parts)

    def emptied(self) -> bytes:
        """The text as it is, but for what empties its file as soon as it is loaded."""
        starts = [0, *(at + 1 for at, byte in enumerate(self.data) if byte == ord("\n"))]
        position, text = _emptying(self.tree, starts)
        return b"".join((self.head, self.data[:position], text.encode(), self.data[position:]))


def _emptying(tree: ast.Module, starts: list[int]) -> tuple[int, str]:
    """What empties the file, and where: before its first statement that does not have to be the first."""
    first = next((node for node in tree.body if not _is_heading(node)), None)
    if first is None:
        return starts[-1], ""
    line = min([first.lineno, *(one.lineno for one in getattr(first, "decorator_list", []))])
    return starts[line - 1] + first.col_offset, EMPTY + ("; " if first.col_offset else "\n")


def _is_heading(node: ast.stmt) -> bool:
    match node:
        case ast.Expr(value=ast.Constant()) | ast.ImportFrom(module="__future__"):
            return True
    return False


def _endings(
    function: Function, source: ControlSource, starts: list[int], mark: str
) -> Iterator[tuple[int, str]]:
    """What to insert where ``function`` ends: it fails there."""
    data = source.data
    call = f"{mark}_end({_tries(function)}"
    for node, _guarded in own_nodes(function):
        if isinstance(node, ast.Return):
            keyword = starts[node.lineno - 1] + node.col_offset + len("return")
            yield keyword, f" {call}" + (")" if node.value is None else ", ")
            if node.value is not None:
                yield end_of(node.value, starts), ")"
    first, last = function.body[0], function.body[-1]
    indentation = data[starts[first.lineno - 1] : starts[first.lineno - 1] + first.col_offset]
    if indentation.strip():  # the body stands in the line of its ``def``
        if not isinstance(last, ast.Return):
            yield end_of(last, starts), f"; {call})"
        return
    line = last.end_lineno or last.lineno
    at_end = line >= len(starts)
    text = f"{indentation.decode()}{call})\n"
    yield (len(data), f"\n{text}") if at_end else (starts[line], text)


def _watching(
    functions: Sequence[Function],
    reached: Sequence[Function],
    source: ControlSource,
    starts: list[int],
    mark: str,
) -> Iterator[tuple[int, str]]:
    """Note the starts and the ends of ``with`` statements, and of functions in a test; the inner ones first.

    Where a test expects an exception, that may leave a function that it calls as intended.
    """
    quiet = any(
        _SWALLOWS.search(ast.unparse(item.context_expr))
        for function in reached
        for node, _guarded in own_nodes(function)
        if isinstance(node, (ast.With, ast.AsyncWith))
        for item in node.items
    )
    blocks: list[_Block] = [part for one in (functions if quiet else reached) for part in _watched(one.body)]
    blocks += [] if quiet else _callbacks(functions)
    for block in sorted(blocks, key=lambda one: -one.col_offset):
        yield from _watch(block, source, starts, mark)


def _callbacks(functions: Iterable[Function]) -> Iterator[ast.FunctionDef]:
    """The functions inside ``functions`` that assert something, and that an exception alone can leave."""
    for node in (one for function in functions for one in ast.walk(function) if one is not function):
        if isinstance(node, ast.FunctionDef) and not node.decorator_list:
            inside = [one for one, _guarded in own_nodes(node)]
            leaves = any(isinstance(one, (*_LEAVING, ast.Raise)) for one in inside)
            if not leaves and any(map(_asserts, inside)):
                yield node


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


def _watch(node: _Block, source: ControlSource, starts: list[int], mark: str) -> Iterator[tuple[int, str]]:
    """Note the start and the end of the body of ``node``.

    A name, or an attribute, may be ``pytest.raises``, which is seen only when the test runs.
    """
    first, last = node.body[0], node.body[-1]
    start = starts[first.lineno - 1]
    indentation = source.data[start : start + first.col_offset].decode()
    decorated = bool(getattr(first, "decorator_list", []))
    if indentation.strip() or decorated:
        return
    line = last.end_lineno or last.lineno
    managers = [item.context_expr for item in getattr(node, "items", [])]
    named = "".join(f"{ast.unparse(one)}, " for one in managers if is_named(one))
    yield start, f"{indentation}{mark}_inside.append(not {mark}_raises({named}))\n"
    text = f"{indentation}{mark}_inside.pop()\n"
    yield (len(source.data), f"\n{text}") if line >= len(starts) else (starts[line], text)


def _asserts(node: ast.AST) -> bool:
    match node:
        case ast.Assert(test=test):
            return not isinstance(test, ast.Constant)
        case ast.Call(func=ast.Attribute(attr=name)):
            return name.startswith("assert")
    return False


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

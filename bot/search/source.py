"""One parsed source file: where each node stands in the text, and what it stands in.

Positions are character offsets in the project's text (newlines as they are, perhaps a byte order mark), while
``ast`` counts UTF-8 bytes of what it parsed; the translation lives here and nowhere else. Names and
meanings are in ``scopes``; nothing here proposes a change.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cached_property
from typing import NamedTuple

from bot.patch.syntax import first_line
from bot.search.precedence import ATOM, level
from sandbox.silenced import silenced

Function = ast.FunctionDef | ast.AsyncFunctionDef
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
LOOPS = (ast.For, ast.AsyncFor, ast.While)

_BOM = "\ufeff"
_NEWLINE = re.compile(r"\r\n|\r|\n")
_SURROGATE = re.compile("[\ud800-\udfff]")
_GAP = re.compile(r"#[^\r\n]*|\\\r?\n|\s+|[()]")
_OPERATOR = re.compile(r"is\s+not\b|not\s+in\b|is\b|in\b|and\b|or\b|\*\*|//|<<|>>|[<>=!]=|[-+*/%@&|^<>]")
_NEAR = 200  # characters in which a delimiter is looked for: more white space than anyone writes
# ast shares one object for all uses of these, so they have no parent of their own.
_SHARED = (ast.expr_context, ast.operator, ast.boolop, ast.unaryop, ast.cmpop)


class Token(NamedTuple):
    """A stretch of the text."""

    start: int
    end: int
    code: str


def parse(path: str, code: str) -> Source | None:
    """The parsed file, or None when it does not parse."""
    bom = code.startswith(_BOM)
    text = readable(code[bom:])
    try:
        with silenced():
            tree = ast.parse(text, path)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    return Source(path, code, text, tree)


def readable(code: str) -> str:
    """``code`` as ast takes it."""
    # A lone surrogate stands for a byte that was not UTF-8; ast refuses it, and any one character will do.
    return _SURROGATE.sub("?", code)


class Source:
    """A parsed file; immutable once built."""

    def __init__(self, path: str, code: str, readable: str, tree: ast.Module) -> None:
        self.path = path
        self.code = code
        self.tree = tree
        self._readable = readable
        self._shift = len(code) - len(readable)
        self._starts = [0, *(match.end() for match in _NEWLINE.finditer(readable))]
        self._ascii = readable.isascii()
        self._segments: dict[ast.AST, tuple[int, int]] = {}

    @cached_property
    def newline(self) -> str:
        """The line ending that this file uses first."""
        match = _NEWLINE.search(self._readable)
        return match.group() if match else "\n"

    @cached_property
    def step(self) -> str:
        """One level of indentation, as the first block on lines of its own has it."""
        for statement in self.statements:
            body = getattr(statement, "body", None)
            outer, inner = self.indent_of(statement), self.indent_of(body[0]) if body else None
            if outer is not None and inner and inner.startswith(outer) and inner != outer:
                return inner[len(outer) :]
        return "    "

    @cached_property
    def parents(self) -> dict[ast.AST, ast.AST]:
        """The parent of every node but the module."""
        return {
            child: node
            for node in ast.walk(self.tree)
            for child in ast.iter_child_nodes(node)
            if not isinstance(child, _SHARED)
        }

    @cached_property
    def statements(self) -> tuple[ast.stmt, ...]:
        """Every statement, in text order."""
        found = [node for node in self.parents if isinstance(node, ast.stmt)]
        return tuple(sorted(found, key=lambda node: (node.lineno, node.col_offset)))

    @cached_property
    def functions(self) -> tuple[Function, ...]:
        """Every function, in text order."""
        return tuple(place for place in self.statements if isinstance(place, FUNCTIONS))

    def line_start(self, line: int) -> int:
        """Where a 1-based line begins."""
        return self._starts[line - 1] + self._shift

    def line_end(self, line: int) -> int:
        """Where a line ends, its newline included."""
        return self.line_start(line + 1) if line < len(self._starts) else len(self.code)

    def offset(self, line: int, column: int) -> int:
        """The character offset of ast's ``line`` (1-based) and ``column`` (UTF-8 bytes)."""
        start = self._starts[line - 1]
        if not self._ascii:
            end = self._starts[line] if line < len(self._starts) else len(self._readable)
            column = len(self._readable[start:end].encode()[:column].decode(errors="ignore"))
        return self._shift + start + column

    def segment(self, node: ast.AST) -> tuple[int, int]:
        """Start and end of a node that has a position; decorators belong to what they decorate."""
        found = self._segments.get(node)
        if found is None:
            assert isinstance(node, _POSITIONED)
            first = node
            if isinstance(node, (*FUNCTIONS, ast.ClassDef)) and node.decorator_list:
                first = node.decorator_list[0]
            start = self.offset(first.lineno, first.col_offset)
            if first is not node:
                start = self.code.rindex("@", 0, start)
            end = self.offset(node.end_lineno or node.lineno, node.end_col_offset or 0)
            found = self._segments[node] = (start, end)
        return found

    def source_of(self, node: ast.AST) -> str:
        """The text of a node, without parentheses around it."""
        start, end = self.segment(node)
        return self.code[start:end]

    def formatted(self, part: ast.AST) -> Iterator[ast.expr]:
        """The expression in a part of an f-string, where ast knows its position: before 3.12 it may not."""
        if isinstance(part, ast.FormattedValue):
            try:
                with silenced():
                    found = ast.parse(self.source_of(part.value), mode="eval").body
                known = ast.dump(found) == ast.dump(part.value)
            except (SyntaxError, ValueError, IndexError, RecursionError):
                return
            if known:
                yield part.value

    def operator_between(self, left: ast.AST, right: ast.AST) -> Token | None:
        """The operator token between two operands."""
        position, end = self.segment(left)[1], self.segment(right)[0]
        while position < end and (gap := _GAP.match(self.code, position, end)):
            position = gap.end()
        found = _OPERATOR.match(self.code, position, end)
        return Token(found.start(), found.end(), found.group()) if found else None

    def level_of(self, node: ast.AST) -> int:
        """How tightly the node's text binds; a parenthesised tuple is an atom."""
        return ATOM if isinstance(node, ast.Tuple) and _enclosed(self.source_of(node)) else level(node)

    def is_parenthesised(self, node: ast.AST) -> bool:
        """Whether a parenthesis opens right before the node and closes right after it."""
        start, end = self.segment(node)
        before, after = self.code[max(0, start - _NEAR) : start], self.code[end : end + _NEAR]
        return before.rstrip().endswith("(") and after.lstrip().startswith(")")

    def outer(self, node: ast.AST) -> tuple[int, int]:
        """Start and end of a node with the parentheses around it; of several pairs, the innermost."""
        start, end = self.segment(node)
        if not self.is_parenthesised(node):
            return start, end
        return self.code.rindex("(", 0, start), self.code.index(")", end) + 1

    def is_called(self, node: ast.AST) -> bool:
        """Whether the node is what a call calls."""
        parent = self.parents.get(node)
        return isinstance(parent, ast.Call) and node is parent.func

    def called_as(self, function: Function) -> str:
        """The name by which a function is called: its own, or the class's of an ``__init__``."""
        owner = self.parents[function]
        is_init = function.name == "__init__"
        return owner.name if is_init and isinstance(owner, ast.ClassDef) else function.name

    def ancestors(self, node: ast.AST) -> Iterator[ast.AST]:
        """From the parent up to the module."""
        while node in self.parents:
            node = self.parents[node]
            yield node

    def function_of(self, node: ast.AST) -> Function | None:
        """The innermost function around the node."""
        return next((found for found in self.ancestors(node) if isinstance(found, FUNCTIONS)), None)

    def class_of(self, node: ast.AST) -> ast.ClassDef | None:
        """The innermost class around the node."""
        return next((found for found in self.ancestors(node) if isinstance(found, ast.ClassDef)), None)

    def loop_of(self, node: ast.AST) -> ast.AST | None:
        """The loop that a ``break`` in the node's place would leave."""
        inner = node
        for found in self.ancestors(node):
            if isinstance(found, LOOPS) and inner not in found.orelse:
                return found
            if isinstance(found, (*FUNCTIONS, ast.ClassDef)):
                return None
            inner = found
        return None

    def block_of(self, statement: ast.stmt) -> list[ast.stmt]:
        """The statements of the block that holds this one."""
        for _, value in ast.iter_fields(self.parents[statement]):
            if isinstance(value, list) and statement in value:
                return value
        return [statement]

    def beside(self, statement: ast.stmt) -> tuple[ast.stmt | None, ast.stmt | None]:
        """The statements right before and right after this one in its block."""
        block = [None, *self.block_of(statement), None]
        index = block.index(statement)
        return block[index - 1], block[index + 1]

    def indent_of(self, statement: ast.stmt) -> str | None:
        """The white space before a statement that begins its line; None when it does not."""
        start = self.segment(statement)[0]
        before = self.code[self.line_start(begins(statement)) : start]
        return before if not before.strip() else None

    def whole_lines(self, statement: ast.stmt) -> tuple[int, int] | None:
        """The lines of a statement that shares them with no other statement; None otherwise."""
        indent = self.indent_of(statement)
        if indent is None:
            return None
        start, end = self.segment(statement)
        stop = self.line_end(statement.end_lineno or statement.lineno)
        rest = self.code[end:stop].strip()
        return (start - len(indent), stop) if not rest or rest.startswith("#") else None


def begins(node: ast.stmt | ast.ExceptHandler) -> int:
    """The line on which a statement begins, the decorators of what it defines included."""
    return first_line(node) if isinstance(node, (*FUNCTIONS, ast.ClassDef)) else node.lineno


def is_read(node: ast.AST) -> bool:
    """Whether the node is neither assigned nor deleted."""
    return isinstance(getattr(node, "ctx", ast.Load()), ast.Load)


def names_in(*nodes: ast.AST) -> list[str]:
    """The names in some nodes, each as often as it stands there."""
    return [part.id for node in nodes for part in ast.walk(node) if isinstance(part, ast.Name)]


def function_called(node: ast.AST | None) -> str:
    """``f`` of a call ``f(...)``; empty for a call of anything else, and for what is no call."""
    return node.func.id if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) else ""


def attribute_of_self(node: ast.AST) -> str:
    """``x`` of ``self.x``; empty for anything else."""
    match node:
        case ast.Attribute(value=ast.Name(id="self"), attr=name):
            return name
    return ""


def method_of(owner: ast.ClassDef | None, name: str) -> Function | None:
    """The method of a class that has that name."""
    return next((one for one in methods_of(owner) if one.name == name), None)


def methods_of(owner: ast.ClassDef | None) -> list[Function]:
    """The methods of a class, in text order."""
    return [part for part in owner.body if isinstance(part, FUNCTIONS)] if owner else []


_POSITIONED = (ast.stmt, ast.expr, ast.arg, ast.keyword, ast.alias, ast.excepthandler, ast.pattern)


def _enclosed(code: str) -> bool:
    """Whether the delimiter that opens the source is the one that closes it."""
    depth = 0
    for index, character in enumerate(code):
        depth += (character in "([{") - (character in ")]}")
        if depth == 0:
            return index == len(code) - 1 and code.startswith("(")
    return False

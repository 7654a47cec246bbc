"""What every operator is made of: the mutation, the registry, and the place it works in.

A ``Context`` turns "this expression in place of that node" into span edits on the original text. It decides
nothing about what to try.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple, TypeAlias, TypeVar

from bot.domain import SpanEdit
from bot.search.examples import Examples
from bot.search.literals import relations
from bot.search.precedence import ATOM, NOT, needed
from bot.search.scopes import Scopes
from bot.search.source import Source
from sandbox.reports import TestResult

ReadT = TypeVar("ReadT")
KeyT = TypeVar("KeyT")
ValueT = TypeVar("ValueT")
_SHOWN = 40  # characters of code that an explanation quotes
_MAX_BITS = 4_096  # of an integer that is written out; Python refuses to write ones of 4,300 digits


@dataclass(frozen=True, slots=True, kw_only=True)
class Mutation:
    """One change; ``weight`` in (0, 1] compares it with the operator's other mutations."""

    edits: tuple[SpanEdit, ...]
    weight: float
    explanation: str


def together(*changes: Mutation, weight: float = 1.0, why: str) -> Mutation:
    """Several changes as one."""
    edits = tuple(edit for change in changes for edit in change.edits)
    return Mutation(edits=edits, weight=weight, explanation=why)


class Context:
    """One source file and the failures to fix, as operators see them."""

    def __init__(
        self, source: Source, failing: tuple[TestResult, ...] = (), examples: Examples | None = None
    ) -> None:
        self.source = source
        self.scopes = Scopes(source)
        self.failing = failing
        self.examples = examples or Examples()
        self._read: dict[tuple[object, ast.AST], Any] = {}

    def once(self, read: Callable[[ast.AST, Context], ReadT], node: ast.AST) -> ReadT:
        """What ``read`` makes of a function, or of the module: read when it is first wanted."""
        if (read, node) not in self._read:
            self._read[read, node] = read(node, self)
        found: ReadT = self._read[read, node]
        return found

    @cached_property
    def relations(self) -> frozenset[str]:
        """The calls that would turn the actual into the expected values."""
        return relations(self.failing)

    @cached_property
    def messages(self) -> tuple[str, ...]:
        """``Exception: message`` of each failing test."""
        return tuple(f"{result.exception}: {result.message}" for result in self.failing)

    def code(self, node: ast.AST) -> str:
        """The node's own text."""
        return self.source.source_of(node)

    def when(self, test: str, code: str) -> str:
        """``if`` with the condition ``test`` and, on a line of its own, ``code``."""
        return f"if {test}:\n{self.source.step}{code}"

    def operand(self, node: ast.AST, level: int = ATOM) -> str:
        """The node's text, in parentheses where it binds less tightly than ``level``."""
        code = self.code(node)
        loose = self.source.level_of(node) < level
        # A line break is only safe inside delimiters, and the place that the text goes to may have none.
        broken = "\n" in code and self.source.level_of(node) < ATOM
        return f"({code})" if loose or broken else code

    def put(
        self, node: ast.AST, code: str, *, level: int = ATOM, weight: float = 1.0, why: str = ""
    ) -> Mutation:
        """``code``, which binds as tightly as ``level``, in place of ``node``."""
        start, end = self.source.segment(node)
        if level < self.level_needed(node) or self._shares_parentheses(node):
            code = f"({code})"
        return self.replace(start, end, code, weight=weight, why=why)

    def put_like(self, node: ast.AST, like: ast.AST, *, weight: float = 1.0, why: str = "") -> Mutation:
        """One expression of the file in the place of another."""
        return self.put(node, self.code(like), level=self.source.level_of(like), weight=weight, why=why)

    def rename(self, node: ast.Attribute, name: str, *, weight: float = 1.0, why: str = "") -> Mutation:
        """Another attribute of the same object."""
        end = self.source.segment(node)[1]
        return self.replace(end - len(node.attr), end, name, weight=weight, why=why)

    def replace(self, start: int, end: int, code: str, *, weight: float = 1.0, why: str = "") -> Mutation:
        """``code`` in place of a stretch of the original."""
        if not why:
            old = self.source.code[start:end]
            why = f"use {quoted(code)} instead of {quoted(old)}" if old else f"insert {quoted(code)}"
        edit = SpanEdit(path=self.source.path, start=start, end=end, replacement=code)
        return Mutation(edits=(edit,), weight=weight, explanation=why)

    def exchange(self, left: ast.AST, right: ast.AST, *, weight: float = 1.0) -> Mutation:
        """Two expressions in each other's place."""
        why = f"swap {quoted(self.code(left))} and {quoted(self.code(right))}"
        return together(self.put_like(left, right), self.put_like(right, left), weight=weight, why=why)

    def without(
        self, part: ast.AST, parts: Sequence[ast.AST], *, weight: float = 1.0, why: str = ""
    ) -> Mutation:
        """One of several ``parts``, between which commas stand, taken out."""
        index = parts.index(part)
        start, end = self.source.outer(part)
        if index:
            start = self.source.outer(parts[index - 1])[1]
        else:
            end = self.source.outer(parts[1])[0]
        return self.replace(start, end, "", weight=weight, why=why)

    def level_needed(self, node: ast.AST) -> int:
        """The lowest level that may stand in the node's place; nothing is needed within delimiters."""
        parent = self.source.parents.get(node)
        if parent is None or self.source.is_parenthesised(node):
            return 0 if not isinstance(parent, ast.Call) else 1
        return needed(node, parent)

    def _shares_parentheses(self, node: ast.AST) -> bool:
        """``f(x for x in y)``: the call's parentheses are the generator's own."""
        parent = self.source.parents.get(node)
        return (
            isinstance(node, ast.GeneratorExp)
            and isinstance(parent, ast.Call)
            and self.source.segment(node)[1] == self.source.segment(parent)[1]
        )


Mutations: TypeAlias = Callable[[Any, Context], Iterator[Mutation]]


class Operator(NamedTuple):
    """One mutation operator: one kind of fault, and the changes that undo it.

    ``prior``, in (0, 1], says how likely the operator is to be the fix, against the others: it is reasoned,
    never fitted (docs/decisions/0018-priors-of-operators.md). ``kinds`` are the node types that it changes;
    ``mutations`` yields what to try on a node of one of them, and nothing where the operator does not apply.
    """

    name: str
    prior: float
    kinds: tuple[type[ast.AST], ...]
    mutations: Mutations


_REGISTERED: list[Operator] = []


def operator(
    name: str, *, prior: float, kinds: tuple[type[ast.AST], ...]
) -> Callable[[Mutations], Mutations]:
    """Register a function as the operator ``name``."""

    def register(mutations: Mutations) -> Mutations:
        _REGISTERED.append(Operator(name, prior, kinds, mutations))
        return mutations

    return register


def registered() -> tuple[Operator, ...]:
    """Each operator that is defined so far, the likeliest first.

    Raises:
        ValueError: two operators have one name, or a prior is not in (0, 1].
    """
    names = {one.name for one in _REGISTERED}
    if len(names) < len(_REGISTERED) or any(not 0 < one.prior <= 1 for one in _REGISTERED):
        raise ValueError("each operator needs a name of its own and a prior in (0, 1]")
    return tuple(sorted(_REGISTERED, key=lambda one: (-one.prior, one.name)))


def writable(number: float) -> bool:
    """Whether a number, and what is near it, can be written out in decimal."""
    return not isinstance(number, int) or number.bit_length() <= _MAX_BITS


def quoted(code: str) -> str:
    """Code as an explanation shows it: one line, not too long."""
    flat = " ".join(code.split())
    return f"`{flat if len(flat) <= _SHOWN else flat[: _SHOWN - 1] + '…'}`"


def grouped(pairs: Iterable[tuple[KeyT, ValueT]]) -> dict[KeyT, list[ValueT]]:
    """The values of each key, both in the order in which they come."""
    found: dict[KeyT, list[ValueT]] = {}
    for key, value in pairs:
        found.setdefault(key, []).append(value)
    return found


def negation(node: ast.AST, context: Context) -> tuple[str, int]:
    """The opposite of a condition and the level that it binds at."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        return context.code(node.operand), context.source.level_of(node.operand)
    return f"not {context.operand(node, NOT)}", NOT

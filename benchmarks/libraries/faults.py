"""A fault of one token or so in a line that tests execute: the kinds of slip that a person makes. Pure.

A kind is drawn first and then a place, so that no kind is most of the sample because it has many places.
"""

import ast
import random
import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import TypeVar

from bot.patch.text import decode, encode
from bot.search.source import Source, parse

_Drawn = TypeVar("_Drawn")
# What an operator becomes, by the kind of the slip.
_FLIPPED = {"==": "!=", "<": ">", "<=": ">=", "is": "is not", "in": "not in"}
_BOUNDARY = {"<": "<=", "<=": "<", ">": ">=", ">=": ">"}
_OPERATORS = {
    "comparison flipped": {**_FLIPPED, **{new: old for old, new in _FLIPPED.items()}},
    "boundary off by one": _BOUNDARY,
    "and and or swapped": {"and": "or", "or": "and"},
    "plus and minus swapped": {"+": "-", "-": "+"},
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """Characters ``start`` to ``end`` of the file at ``path`` become ``replacement``; ``line`` is 1-based."""

    path: str
    kind: str
    line: int
    start: int
    end: int
    replacement: str

    def apply(self, original: bytes) -> bytes:
        """The file with the fault."""
        code = decode(original)
        return encode(code[: self.start] + self.replacement + code[self.end :])


def drawn(files: Mapping[str, bytes], lines: Mapping[str, Collection[int]], *, seed: str) -> Iterator[Fault]:
    """Every fault that can be made in ``lines`` of ``files``, in the sequence that ``seed`` decides.

    ``lines`` are 1-based, by path.
    """
    by_kind: dict[str, list[Fault]] = defaultdict(list)
    for path in sorted(lines):
        if path in files:
            for fault in faults(path, files[path]):
                if fault.line in lines[path]:
                    by_kind[fault.kind].append(fault)
    yield from by_kind_then_place(by_kind, seed=seed)


def by_kind_then_place(by_kind: dict[str, list[_Drawn]], *, seed: str) -> Iterator[_Drawn]:
    """All of ``by_kind``, which is emptied: a kind is drawn first, then one of it, as ``seed`` decides."""
    dice = random.Random(seed)  # noqa: S311 - a sample, not a secret
    while by_kind:
        kind = dice.choice(sorted(by_kind))
        left = by_kind[kind]
        yield left.pop(dice.randrange(len(left)))
        if not left:
            del by_kind[kind]


def faults(path: str, original: bytes) -> Iterator[Fault]:
    """The faults that can be made in the file at ``path``; none where it is no program."""
    source = parse(path, decode(original))
    if source is None:
        return
    for node in ast.walk(source.tree):
        for kind, start, end, replacement in _of(node, source):
            line = source.code.count("\n", 0, start) + 1
            fault = Fault(path=path, kind=kind, line=line, start=start, end=end, replacement=replacement)
            if is_program(fault.apply(original)):
                yield fault


_Change = tuple[str, int, int, str]


def _of(node: ast.AST, source: Source) -> Iterator[_Change]:
    match node:
        case ast.Compare(left=left, ops=[_], comparators=[right]) | ast.BoolOp(values=[left, right]):
            yield from _operator(source, left, right)
        case ast.BinOp(left=left, right=right) if not (_is_string(left) or _is_string(right)):
            yield from _operator(source, left, right)
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            start, end = source.segment(node)[0], source.segment(operand)[0]
            if re.fullmatch(r"not\s+", source.code[start:end]):
                yield "not dropped", start, end, ""
        case ast.Constant(value=bool() as value):
            yield "constant changed", *source.segment(node), str(not value)
        case ast.Constant(value=int() as value) if source.source_of(node).isdigit():
            yield "constant changed", *source.segment(node), str(value + 1)
        case ast.Call(
            args=[ast.Name() | ast.Attribute() as first, ast.Name() | ast.Attribute() as second, *_]
        ):
            one, other = source.source_of(first), source.source_of(second)
            (start, after), (before, end) = source.segment(first), source.segment(second)
            if one != other:
                yield "arguments swapped", start, end, other + source.code[after:before] + one


def _operator(source: Source, left: ast.expr, right: ast.expr) -> Iterator[_Change]:
    if token := source.operator_between(left, right):
        for kind, tokens in _OPERATORS.items():
            if new := tokens.get(" ".join(token.code.split())):
                yield kind, token.start, token.end, new


def _is_string(node: ast.expr) -> bool:
    return isinstance(node, ast.JoinedStr) or (
        isinstance(node, ast.Constant) and isinstance(node.value, str | bytes)
    )


def is_program(source: bytes) -> bool:
    """Whether Python compiles ``source``."""
    try:
        compile(source, "fault", "exec", dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True

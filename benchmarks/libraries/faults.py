"""A fault of one token or so in a line that tests execute: the kinds of slip that a person makes. Pure.

A kind is drawn first and then a place, so that no kind is most of the sample because it has many places.
"""

import ast
import random
import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

_FLIPPED = {
    ast.Eq: ("==", "!="),
    ast.NotEq: ("!=", "=="),
    ast.Lt: ("<", ">"),
    ast.Gt: (">", "<"),
    ast.LtE: ("<=", ">="),
    ast.GtE: (">=", "<="),
    ast.Is: ("is", "is not"),
    ast.IsNot: ("is not", "is"),
    ast.In: ("in", "not in"),
    ast.NotIn: ("not in", "in"),
}
_BOUNDARY = {ast.Lt: ("<", "<="), ast.LtE: ("<=", "<"), ast.Gt: (">", ">="), ast.GtE: (">=", ">")}
_BOOLEAN = {ast.And: ("and", "or"), ast.Or: ("or", "and")}
_ARITHMETIC = {ast.Add: ("+", "-"), ast.Sub: ("-", "+")}
_EITHER_TEXT = (str, bytes)


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """Bytes ``start`` to ``end`` of the file at ``path`` become ``replacement``; ``line`` is 1-based."""

    path: str
    kind: str
    line: int
    start: int
    end: int
    replacement: bytes

    def apply(self, original: bytes) -> bytes:
        """The file with the fault."""
        return original[: self.start] + self.replacement + original[self.end :]


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
    dice = random.Random(seed)  # noqa: S311 - a sample, not a secret
    while by_kind:
        kind = dice.choice(sorted(by_kind))
        left = by_kind[kind]
        yield left.pop(dice.randrange(len(left)))
        if not left:
            del by_kind[kind]


def faults(path: str, source: bytes) -> Iterator[Fault]:
    """The faults that can be made in ``source``; none where it is no program or not in UTF-8."""
    try:
        source.decode()
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    places = _Source(source)
    for node in ast.walk(tree):
        for kind, start, end, replacement in _of(node, places):
            changed = Fault(
                path=path,
                kind=kind,
                line=source.count(b"\n", 0, start) + 1,
                start=start,
                end=end,
                replacement=replacement,
            )
            if _is_program(changed.apply(source)):
                yield changed


_Change = tuple[str, int, int, bytes]


class _Source:
    """Bytes by the places that the syntax tree names."""

    def __init__(self, source: bytes) -> None:
        self.bytes = source
        self._starts = [0, *(found.end() for found in re.finditer(b"\n", source))]

    def start(self, node: ast.expr) -> int:
        return self._starts[node.lineno - 1] + node.col_offset

    def end(self, node: ast.expr) -> int:
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        return self._starts[node.end_lineno - 1] + node.end_col_offset

    def of(self, node: ast.expr) -> bytes:
        return self.bytes[self.start(node) : self.end(node)]

    def between(
        self, left: ast.expr, right: ast.expr, before: str, after: str
    ) -> tuple[int, int, bytes] | None:
        """The token ``before`` between two expressions, as a change to ``after``; None if it is unclear."""
        start, end = self.end(left), self.start(right)
        word = rb"\b" if before[0].isalpha() else rb""
        pattern = word + rb"\s+".join(re.escape(part.encode()) for part in before.split()) + word
        found = list(re.finditer(pattern, self.bytes[start:end]))
        if len(found) != 1 or b"#" in self.bytes[start:end]:
            return None
        return start + found[0].start(), start + found[0].end(), after.encode()


def _of(node: ast.AST, source: _Source) -> Iterator[_Change]:
    match node:
        case ast.Compare(left=left, ops=[op], comparators=[right]):
            yield from _token("comparison flipped", source, left, right, _FLIPPED.get(type(op)))
            yield from _token("boundary off by one", source, left, right, _BOUNDARY.get(type(op)))
        case ast.BoolOp(op=op, values=[left, right]):
            yield from _token("and and or swapped", source, left, right, _BOOLEAN.get(type(op)))
        case ast.BinOp(left=left, op=op, right=right) if not (_is_text(left) or _is_text(right)):
            yield from _token("plus and minus swapped", source, left, right, _ARITHMETIC.get(type(op)))
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            start, end = source.start(node), source.start(operand)
            if re.fullmatch(rb"not\s+", source.bytes[start:end]):
                yield "not dropped", start, end, b""
        case ast.Constant(value=bool() as value):
            yield "constant changed", source.start(node), source.end(node), str(not value).encode()
        case ast.Constant(value=int() as value) if source.of(node).isdigit():
            yield "constant changed", source.start(node), source.end(node), str(value + 1).encode()
        case ast.Call(args=[first, second, *_]):
            yield from _swapped(source, first, second)


def _token(
    kind: str, source: _Source, left: ast.expr, right: ast.expr, tokens: tuple[str, str] | None
) -> Iterator[_Change]:
    if tokens and (change := source.between(left, right, *tokens)):
        yield (kind, *change)


def _swapped(source: _Source, first: ast.expr, second: ast.expr) -> Iterator[_Change]:
    if isinstance(first, ast.Starred) or isinstance(second, ast.Starred):
        return
    one, other = source.of(first), source.of(second)
    if (
        one != other
        and isinstance(first, ast.Name | ast.Attribute)
        and isinstance(second, ast.Name | ast.Attribute)
    ):
        start, end = source.start(first), source.end(second)
        yield (
            "arguments swapped",
            start,
            end,
            other + source.bytes[source.end(first) : source.start(second)] + one,
        )


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.JoinedStr) or (
        isinstance(node, ast.Constant) and isinstance(node.value, _EITHER_TEXT)
    )


def _is_program(source: bytes) -> bool:
    try:
        compile(source, "fault", "exec", dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True

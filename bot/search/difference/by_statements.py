"""A block of changed lines cut along statements: a body, a header and an ``else`` are parts of their own.

Each part is an edit of the new version that restores the old one there, as the block is.
"""

import ast
from collections.abc import Iterator, Sequence
from copy import copy
from difflib import SequenceMatcher
from itertools import accumulate
from typing import NamedTuple, TypeAlias

from bot.domain import Patch, SpanEdit
from bot.errors import PatchError
from bot.patch.apply import apply
from bot.patch.syntax import parsed
from bot.patch.text import common_ends, split_lines
from bot.search.source import begins

MAX_CHARACTERS = 400_000
"""Of a file that is cut so; it is parsed three times."""
MAX_STATEMENTS = 400
"""In one block; more take too long to match."""

_BLOCKS = ("body", "handlers", "orelse", "finalbody")
_Node: TypeAlias = ast.stmt | ast.ExceptHandler


class _Cut(NamedTuple):
    """The lines (0-based) of the new version, and those of the old one that stood there."""

    new_start: int
    new_end: int
    old_start: int
    old_end: int


class _Block(NamedTuple):
    """Statements that follow each other; the line before which the first one stands, or would."""

    nodes: Sequence[_Node]
    start: int

    def span(self, first: int, end: int) -> tuple[int, int]:
        """The lines of the statements ``first`` to ``end``; without any, the place between two lines."""
        if first < end:
            return _start(self.nodes[first]), _end(self.nodes[end - 1])
        place = _end(self.nodes[first - 1]) if first else self.start
        return place, place


def by_statements(edit: SpanEdit, text: str) -> tuple[SpanEdit, ...]:
    """The parts of ``edit``, which restores an older version in ``text``; itself where it has no parts.

    All parts together give the same code as ``edit``, comments aside.
    """
    try:
        return _parts(edit, text)
    except (RecursionError, PatchError):  # nested too deeply, or lines that only the parser ends so
        return (edit,)


def _parts(edit: SpanEdit, text: str) -> tuple[SpanEdit, ...]:
    before = text[: edit.start] + edit.replacement + text[edit.end :]
    old, new = parsed(before), parsed(text)
    if old is None or new is None or len(text) + len(before) > MAX_CHARACTERS:
        return (edit,)
    cuts = [*_blocks(_Block(old.body, 0), _Block(new.body, 0))]
    lines, now = split_lines(before), split_lines(text)
    if not cuts or any(cut.new_end > len(now) for cut in cuts):
        return (edit,)
    starts = [0, *accumulate(map(len, now))]
    found = tuple(_edit(edit.path, _trimmed(cut, lines, now), lines, starts) for cut in cuts)
    if any(one.start < edit.start or one.end > edit.end for one in found):
        return (edit,)  # it would take back what another part of the change does
    if any(one.end < len(text) and not f"\n{one.replacement}".endswith("\n") for one in found):
        return (edit,)  # the last line of the old version has no end
    again = parsed(apply(Patch(edits=found), {edit.path: text}).get(edit.path, text))
    return found if again is not None and ast.dump(again) == ast.dump(old) else (edit,)


def _trimmed(cut: _Cut, old: Sequence[str], new: Sequence[str]) -> _Cut:
    """Without the first and last lines that both versions have."""
    one, other = old[cut.old_start : cut.old_end], new[cut.new_start : cut.new_end]
    head, tail = common_ends(one, other)
    return _Cut(cut.new_start + head, cut.new_end - tail, cut.old_start + head, cut.old_end - tail)


def _edit(path: str, cut: _Cut, old: Sequence[str], starts: Sequence[int]) -> SpanEdit:
    restored = "".join(old[cut.old_start : cut.old_end])
    return SpanEdit(path=path, start=starts[cut.new_start], end=starts[cut.new_end], replacement=restored)


def _blocks(old: _Block, new: _Block) -> Iterator[_Cut]:
    """What differs in two blocks."""
    if max(len(old.nodes), len(new.nodes)) > MAX_STATEMENTS:
        yield _cut(old, (0, len(old.nodes)), new, (0, len(new.nodes)))
        return
    for kind, i1, i2, j1, j2 in _opcodes([*map(ast.dump, old.nodes)], [*map(ast.dump, new.nodes)]):
        if kind == "equal":
            continue
        names = [[*map(_name, part)] for part in (old.nodes[i1:i2], new.nodes[j1:j2])]
        for _, k1, k2, m1, m2 in _opcodes(*names):
            one, other = (i1 + k1, i1 + k2), (j1 + m1, j1 + m2)
            pairs = [*zip(old.nodes[slice(*one)], new.nodes[slice(*other)], strict=False)]
            if k2 - k1 == m2 - m1 and all(type(first) is type(second) for first, second in pairs):
                for first, second in pairs:
                    if ast.dump(first) != ast.dump(second):
                        yield from _statements(first, second)
            else:
                yield _cut(old, one, new, other)


def _name(node: _Node) -> str:
    """What two versions of a statement have in common: its kind, and what it defines, binds or calls."""
    match node:
        case ast.Assign(targets=[target, *_]) | ast.AnnAssign(target=target) | ast.AugAssign(target=target):
            about = ast.dump(target)
        case ast.Expr(value=ast.Call(func=function)):
            about = ast.dump(function)
        case _:
            about = getattr(node, "name", "")
    return f"{type(node).__name__} {about}"


def _statements(old: _Node, new: _Node) -> Iterator[_Cut]:
    """What differs in two statements of one kind: by header, body and the rest, where they have these."""
    if not (_has_block(old) and _has_block(new)):
        yield _Cut(_start(new), _end(new), _start(old), _end(old))
        return
    one, other = _body(old), _body(new)
    if _headless(old) != _headless(new):
        yield _Cut(_start(new), other.start, _start(old), one.start)
    yield from _blocks(one, other)
    yield from _rests(old, new)


def _rests(old: _Node, new: _Node) -> Iterator[_Cut]:
    """What differs behind the first block of two statements: ``elif``, ``else``, ``except``, ``finally``."""
    one, other = _tail(old), _tail(new)
    if [*map(ast.dump, one)] == [*map(ast.dump, other)]:
        return
    match old, new:
        case ast.If(orelse=[first]), ast.If(orelse=[second]) if _is_elif(old, first) and _is_elif(
            new, second
        ):
            yield from _statements(first, second)
        case ast.If(orelse=[_, *_]), ast.If(orelse=[_, *_]) if not (
            _is_elif(old, one[0]) or _is_elif(new, other[0])
        ):
            yield from _blocks(_Block(one, _start(one[0])), _Block(other, _start(other[0])))
        case ast.Try(handlers=[*firsts]), ast.Try(handlers=[*seconds]) if (
            len(one) == len(firsts) == len(seconds) == len(other)
        ):
            for first_one, second_one in zip(firsts, seconds, strict=True):
                if ast.dump(first_one) != ast.dump(second_one):
                    yield from _statements(first_one, second_one)
        case _:
            ends = _end(_body(new).nodes[-1]), _end(_body(old).nodes[-1])
            yield _Cut(ends[0], _end(new), ends[1], _end(old))


def _is_elif(node: ast.If, following: _Node) -> bool:
    return isinstance(following, ast.If) and following.col_offset == node.col_offset


def _opcodes(old: Sequence[str], new: Sequence[str]) -> Sequence[tuple[str, int, int, int, int]]:
    return SequenceMatcher(None, old, new, autojunk=False).get_opcodes()


def _cut(old: _Block, one: tuple[int, int], new: _Block, other: tuple[int, int]) -> _Cut:
    return _Cut(*new.span(*other), *old.span(*one))


def _has_block(node: _Node) -> bool:
    """Whether it has a block on lines of its own."""
    body = getattr(node, "body", None)
    return isinstance(body, list) and bool(body) and body[0].lineno > node.lineno


def _body(node: _Node) -> _Block:
    nodes: list[_Node] = getattr(node, "body", [])
    return _Block(nodes, _start(nodes[0]))


def _headless(node: _Node) -> str:
    """All of a statement but its blocks."""
    bare = copy(node)
    for name in _BLOCKS:
        if hasattr(bare, name):
            setattr(bare, name, [])
    return ast.dump(bare)


def _tail(node: _Node) -> list[_Node]:
    """What stands behind the first block."""
    return [one for name in _BLOCKS[1:] for one in getattr(node, name, [])]


def _start(node: _Node) -> int:
    return begins(node) - 1


def _end(node: _Node) -> int:
    return node.end_lineno or node.lineno

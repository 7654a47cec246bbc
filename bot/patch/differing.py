"""The statements in which two versions of a module differ: rules that compare both need not read the rest."""

import ast
import re
from typing import NamedTuple

from bot.patch.syntax import parsed, parsed_once, with_body
from bot.patch.text import common_ends

_CODING = re.compile(r"#.*coding[:=](?!\s*utf-?8\b)")


class Differing(NamedTuple):
    """Two modules with the statements that differ, at their own lines; of a class that differs, its own."""

    old: ast.Module
    new: ast.Module


class _Common(NamedTuple):
    """How many first lines two texts share, after which line the last ones do, and how far these moved."""

    first: int
    old_last: int
    moved: int


def differing(old: str, new: str) -> Differing | None:
    """The parts of two texts that differ; None where one of them does not parse."""
    one, two = parsed_once(old), parsed(new)
    if one is None or two is None:
        return None
    lines, new_lines = old.split("\n"), new.split("\n")
    if "\r" in old or "\r" in new or _is_coded(lines) or _is_coded(new_lines):
        return Differing(one, two)  # the parser's lines, or its characters, may be others
    first, last = common_ends(lines, new_lines)
    common = _Common(first, len(lines) - last, len(new_lines) - len(lines))
    left, right = _apart(one.body, two.body, common, beside=1)
    return Differing(with_body(one, left), with_body(two, right))


def _apart(
    old: list[ast.stmt], new: list[ast.stmt], common: _Common, *, beside: int = 0
) -> tuple[list[ast.stmt], list[ast.stmt]]:
    """Both without the statements that lie in the common lines; of two versions of one class the same.

    As many common ones as ``beside`` says are left before and behind: some rules look at neighbours.
    """
    head, tail, most = 0, 0, min(len(old), len(new))
    while head < most and _is_moved(old[head], new[head], 0) and _lines(old[head])[1] <= common.first:
        head += 1
    while tail < most - head and _is_moved(old[-1 - tail], new[-1 - tail], common.moved):
        if _lines(old[-1 - tail])[0] <= common.old_last:
            break
        tail += 1
    head, tail = max(0, head - beside), max(0, tail - beside)
    left, right = old[head : len(old) - tail], new[head : len(new) - tail]
    if len(left) != len(right):
        return left, right
    pairs = [_narrowed(one, other, common) for one, other in zip(left, right, strict=True)]
    return [one for one, _other in pairs], [other for _one, other in pairs]


def _narrowed(old: ast.stmt, new: ast.stmt, common: _Common) -> tuple[ast.stmt, ast.stmt]:
    if isinstance(old, ast.ClassDef) and isinstance(new, ast.ClassDef) and old.name == new.name:
        left, right = _apart(old.body, new.body, common)
        return with_body(old, left), with_body(new, right)
    return old, new


def _is_moved(old: ast.stmt, new: ast.stmt, lines: int) -> bool:
    """Whether both are of one kind, and ``new`` stands so many lines below, at the same columns."""
    (start, end), columns = _lines(old), (old.col_offset, old.end_col_offset)
    return (
        type(old) is type(new)
        and _lines(new) == (start + lines, end + lines)
        and (new.col_offset, new.end_col_offset) == columns
    )


def _lines(node: ast.stmt) -> tuple[int, int]:
    """Its first line, with decorators, and its last one."""
    decorators = [one.lineno for one in getattr(node, "decorator_list", ())]
    return min([node.lineno, *decorators]), node.end_lineno or node.lineno


def _is_coded(lines: list[str]) -> bool:
    """Whether a text says that it is in another encoding (PEP 263)."""
    return any(_CODING.search(line) for line in lines[:2])

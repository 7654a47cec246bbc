"""The statements in which two versions of a module differ: rules that compare both need not read the rest."""

import ast
from typing import NamedTuple

from bot.patch.syntax import parsed, parsed_once, with_body
from bot.patch.text import common_ends


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
    if "\r" in old or "\r" in new:
        return Differing(one, two)  # the parser's lines may be others
    lines, new_lines = old.split("\n"), new.split("\n")
    first, last = common_ends(lines, new_lines)
    common = _Common(first, len(lines) - last, len(new_lines) - len(lines))
    left, right = _apart(one.body, two.body, common)
    return Differing(with_body(one, left), with_body(two, right))


def _apart(
    old: list[ast.stmt], new: list[ast.stmt], common: _Common
) -> tuple[list[ast.stmt], list[ast.stmt]]:
    """Both without the statements that lie in the common lines; of two versions of one class the same."""
    head, tail, most = 0, 0, min(len(old), len(new))
    while head < most and _is_before(old[head], new[head], common):
        head += 1
    while tail < most - head and _is_behind(old[-1 - tail], new[-1 - tail], common):
        tail += 1
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


def _is_before(old: ast.stmt, new: ast.stmt, common: _Common) -> bool:
    return _lines(old) == _lines(new) and _lines(old)[1] <= common.first


def _is_behind(old: ast.stmt, new: ast.stmt, common: _Common) -> bool:
    (start, end), moved = _lines(old), common.moved
    return _lines(new) == (start + moved, end + moved) and start > common.old_last


def _lines(node: ast.stmt) -> tuple[int, int]:
    """Its first line, with decorators, and its last one."""
    decorators = [one.lineno for one in getattr(node, "decorator_list", ())]
    return min([node.lineno, *decorators]), node.end_lineno or node.lineno

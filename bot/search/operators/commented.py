"""Code that was commented out and should be back: tried for a while, and forgotten."""

import ast
import re
import textwrap
from collections.abc import Iterator

from bot.patch.syntax import parsed
from bot.search.operators.base import Context, Mutation, operator, quoted

_COMMENT = re.compile(r"^([ \t]*)#[ \t]?(.*?)(\r?\n|\r|\Z)", re.MULTILINE)
_MAX_LINES = 8
# What a sentence in a comment parses as.
_PROSE = (ast.Name, ast.Constant, ast.Attribute, ast.Tuple, ast.Compare, ast.BinOp, ast.BoolOp, ast.UnaryOp)


@operator("commented code", prior=0.5, kinds=(ast.stmt,))
def commented_code(node: ast.stmt, context: Context) -> Iterator[Mutation]:
    """``# code`` above or below a statement: ``code``."""
    code = context.source.code
    start, end = context.source.segment(node)
    first = code.rfind("\n", 0, start) + 1
    above = list(_comments_before(code, first))
    below = list(_comments_after(code, code.find("\n", end) + 1 or len(code)))
    for group in (*_groups(above), *_groups(below)):
        written = _code_of(group)
        if written:
            why = f"use what is commented out: {quoted(written)}"
            yield context.replace(group[0].start(), group[-1].end(), written, why=why)


def _comments_before(code: str, place: int) -> list[re.Match[str]]:
    """The comment lines right above ``place``, which begins a line; the lowest last."""
    found: list[re.Match[str]] = []
    while place > 0:
        first = code.rfind("\n", 0, place - 1) + 1
        match = _COMMENT.match(code, first)
        if match is None or match.end() != place:
            break
        found.insert(0, match)
        place = first
    return found


def _comments_after(code: str, place: int) -> list[re.Match[str]]:
    """The comment lines from ``place`` on, which begins a line."""
    found: list[re.Match[str]] = []
    while place < len(code) and (match := _COMMENT.match(code, place)):
        found.append(match)
        place = match.end()
    return found


def _groups(lines: list[re.Match[str]]) -> Iterator[list[re.Match[str]]]:
    """Runs of lines, the longest first."""
    for size in range(min(len(lines), _MAX_LINES), 0, -1):
        yield from (lines[first : first + size] for first in range(len(lines) - size + 1))


def _code_of(lines: list[re.Match[str]]) -> str:
    """The lines without their marks; empty where they are prose."""
    bare = [line.group(2) for line in lines]
    tree = parsed(textwrap.dedent("\n".join(bare)))
    if tree is None or not tree.body or any(map(_is_prose, tree.body)):
        return ""
    indent = lines[0].group(1)
    return "".join(f"{indent}{text}{line.group(3)}" for text, line in zip(bare, lines, strict=True))


def _is_prose(node: ast.stmt) -> bool:
    match node:
        case ast.Expr(value=value):
            return isinstance(value, _PROSE)
        case ast.AnnAssign(value=None):
            return True
    return False

"""Text where bytes are wanted, and bytes where text is."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from bot.search.direct.changes import callee_name, put_like, suffixed
from bot.search.direct.failure import Failure
from bot.search.direct.operands import pairs_of
from bot.search.direct.project import Project, Spot
from bot.search.direct.rule import Rule, rule
from bot.search.operators.base import Context, Mutation


def _bytes_or_text(match: re.Match[str], failure: Failure, project: Project) -> Iterator[Mutation]:
    """``must be str, not bytes``, ``a bytes-like object is required, not 'str'``."""
    wants_text = (
        "str, not" in match.group() or "decoding" in match.group() or "string pattern" in match.group()
    )
    suffix = ".decode()" if wants_text else ".encode()"
    for spot in project.spots(failure):
        context = spot.context
        for call in spot.of(ast.Call):
            if callee_name(call) in {"encode", "decode"} and isinstance(call.func, ast.Attribute):
                yield put_like(call, call.func.value, context, 0.7)
            for argument in call.args:
                if not isinstance(argument, ast.Starred):
                    yield from _as_kind(argument, suffix, context, 0.95)
            if isinstance(call.func, ast.Attribute):
                yield from _as_kind(call.func.value, suffix, context, 0.85)
        for left, right, _ in pairs_of(spot):
            for operand in (right, left):
                yield from _as_kind(operand, suffix, context, 0.9)
        yield from _modes(spot, wants_text=wants_text)
        return


def _as_kind(node: ast.expr, suffix: str, context: Context, weight: float) -> Iterator[Mutation]:
    if isinstance(node, ast.Constant):
        start = context.source.segment(node)[0]
        if isinstance(node.value, str) and suffix == ".encode()" and node.value.isascii():
            yield context.replace(start, start, "b", weight=weight + 0.03, why="make it bytes")
        elif isinstance(node.value, bytes) and suffix == ".decode()":
            yield context.replace(start, start + 1, "", weight=weight + 0.03, why="make it text")
    elif not isinstance(getattr(node, "ctx", None), ast.Store):
        yield suffixed(node, suffix, context, weight)


def _modes(spot: Spot, *, wants_text: bool) -> Iterator[Mutation]:
    """The mode that the file was opened with, somewhere in the function."""
    context = spot.context
    for node in context.scopes.region(spot.statement):
        if isinstance(node, ast.Call) and callee_name(node) == "open":
            modes = [*node.args[1:2], *(word.value for word in node.keywords if word.arg == "mode")]
            for mode in modes:
                if isinstance(mode, ast.Constant) and isinstance(mode.value, str):
                    other = mode.value.replace("b", "") if "b" in mode.value else mode.value + "b"
                    yield context.put(mode, repr(other), weight=0.9)
            if not modes and wants_text is False and node.args:
                end = context.source.segment(node.args[0])[1]
                yield context.replace(end, end, ', "rb"', weight=0.85)
                yield context.replace(end, end, ', "wb"', weight=0.84)


ENCODINGS: tuple[Rule, ...] = (
    rule(
        "bytes or text",
        "TypeError",
        r"must be str, not|(?:bytes-like object is required|must be bytes), not|decoding str is not"
        r"|expected str, bytes|cannot use a (?:string|bytes) pattern"
        r"|(?:Unicode-objects|Strings) must be encoded"
        r"|string argument without an encoding",
        _bytes_or_text,
    ),
)

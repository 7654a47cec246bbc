"""Text where bytes are wanted, bytes where text is, and what is neither."""

import ast
import re
from collections.abc import Iterator

from bot.search.operators.base import Context, Mutation
from bot.search.templates.changes import callee_name, put_like, suffixed, wrapped
from bot.search.templates.failure import Failure
from bot.search.templates.none_values import nothing_fixes
from bot.search.templates.project import Project, Spot
from bot.search.templates.template import Template, template

_MIXED = frozenset({"str", "bytes", "bytearray", "memoryview"})
_MARK = re.compile(r"[rR]?[bB]")  # what makes a literal bytes


def _not_text(match: re.Match[str], failure: Failure, project: Project) -> Iterator[Mutation]:
    """``must be str, not bytes``."""
    yield from _converted(match.group(1), failure, project, wants_text=True)


def _not_bytes(match: re.Match[str], failure: Failure, project: Project) -> Iterator[Mutation]:
    """``a bytes-like object is required, not 'str'``."""
    yield from _converted(match.group(1) or "str", failure, project, wants_text=False)


def _converted(kind: str, failure: Failure, project: Project, *, wants_text: bool) -> Iterator[Mutation]:
    """What is handed over made what is wanted, or the other side made what this is."""
    here, there = (".decode()", ".encode()") if wants_text else (".encode()", ".decode()")
    for spot in project.spots(failure):
        context = spot.context
        for call in spot.of(ast.Call):
            if kind in _MIXED and callee_name(call) == there[1:-2] and isinstance(call.func, ast.Attribute):
                yield put_like(call, call.func.value, context, 0.97)
            for argument in call.args:
                if not isinstance(argument, ast.Starred):
                    yield from _handed(argument, kind, here, spot, project)
            if kind in _MIXED and isinstance(call.func, ast.Attribute):
                yield from _as_kind(call.func.value, there, context, 0.85)
        for compared in spot.of(ast.Compare):
            yield from _handed(compared.left, kind, here, spot, project)
            if kind in _MIXED:
                yield from _as_kind(compared.comparators[0], there, context, 0.9)
        if kind in _MIXED:
            yield from _modes(spot, wants_text=wants_text)
        return


def _handed(node: ast.expr, kind: str, suffix: str, spot: Spot, project: Project) -> Iterator[Mutation]:
    """What was handed over, of type ``kind``, as text or bytes."""
    if kind in _MIXED:
        yield from _as_kind(node, suffix, spot.context, 0.95)
    elif kind in {"None", "NoneType"}:
        yield from nothing_fixes(node, spot, project)
    elif not (isinstance(node, ast.Constant) and isinstance(node.value, (str, bytes))):
        code = wrapped(node, "str", spot.context, 0.95)
        if suffix == ".encode()":
            code = spot.context.put(node, f"str({spot.context.code(node)}).encode()", weight=0.95)
        yield code
        if kind == "list":
            yield wrapped(node, "tuple", spot.context, 0.97)


def _pattern(match: re.Match[str], failure: Failure, project: Project) -> Iterator[Mutation]:
    """``re.search("a", line)`` where the line is bytes; the pattern may be compiled elsewhere."""
    of_text = match.group(1) == "string"
    marked, suffix = (".encode()", ".decode()") if of_text else (".decode()", ".encode()")
    for spot in project.spots(failure):
        for call in spot.of(ast.Call):
            for argument in call.args:
                if isinstance(argument, ast.Constant):
                    yield from _as_kind(argument, marked, spot.context, 0.93 if of_text else 0.95)
                elif not isinstance(argument, ast.Starred):
                    yield from _as_kind(argument, suffix, spot.context, 0.95)
        yield from _modes(spot, wants_text=of_text)
        return


def _decoded_already(match: re.Match[str], failure: Failure, project: Project) -> Iterator[Mutation]:
    """``str(text, "utf-8")``: only bytes are decoded."""
    del match
    for spot in project.spots(failure):
        for call in spot.of(ast.Call):
            if callee_name(call) == "str" and len(call.args) + len(call.keywords) > 1 and call.args:
                code = spot.context.code(call.args[0])
                yield spot.context.put(call, f"str({code})", weight=0.97)
                yield put_like(call, call.args[0], spot.context, 0.95)
        return


def _as_kind(node: ast.expr, suffix: str, context: Context, weight: float) -> Iterator[Mutation]:
    if isinstance(node, ast.Constant):
        start = context.source.segment(node)[0]
        mark = _MARK.match(context.code(node))
        if isinstance(node.value, str) and suffix == ".encode()" and node.value.isascii():
            yield context.replace(start, start, "b", weight=weight + 0.03, why="make it bytes")
        elif mark and suffix == ".decode()":
            end = start + mark.end()
            yield context.replace(end - 1, end, "", weight=weight + 0.03, why="make it text")
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
                    code = context.code(mode)
                    other = code.replace("b", "") if "b" in mode.value else f"{code[:-1]}b{code[-1]}"
                    yield context.put(mode, other, weight=0.9)
            if not modes and wants_text is False and node.args:
                end = context.source.segment(node.args[0])[1]
                yield context.replace(end, end, ', "rb"', weight=0.88)
                yield context.replace(end, end, ', "wb"', weight=0.84)


_KIND = r" '?(?:[\w.]+\.)?(\w+)"

TEMPLATES: tuple[Template, ...] = (
    template(
        "text wanted",
        "TypeError",
        r"(?:must be str(?: or None| or a tuple of str)?, not|string argument expected, got"
        r"|(?:must be|expected) str, bytes,? or os\.PathLike object, not"
        r"|requires string as left operand, not)" + _KIND,
        _not_text,
    ),
    template(
        "bytes wanted",
        "TypeError",
        r"(?:bytes-like object is required|must be bytes(?: or a tuple of bytes)?), not"
        + _KIND
        + r"|(?:Unicode-objects|Strings) must be encoded|string argument without an encoding",
        _not_bytes,
    ),
    template("pattern's kind", "TypeError", r"cannot use a (string|bytes) pattern", _pattern),
    template(
        "decoded already", "TypeError", r"decoding (?:str is not supported|to str: need)", _decoded_already
    ),
)

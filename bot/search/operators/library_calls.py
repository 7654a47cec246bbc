"""Calls of the standard library in the wrong form: its documentation warns of each.

Text that is read as a pattern, flags that are missing, formats of dates, paths and addresses that begin
with a slash, members of enumerations by value and by name, and time zones that are set where they should be
converted.
"""

import ast
import re
from collections.abc import Iterator

from bot.patch.syntax import last_name
from bot.search.operators.arguments import argued
from bot.search.operators.base import Context, Mutation, operator
from bot.search.operators.patterns import OF_PATTERNS
from bot.search.precedence import ATOM

_FLAGS = ("re.IGNORECASE", "re.MULTILINE", "re.DOTALL")
_SPLITTING = frozenset({"split", "rsplit", "partition", "rpartition"})
_CODE = re.compile(r"%[a-zA-Z]")
_CODES = {
    "%Y": ("%y", "%G"),  # the year of an ISO week is not the calendar's
    "%y": ("%Y",), "%G": ("%Y",), "%V": ("%W", "%U"), "%W": ("%V", "%U"), "%U": ("%V", "%W"), "%w": ("%u",),
    "%u": ("%w",), "%j": ("%d",), "%m": ("%d", "%M"), "%M": ("%m",), "%d": ("%m",), "%H": ("%I",),
    "%I": ("%H",), "%b": ("%B",), "%B": ("%b",), "%a": ("%A",), "%A": ("%a",),
}  # fmt: skip


@operator("text as pattern", prior=0.55, kinds=(ast.Call,))
def text_as_pattern(node: ast.Call, context: Context) -> Iterator[Mutation]:
    """A variable that is read as a pattern: ``re.escape(name)``; or a pattern without a flag."""
    if not isinstance(node.func, ast.Attribute) or node.func.attr not in OF_PATTERNS or not node.args:
        return
    if not isinstance(node.func.value, ast.Name) or node.func.value.id != "re":
        return
    pattern = node.args[0]
    for held in _put_into(pattern):
        if isinstance(held, (ast.Name, ast.Attribute)):
            # A constant of the file is a pattern more often than not.
            weight = 0.4 if last_name(held).isupper() else 0.8
            yield context.put(held, f"re.escape({context.code(held)})", weight=weight)
    if not any(one.arg == "flags" for one in node.keywords):
        for rank, flag in enumerate(_FLAGS):
            yield argued(node, f"flags={flag}", context, weight=0.6 / (1 + 0.5 * rank), why=f"pass `{flag}`")


def _put_into(pattern: ast.expr) -> list[ast.expr]:
    """What a pattern is made of: the parts of an f-string, of a sum, of ``%``; else the whole."""
    match pattern:
        case ast.JoinedStr(values=values):
            return [part.value for part in values if isinstance(part, ast.FormattedValue)]
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            return [*_put_into(left), *_put_into(right)]
        case ast.BinOp(op=ast.Mod(), right=ast.Tuple(elts=values)):
            return values
        case ast.BinOp(op=ast.Mod(), right=value):
            return [value]
        case ast.Call(func=ast.Attribute(attr="format"), args=values):
            return values
    return [pattern]


@operator("format of a date", prior=0.5, kinds=(ast.Constant,))
def format_of_date(node: ast.Constant, context: Context) -> Iterator[Mutation]:
    """``%M`` are minutes and ``%m`` is the month; ``%y`` has two digits."""
    if not isinstance(node.value, str) or not _CODE.search(node.value):
        return
    start, code = context.source.segment(node)[0], context.code(node)
    for match in _CODE.finditer(code):
        for rank, other in enumerate(_CODES.get(match.group(), ())):
            place = start + match.start()
            yield context.replace(place, place + 2, other, weight=1 / (1 + 0.3 * rank))


@operator("slash in the way", prior=0.4, kinds=(ast.Call,))
def slash_in_the_way(node: ast.Call, context: Context) -> Iterator[Mutation]:
    """A part that begins with a slash replaces what was joined before; a base without one loses its end."""
    name = last_name(node.func)
    if name not in {"join", "joinpath", "urljoin"} or len(node.args) < 2 - (name == "joinpath"):
        return
    for part in node.args[0 if name == "joinpath" else 1 :]:
        if not isinstance(part, (ast.Constant, ast.Starred)):
            yield context.put(part, f'{context.operand(part)}.lstrip("/")')
    if name == "urljoin":
        base = f'{context.operand(node.args[0])}.rstrip("/") + "/"'
        yield context.put(node.args[0], base, level=1, weight=0.8)


@operator("member by value or name", prior=0.4, kinds=(ast.Call, ast.Subscript))
def member_by_value_or_name(node: ast.Call | ast.Subscript, context: Context) -> Iterator[Mutation]:
    """``Color(text)`` finds a member by its value, ``Color[text]`` by its name."""
    match node:
        case ast.Call(func=ast.Name(id=name), args=[given], keywords=[]) if name[:1].isupper():
            yield context.put(node, f"{name}[{context.code(given)}]", weight=0.6)
            yield context.put(node, f"{name}[{context.operand(given)}.upper()]", weight=0.4)
        case ast.Subscript(value=ast.Name(id=name), slice=given, ctx=ast.Load()) if name[:1].isupper():
            if not name.isupper() and not isinstance(given, (ast.Slice, ast.Tuple)):
                yield context.put(node, f"{name}({context.code(given)})")


@operator("time zone", prior=0.5, kinds=(ast.Call,))
def time_zone(node: ast.Call, context: Context) -> Iterator[Mutation]:
    """``replace(tzinfo=zone)`` says what a time means, ``astimezone(zone)`` converts it."""
    match node:
        case ast.Call(
            func=ast.Attribute(attr="replace", value=held), keywords=[ast.keyword(arg="tzinfo", value=zone)]
        ):
            yield context.put(node, f"{context.operand(held, ATOM)}.astimezone({context.code(zone)})")
        case ast.Call(func=ast.Attribute(attr="astimezone", value=held), args=[zone]):
            yield context.put(node, f"{context.operand(held, ATOM)}.replace(tzinfo={context.code(zone)})")


@operator("spaces around parts", prior=0.35, kinds=(ast.Call,))
def spaces_around_parts(node: ast.Call, context: Context) -> Iterator[Mutation]:
    """``line.split("=")`` leaves the spaces around each part where they are."""
    if not isinstance(node.func, ast.Attribute) or node.func.attr not in _SPLITTING or not node.args:
        return
    code = context.code(node)
    match context.source.parents[node]:
        case ast.Assign(targets=[ast.Tuple() | ast.List()]) | ast.For() | ast.comprehension() | ast.Starred():
            yield context.put(node, f"map(str.strip, {code})")
        case ast.Assign() | ast.AnnAssign() | ast.Return() | ast.keyword() | ast.Call():
            yield context.put(node, f"[part.strip() for part in {code}]", weight=0.8)

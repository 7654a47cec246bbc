"""Calls of the standard library in the wrong form: its documentation warns of each.

Text that is read as a pattern, flags that are missing, formats of dates, spaces around parts.
"""

import ast
import re
from collections.abc import Iterator

from bot.patch.syntax import last_name
from bot.search.operators.arguments import argued
from bot.search.operators.base import Context, Mutation, operator
from bot.search.operators.patterns import OF_PATTERNS

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

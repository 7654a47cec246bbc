"""Format specifications: a width, a precision or a type that is missing, or another one."""

import ast
import re
from collections.abc import Iterator

from bot.search.operators.base import Context, Mutation, operator
from bot.search.source import function_called

_SPEC = re.compile(r"(?<!\{)\{([^{}:!]*)(![rsa])?(:[^{}]*)?\}(?!\})")
_PERCENT = re.compile(r"%(-?0?\d*)(\.\d+)?([dfsgeix])")
_SPECS = ("", ":.2f", ":.1f", ":02d", ":,", ":.0f", ":d", ":,.2f", ":.3f", ":03d", ":.1%", ":.0%", ":x", "!r")


@operator("format spec", prior=0.35, kinds=(ast.JoinedStr, ast.Constant))
def format_spec(node: ast.AST, context: Context) -> Iterator[Mutation]:
    """``{price}`` where ``{price:.2f}`` was meant, or another width or precision."""
    parent = context.source.parents[node]
    if isinstance(node, ast.Constant):
        if not isinstance(node.value, str) or isinstance(parent, (ast.JoinedStr, ast.Expr)):
            return
        yield from _percent(node, parent, context)
        if not isinstance(parent, ast.Attribute) or parent.attr != "format":
            yield from _bare(node, parent, context)
            return
    start, code = context.source.segment(node)[0], context.code(node)
    for match in _SPEC.finditer(code):
        first, second = match.span(3) if match.group(3) else (match.end() - 1, match.end() - 1)
        own = match.group(3) or ""
        for spec in _near_specs(own):
            if not (spec.startswith("!") and match.group(2)):
                yield context.replace(start + first, start + second, spec, weight=0.9 if own else 0.6)


def _percent(node: ast.Constant, parent: ast.AST, context: Context) -> Iterator[Mutation]:
    if not (isinstance(parent, ast.BinOp) and isinstance(parent.op, ast.Mod) and parent.left is node):
        return
    start, code = context.source.segment(node)[0], context.code(node)
    for match in _PERCENT.finditer(code):
        for other in ("%s", "%d", "%.2f", "%.1f", "%02d", "%.0f", "%r", "%03d", "%x"):
            if other != match.group():
                yield context.replace(start + match.start(), start + match.end(), other, weight=0.8)


def _bare(node: ast.Constant, parent: ast.AST, context: Context) -> Iterator[Mutation]:
    """``format(x, ".1f")``."""
    format_call = isinstance(parent, ast.Call) and function_called(parent) == "format"
    if format_call and isinstance(parent, ast.Call) and len(parent.args) == 2 and parent.args[1] is node:
        for spec in _near_specs(":" + str(node.value)):
            if spec.startswith(":"):
                yield context.put(node, f'"{spec[1:]}"', weight=0.9)


def _near_specs(own: str) -> Iterator[str]:
    """Specifications near ``own``: its digits one off, then the usual ones."""
    for match in re.finditer(r"(?<!\d)\d{1,9}(?!\d)", own):  # longer widths are nobody's
        for step in (1, -1):
            number = int(match.group()) + step
            if number >= 0:
                zeros = "0" if match.group().startswith("0") and len(match.group()) > 1 else ""
                yield f"{own[: match.start()]}{zeros}{number}{own[match.end() :]}"
    for sign, other in (("<", ">"), (">", "<"), ("^", "<"), ("<", "^"), (">", "^"), ("f", "d"), ("x", "X")):
        if sign in own:
            yield own.replace(sign, other)
    if own and own[1:2].isdigit() and own[1] != "0":
        yield ":0" + own[1:]
        yield ":>" + own[1:]
    yield from (spec for spec in _SPECS if spec != own)

"""Format specifications: a width, a precision or a type that is missing, or another one."""

import ast
import re
from collections.abc import Iterator

from bot.search.operators.base import Context, Mutation, operator

_SPEC = re.compile(r"(?<!\{)\{([^{}:!]*)(![rsa])?(:[^{}]*)?\}(?!\})")
_SPECS = ("", ":.2f", ":.1f", ":02d", ":,", ":.0f", ":d", ":,.2f", ":.3f", ":03d", ":.1%", ":.0%", ":x", "!r")


@operator("format spec", prior=0.35, kinds=(ast.JoinedStr, ast.Constant))
def format_spec(node: ast.AST, context: Context) -> Iterator[Mutation]:
    """``{price}`` where ``{price:.2f}`` was meant, or another width or precision."""
    parent = context.source.parents[node]
    if isinstance(node, ast.Constant) and getattr(parent, "attr", "") != "format":
        return
    start, code = context.source.segment(node)[0], context.code(node)
    for match in _SPEC.finditer(code):
        first, second = match.span(3) if match.group(3) else (match.end() - 1, match.end() - 1)
        own = match.group(3) or ""
        for spec in _near_specs(own):
            if not (spec.startswith("!") and match.group(2)):
                yield context.replace(start + first, start + second, spec, weight=0.9 if own else 0.6)


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

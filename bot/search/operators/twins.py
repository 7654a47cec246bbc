"""A statement for one of two names that belong together, which the other one lacks: ``low`` and ``high``.

Code for two ends, sides or axes is written twice, and one of the two is easily forgotten ("Clone" faults:
CP-Miner, Li et al., OSDI 2004).
"""

import ast
import re
from collections.abc import Iterator

from bot.search.operators.base import Context, Mutation, operator
from bot.search.operators.statements import inserted
from bot.search.source import names_in

_PAIRS = (
    *("min max", "minimum maximum", "low high", "lower upper", "start end", "start stop", "begin end"),
    *("first last", "left right", "top bottom", "head tail", "x y", "width height", "row column"),
    *("rows columns", "before after", "old new", "source target", "src dst", "prefix suffix"),
    *("include exclude", "positive negative", "major minor", "previous next", "key value", "in out"),
)
_OTHER = {one: other for pair in map(str.split, _PAIRS) for one, other in (pair, pair[::-1])}
_MAX_LINES = 4
_TURNED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}
_RELATION = re.compile(r"(?<![-<>=])(<=?|>=?)(?![<>=])")


@operator("the other of two", prior=0.35, kinds=(ast.If, ast.Assign, ast.AugAssign, ast.Expr))
def other_of_two(
    node: ast.If | ast.Assign | ast.AugAssign | ast.Expr, context: Context
) -> Iterator[Mutation]:
    """What is done for ``low`` done for ``high`` as well, with or without the relations turned."""
    indent = context.source.indent_of(node)
    code = context.code(node)
    lines = (node.end_lineno or node.lineno) - node.lineno + 1
    if indent is None or lines > _MAX_LINES or (isinstance(node, ast.If) and node.orelse):
        return
    known = {*context.scopes.variables(node), *context.scopes.attribute_names}
    held = dict.fromkeys([*names_in(node), *_attributes(node)])
    for name in held:
        other = _other(name)
        if other not in known or other in held:
            continue
        text = re.sub(rf"\b{name}\b", other, code).replace(f"\n{indent}", "\n")
        turned = _RELATION.sub(lambda found: _TURNED[found.group()], text)
        for rank, again in enumerate(dict.fromkeys((text, turned))):
            if not _stands(again, node, context):
                yield from inserted(node, again, context, weight=1.0 - 0.2 * rank)


def _attributes(node: ast.AST) -> list[str]:
    return [part.attr for part in ast.walk(node) if isinstance(part, ast.Attribute)]


def _other(name: str) -> str:
    """The name that belongs to ``name``; empty where there is none."""
    words = name.split("_")
    for place, word in enumerate(words):
        if word in _OTHER:
            return "_".join([*words[:place], _OTHER[word], *words[place + 1 :]])
    return ""


def _stands(code: str, node: ast.stmt, context: Context) -> bool:
    """Whether the function has the statement already."""
    return any(
        "".join(context.code(part).split()) == "".join(code.split())
        for part in context.scopes.region(node)
        if isinstance(part, type(node))
    )

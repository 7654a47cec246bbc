"""Lists and tuples of names: one too many, one that is missing, of the wrong kind.

``isinstance(token, (Name, Number))``, the columns of a table. What is written in
text and numbers is in ``filters``. "Items of a literal" are one in twenty of the small fixes of public
projects (``docs/results/data/fixes.csv``).
"""

import ast
import re
from collections import Counter
from collections.abc import Iterator, Sequence

from bot.search.operators.base import Context, Mutation, operator
from bot.search.source import is_read

_MAX_NEW = 8
_KINDS = re.compile(r"(?<![\w.])(list|tuple)(?![\w.])")


@operator("named item", prior=0.3, kinds=(ast.List, ast.Tuple, ast.Set))
def named_item(node: ast.List | ast.Tuple | ast.Set, context: Context) -> Iterator[Mutation]:
    """One name more, of those that the file reads from the same place; or one less."""
    apart = isinstance(context.source.parents[node], (ast.Return, ast.Subscript, ast.Yield))
    if apart or not is_read(node) or len(node.elts) < 2 or not all(map(_is_name, node.elts)):
        return
    end = context.source.segment(node.elts[-1])[1]
    for rank, code in enumerate(_alike(node.elts, context)):
        why = f"add the item `{code}`"
        yield context.replace(end, end, f", {code}", weight=0.8 / (1 + 0.2 * rank), why=why)
    for part in node.elts if len(node.elts) > 2 or not isinstance(node, ast.Tuple) else ():
        why = f"drop the item `{context.code(part)}`"
        yield context.without(part, node.elts, weight=0.5, why=why)


@operator("one more type", prior=0.3, kinds=(ast.Call,))
def one_more_type(node: ast.Call, context: Context) -> Iterator[Mutation]:
    """``isinstance(node, Negation)`` that forgets another class of the same place."""
    match node:
        case ast.Call(func=ast.Name(id="isinstance" | "issubclass"), args=[_, kind]) if _is_name(kind):
            for rank, code in enumerate(_alike([kind], context)):
                why = f"ask for `{code}` as well"
                text = f"({context.code(kind)}, {code})"
                yield context.put(kind, text, weight=0.8 / (1 + 0.2 * rank), why=why)


@operator("list or tuple", prior=0.5, kinds=(ast.List, ast.Tuple))
def list_or_tuple(node: ast.List | ast.Tuple, context: Context) -> Iterator[Mutation]:
    """``[x]`` for ``(x,)`` and the other way round, where the failure speaks of the one or the other."""
    parent = context.source.parents[node]
    formats = isinstance(parent, ast.BinOp) and isinstance(parent.op, ast.Mod)
    if not is_read(node) or not node.elts or formats or isinstance(parent, (ast.Subscript, ast.Compare)):
        return
    if context.once(_speaks_of_kinds, context.source.tree):
        code = ", ".join(context.code(item) for item in node.elts)
        comma = "," if len(node.elts) == 1 else ""
        yield context.put(node, f"({code}{comma})" if isinstance(node, ast.List) else f"[{code}]")


def _speaks_of_kinds(_module: ast.AST, context: Context) -> bool:
    """Whether a failure has a list on one side and a tuple on the other, or names either of them."""
    shown = bool({"list", "tuple"} & context.relations)
    return shown or any(_KINDS.search(message) for message in context.messages)


def _is_name(node: ast.expr) -> bool:
    """Whether it is a name, or an attribute of what a name stands for."""
    while isinstance(node, ast.Attribute):
        node = node.value
    return isinstance(node, ast.Name)


def _alike(items: Sequence[ast.expr], context: Context) -> Iterator[str]:
    """What the file reads as it reads the items: attributes of the same owner, names of the same style."""
    held = {context.code(item) for item in items}
    owners = {context.code(item.value) for item in items if isinstance(item, ast.Attribute)}
    styles = {_style(item.id) for item in items if isinstance(item, ast.Name)}
    function = context.source.function_of(items[0])
    functions = {one.name for one in context.scopes.callables}
    found: Counter[str] = Counter()
    for owner, code, place in context.once(_reads, context.source.tree):
        fits = owner in owners if owner else _style(code) in styles
        if fits and (owner or code in functions or _style(code) != "name"):
            found[code] += 4 if place is function else 1
    yield from [code for code, _ in found.most_common() if code not in held][:_MAX_NEW]


def _reads(module: ast.AST, context: Context) -> list[tuple[str, str, ast.AST | None]]:
    """Each name and attribute that the file reads, with its owner and the function around."""
    found: list[tuple[str, str, ast.AST | None]] = []
    for node in ast.walk(module):
        if isinstance(node, (ast.Name, ast.Attribute)) and isinstance(node.ctx, ast.Load) and _is_name(node):
            owner = context.code(node.value) if isinstance(node, ast.Attribute) else ""
            found.append((owner, context.code(node), context.source.function_of(node)))
    return found


def _style(name: str) -> str:
    """How a name is written: as a class, as a constant, or as anything else."""
    if name.isupper():
        return "constant"
    return "class" if name[:1].isupper() else "name"

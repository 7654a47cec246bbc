"""Collections that begin empty and are asked, but that nothing is ever put into.

"Missing statement" leads QuixBugs' defect classes (Lin et al. 2017) and BugsInPy's fix patterns (Widyasari et
al. 2020). Which statement is missing is seldom known; here its shape and most of its source are.
"""

import ast
from collections.abc import Iterator
from typing import NamedTuple

from bot.search.operators.base import Context, Mutation, operator
from bot.search.operators.statements import inserted

_EMPTY = {"set()": "{0}.add({1})", "[]": "{0}.append({1})", "list()": "{0}.append({1})"}
_READING = frozenset(
    {"len", "sorted", "list", "set", "tuple", "sum", "max", "min", "any", "all", "enumerate"}
)
_ITEMS = 3  # variables that are tried in one place


class _Unfilled(NamedTuple):
    """A collection that begins empty: how it is filled, where it begins, the names of what is asked of it."""

    form: str
    line: int
    asked: list[str]


@operator("never filled", prior=0.7, kinds=(ast.Expr, ast.Assign, ast.AugAssign, ast.For, ast.If, ast.Return))
def never_filled(node: ast.stmt, context: Context) -> Iterator[Mutation]:
    """``if x in seen`` without a ``seen.add(x)``."""
    around = [above for above in context.source.ancestors(node) if isinstance(above, ast.FunctionDef)]
    for name, found in context.once(_unfilled, around[-1]).items() if around else ():
        others = [other for other in context.scopes.variables(node) if other not in {name, "self"}]
        items = list(dict.fromkeys([*found.asked, *others]))[:_ITEMS]
        for rank, item in enumerate(items if node.lineno > found.line else ()):
            code, weight = found.form.format(name, item), 1 / (1 + 0.5 * rank)
            before = isinstance(node, ast.Return)
            yield from inserted(node, code, context, weight=weight, before=before)


def _unfilled(function: ast.AST, context: Context) -> dict[str, _Unfilled]:
    """What is bound to an empty collection once, and only read after that, by its name."""
    uses: dict[str, list[ast.Name]] = {}
    begun: dict[str, _Unfilled] = {}
    for part in ast.walk(function):
        if isinstance(part, ast.Name):
            uses.setdefault(part.id, []).append(part)
        for target, value in _bindings(part) if isinstance(part, ast.Assign) else ():
            if isinstance(target, ast.Name) and (form := _EMPTY.get(context.code(value))):
                begun[target.id] = _Unfilled(form, target.lineno, [])
    for name in list(begun):
        reads = [node for node in uses[name] if isinstance(node.ctx, ast.Load)]
        if len(reads) + 1 < len(uses[name]) or not all(_only_reads(node, context) for node in reads):
            del begun[name]
            continue
        for asked in (context.source.parents[node] for node in reads):
            if isinstance(asked, ast.Compare) and isinstance(asked.ops[0], (ast.In, ast.NotIn)):
                begun[name].asked.append(context.code(asked.left))
    return begun


def _bindings(node: ast.Assign) -> Iterator[tuple[ast.expr, ast.expr]]:
    """Each target with its value; those of ``a, b = c, d`` one by one."""
    for target in node.targets:
        if isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple):
            yield from zip(target.elts, node.value.elts, strict=False)
        else:
            yield target, node.value


def _only_reads(node: ast.Name, context: Context) -> bool:
    """Whether the place that names a collection cannot change it: any of its methods may fill it."""
    parent = context.source.parents[node]
    if isinstance(parent, ast.Call):
        return getattr(parent.func, "id", "") in _READING
    stored = isinstance(parent, ast.Subscript) and isinstance(parent.ctx, ast.Store)
    return not stored and not isinstance(parent, ast.Attribute)

"""Collections that begin empty and are asked, but that nothing is ever put into.

"Missing statement" leads QuixBugs' defect classes (Lin et al. 2017) and BugsInPy's fix patterns (Widyasari et
al. 2020). Which statement is missing is seldom known; here its shape and most of its source are.
"""

import ast
from collections.abc import Iterator, Mapping
from itertools import islice

from bot.search.operators.base import Context, Mutation, Operator, Unfilled
from bot.search.operators.statements import inserted

_EMPTY = {"set()": "{0}.add({1})", "[]": "{0}.append({1})", "list()": "{0}.append({1})"}
_READING = frozenset(
    {"len", "sorted", "list", "set", "tuple", "sum", "max", "min", "any", "all", "enumerate"}
)
_ITEMS = 3  # variables that are tried in one place


class NeverFilled(Operator[ast.stmt]):
    """``if x in seen`` without a ``seen.add(x)``."""

    name = "never filled"
    prior = 0.7
    kinds = (ast.Expr, ast.Assign, ast.AugAssign, ast.For, ast.If, ast.Return)

    def _mutate(self, node: ast.stmt, context: Context) -> Iterator[Mutation]:
        around = [above for above in context.source.ancestors(node) if isinstance(above, ast.FunctionDef)]
        if not around:
            return
        for name, found in _unfilled(around[-1], context).items():
            if node.lineno <= found.line:
                continue
            others = (item for item in context.scopes.variables(node) if item not in {name, "self"})
            items = dict.fromkeys((*found.asked, *islice(others, _ITEMS + len(found.asked))))
            for rank, item in enumerate(islice(items, _ITEMS)):
                code, weight = found.form.format(name, item), 1 / (1 + 0.5 * rank)
                before = isinstance(node, ast.Return)
                yield from inserted(node, code, context, weight=weight, before=before)


def _unfilled(function: ast.FunctionDef, context: Context) -> Mapping[str, Unfilled]:
    """What the function never fills, by name; read once for all of its statements."""
    if function not in context.unfilled:
        context.unfilled[function] = {
            name: Unfilled(form, _first_line(function, name), _items(name, function, context))
            for name, form in _never_filled(function, context).items()
        }
    return context.unfilled[function]


def _never_filled(function: ast.FunctionDef, context: Context) -> dict[str, str]:
    """The names that are bound to an empty collection once and only read, with how one is filled."""
    begun: dict[str, str] = {}
    touched: list[str] = []
    for part in ast.walk(function):
        if isinstance(part, ast.Assign):
            for target, value in _bindings(part):
                form = _EMPTY.get(context.code(value))
                if form and target not in begun:
                    begun[target] = form
                else:
                    touched.append(target)
        elif isinstance(part, (ast.AugAssign, ast.For)):
            touched += [name.id for name in ast.walk(part.target) if isinstance(name, ast.Name)]
        elif isinstance(part, ast.Attribute) and isinstance(part.value, ast.Name):
            touched.append(part.value.id)  # any of its methods may fill it
        elif isinstance(part, ast.Call) and getattr(part.func, "id", "") not in _READING:
            touched += [argument.id for argument in part.args if isinstance(argument, ast.Name)]
        elif isinstance(part, ast.Subscript) and isinstance(part.ctx, ast.Store):
            touched += [name.id for name in ast.walk(part.value) if isinstance(name, ast.Name)]
    return {name: form for name, form in begun.items() if name not in touched}


def _bindings(node: ast.Assign) -> Iterator[tuple[str, ast.expr]]:
    """Each name with its value; those of ``a, b = c, d`` one by one."""
    for target in node.targets:
        if isinstance(target, ast.Name):
            yield target.id, node.value
        elif isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple):
            for part, value in zip(target.elts, node.value.elts, strict=False):
                if isinstance(part, ast.Name):
                    yield part.id, value


def _first_line(function: ast.FunctionDef, name: str) -> int:
    """Where ``name`` is bound first."""
    found = (part for part in ast.walk(function) if isinstance(part, ast.Name) and part.id == name)
    return min((part.lineno for part in found if isinstance(part.ctx, ast.Store)), default=0)


def _items(name: str, function: ast.FunctionDef, context: Context) -> list[str]:
    """What is asked whether it is in there, ``name`` itself left out."""
    asked = [
        context.code(part.left)
        for part in ast.walk(function)
        if isinstance(part, ast.Compare)
        and isinstance(part.ops[0], (ast.In, ast.NotIn))
        and getattr(part.comparators[0], "id", "") == name
    ]
    return [item for item in dict.fromkeys(asked) if item != name]

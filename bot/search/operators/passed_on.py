"""What a function was given and does not pass on: to another call; and answers that it has already."""

import ast
from collections import Counter
from collections.abc import Iterator

from bot.patch.syntax import last_name, walk
from bot.search.operators.arguments import argued
from bot.search.operators.base import Context, Mutation, grouped, operator
from bot.search.operators.statements import at_head, parameters_of
from bot.search.source import FUNCTIONS, Function


@operator("argument not passed on", prior=0.7, kinds=(ast.Call,))
def argument_not_passed_on(node: ast.Call, context: Context) -> Iterator[Mutation]:
    """A call that leaves a parameter at its default, where the caller has a value of the same name."""
    around = context.source.function_of(node)
    if around is None or any(isinstance(one, ast.Starred) for one in node.args):
        return
    known = context.once(_definitions, context.source.tree).get(last_name(node.func), [])
    for definition in known[:2]:
        names = parameters_of(definition)[len(node.args) :]
        names += [one.arg for one in definition.args.kwonlyargs]
        given = {one.arg for one in node.keywords}
        if None in given:
            continue
        weight = 1.0 if definition is around else 0.7
        for name in names:
            if name not in given and (value := _value_of(name, node, context)):
                yield argued(node, f"{name}={value}", context, weight=weight, why=f"pass `{value}` on")


def _value_of(name: str, place: ast.AST, context: Context) -> str:
    """What the caller has under the ``name``: a variable, or an attribute of its object; else nothing."""
    if name in context.scopes.variables(place):
        return name
    known = context.scopes.self_attributes(place)
    return next((f"self.{one}" for one in (name, f"_{name}") if one in known), "")


def _definitions(tree: ast.AST, context: Context) -> dict[str, list[Function]]:
    """The functions and methods of a file by their names; a class by its ``__init__``."""
    functions = (part for part in walk(tree) if isinstance(part, FUNCTIONS))
    return grouped((context.source.called_as(function), function) for function in functions)


@operator("answer that is known", prior=0.4, kinds=FUNCTIONS)
def known_answer(node: Function, context: Context) -> Iterator[Mutation]:
    """A function that keeps its answers, and makes each anew: ``if name in self._made: return …``."""
    stored = Counter(
        (context.code(target.value), context.code(target.slice))
        for part in walk(node)
        if isinstance(part, ast.Assign)
        for target in part.targets
        if isinstance(target, ast.Subscript) and isinstance(target.slice, ast.Name)
    )
    parameters = set(parameters_of(node))
    for held, key in stored:
        if key in parameters and f"{key} in {held}" not in context.code(node):
            code = context.when(f"{key} in {held}", f"return {held}[{key}]")
            yield from at_head(node, code, context, weight=1.0)

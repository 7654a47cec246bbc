"""A value that goes through a function of the project first: ``index(name)`` as ``index(normal(name))``.

What neighbours do with such a value comes first. Functions that the file imports count as well as its own;
the library's own conversions are in ``wrap``.
"""

import ast
import builtins
from collections.abc import Iterator

from bot.patch.syntax import walk
from bot.search.operators.base import Context, Mutation, grouped, operator
from bot.search.operators.wrap import is_value
from bot.search.source import FUNCTIONS

_MAX_FUNCTIONS = 8  # tried around one value
_ALIKE, _ELSEWHERE = 1.0, 0.5  # what one weighs that is called with such a value, and any other
_MAX_FURTHER = 3  # calls with further arguments
_VALUES = (ast.Name, ast.Attribute, ast.Subscript, ast.Call, ast.BinOp)
_ASKED = 0.4  # what it weighs around a value of which a method or an attribute is asked


@operator("own function", prior=0.35, kinds=_VALUES)
def own_function(node: ast.expr, context: Context) -> Iterator[Mutation]:
    """A function of one argument, or a method of the class, around a value."""
    if not is_value(node, context):
        return
    around = context.source.function_of(node)
    parent = context.source.parents[node]
    known = context.once(_arguments_by_function, context.source.tree)
    code = context.code(node)
    for name in _functions_of_one(node, context):
        is_around = isinstance(parent, ast.Call) and context.code(parent.func) == name
        is_own = around is not None and name in {around.name, f"self.{around.name}"}
        if is_around or is_own or code.startswith(f"{name}("):
            continue
        alike = _ALIKE if last_part(code) in known.get(name, ()) else _ELSEWHERE
        asked = _ASKED if isinstance(parent, ast.Attribute) else 1.0
        yield context.put(node, f"{name}({code})", weight=alike * asked)
    for call in context.once(_further_calls, around or context.source.tree):
        rest = context.source.code[context.source.outer(call.args[0])[1] : context.source.segment(call)[1]]
        within = parent is call or code == context.code(call.args[0]) or node in walk(call)
        if not within and "\n" not in rest:
            yield context.put(node, f"{context.code(call.func)}({code}{rest}", weight=_ELSEWHERE)


def _further_calls(owner: ast.AST, context: Context) -> list[ast.Call]:
    """Calls of a function with further arguments, all of them constants: ``quote(path, safe="/")``."""
    found: dict[str, ast.Call] = {}
    for part in walk(owner):
        if isinstance(part, ast.Call) and part.args and len(part.args) + len(part.keywords) > 1:
            further = [*part.args[1:], *(one.value for one in part.keywords)]
            plain = isinstance(part.func, ast.Name) and not hasattr(builtins, part.func.id)
            if plain and all(isinstance(one, ast.Constant) for one in further):
                found.setdefault(context.code(part).partition(context.code(part.args[0]))[2], part)
    return list(found.values())[:_MAX_FURTHER]


def last_part(code: str) -> str:
    """The last name of a variable or attribute: ``name`` of ``row.name``."""
    return code.rpartition(".")[2]


def _functions_of_one(node: ast.AST, context: Context) -> list[str]:
    """What takes one argument and answers: those that are called in the file first, then in text order."""
    called = context.once(_arguments_by_function, context.source.tree)
    mute = context.once(_mute, context.source.tree)
    plain = [one.name for one in context.scopes.functions if one.at_least <= 1 <= one.at_most]
    plain += [name for name in context.scopes.module_variables if name in called and name not in plain]
    methods = [
        f"self.{one.name}"
        for one in context.scopes.method_signatures(node)
        if one.at_least <= 1 <= one.at_most and not one.name.startswith("__")
    ]
    around = context.source.function_of(node)
    has_self = around is not None and [arg.arg for arg in around.args.args[:1]] == ["self"]
    found = [name for name in (*plain, *(methods if has_self else ())) if last_part(name) not in mute]
    return sorted(found, key=lambda name: name not in called)[:_MAX_FUNCTIONS]


def _mute(tree: ast.AST, context: Context) -> frozenset[str]:
    """Functions and methods of the file that return nothing."""
    del context
    functions = [part for part in walk(tree) if isinstance(part, FUNCTIONS)]
    answering = {one.name for one in functions if any(map(_answers, walk(one)))}
    return frozenset(one.name for one in functions) - answering


def _answers(node: ast.AST) -> bool:
    gives = isinstance(node, ast.Return) and node.value is not None
    return gives or isinstance(node, (ast.Yield, ast.YieldFrom))


def _arguments_by_function(tree: ast.AST, context: Context) -> dict[str, frozenset[str]]:
    """With what each function of one argument is called in the file, by the last name of it."""
    calls = (part for part in walk(tree) if isinstance(part, ast.Call))
    plain = (call for call in calls if len(call.args) == 1 and not call.keywords)
    found = grouped((context.code(call.func), last_part(context.code(call.args[0]))) for call in plain)
    return {name: frozenset(arguments) for name, arguments in found.items()}

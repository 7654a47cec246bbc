"""Recursion over what leads back to itself: an include of an include, a part of a part, a link to a link."""

import ast
import builtins
import re
from collections.abc import Iterator, Sequence

from bot.patch.syntax import walk
from bot.search.operators.arguments import argued
from bot.search.operators.base import Context, Mutation, operator, together
from bot.search.operators.statements import at_head, parameters_of
from bot.search.source import FUNCTIONS, Function

_PATH = "_path"  # the parameter that holds where the recursion has been
_ENDLESS = re.compile(r"RecursionError|recursion depth")
_SOUNDS_LIKE_ERROR = re.compile(r"[A-Z]\w*(?:Error|Exception|Cycle|Circular|Loop)\w*$|Circular\w+$|Cycl\w+$")
_EMPTY: dict[type[ast.expr], str] = {
    ast.List: "[]", ast.ListComp: "[]", ast.Dict: "{}", ast.DictComp: "{}", ast.BinOp: "0", ast.Set: "set()",
}  # fmt: skip
_MAX_ERRORS = 5
_MAX_CALLS = 4


@operator("cycle", prior=0.45, kinds=FUNCTIONS)
def cycle(node: Function, context: Context) -> Iterator[Mutation]:
    """A function that calls itself for ever: it keeps where it has been, and raises or returns there."""
    if not any(_ENDLESS.search(message) for message in context.messages):
        return
    calls = [part for part in walk(node) if isinstance(part, ast.Call) and _is_own(part.func, node.name)]
    simple = not (node.args.vararg or node.args.kwarg or node.args.kwonlyargs or node.args.posonlyargs)
    if not 0 < len(calls) <= _MAX_CALLS or not simple or _PATH in context.source.code:
        return
    parts = [*node.args.args, *node.args.defaults]
    end = max((context.source.segment(part)[1] for part in parts), default=0)
    for name in _varying(node, calls, context):
        passed = (argued(call, f"{_PATH}=(*{_PATH}, {name})", context, weight=1.0) for call in calls)
        kept = [context.replace(end, end, f", {_PATH}=()"), *passed]
        for rank, answer in enumerate(_answers(name, node, context)):
            for guard in at_head(node, context.when(f"{name} in {_PATH}", answer), context, weight=1.0):
                why = f"`{answer}` where `{name}` leads back to itself"
                yield together(guard, *kept, weight=1 / (1 + 0.15 * rank), why=why)


def _is_own(callee: ast.expr, name: str) -> bool:
    """Whether it is the function itself: ``super()`` and others have functions of that name."""
    match callee:
        case ast.Name(id=called) | ast.Attribute(value=ast.Name(id="self" | "cls"), attr=called):
            return called == name
    return False


def _varying(node: Function, calls: Sequence[ast.Call], context: Context) -> list[str]:
    """The parameters, at most two, for which the function passes other values to itself."""
    pairs = (pair for call in calls for pair in zip(parameters_of(node), call.args, strict=False))
    return [*dict.fromkeys(name for name, given in pairs if context.code(given) != name)][:2]


def _answers(name: str, node: Function, context: Context) -> Iterator[str]:
    """What to do where the recursion comes back: raise one of the file's errors, or return nothing more."""
    for error in _errors(context):
        yield f"raise {error}([*{_PATH}, {name}])"
        yield f"raise {error}([*{_PATH}[{_PATH}.index({name}):], {name}])"
        yield f"raise {error}({name})"
    returned = [part.value for part in walk(node) if isinstance(part, ast.Return) and part.value]
    for value in dict.fromkeys(_EMPTY.get(type(one), "") for one in returned):
        yield f"return {value}".rstrip()
    if not returned:
        yield "return"
    yield f'raise ValueError(f"{{{name}}} leads back to itself")'


def _errors(context: Context) -> list[str]:
    """The names of errors that the file knows, those that sound like this case first."""
    names = [name for name in context.scopes.known if _SOUNDS_LIKE_ERROR.fullmatch(name)]
    own = [name for name in names if not hasattr(builtins, name)]
    return sorted(own, key=lambda name: (not re.search("Cycl|Circular|Loop", name), name))[:_MAX_ERRORS]

"""A call that does not fit: the functions that the message speaks of, and the calls that may be meant."""

import ast
import re
from collections.abc import Iterator

from bot.search.operators.base import Context, Mutation
from bot.search.source import FUNCTIONS, Function
from bot.search.templates.changes import callee_name
from bot.search.templates.failure import Failure
from bot.search.templates.project import Definition, Project

_OPENS, _CLOSES = re.compile(r"\(\s*\Z"), re.compile(r"\s*\)")
_NEAR = 200  # characters in which a delimiter is looked for: more white space than anyone writes


class Site:
    """The functions that a message speaks of, and the calls that the failure's innermost frames make."""

    def __init__(self, qualified: str, failure: Failure, project: Project) -> None:
        parts = [part for part in qualified.split(".") if part != "<locals>"]
        self.name = parts[-1]
        owner = parts[-2] if len(parts) > 1 and f"{parts[-2]}.<locals>" not in qualified else ""
        found = project.functions(self.name, owner)
        self.definitions = [each for each in found if isinstance(each.node, FUNCTIONS)]
        names = {self.name, owner} if self.name == "__init__" else {self.name}
        self.spots = list(project.spots(failure)) if failure.frames else list(project.calls(names))
        self.calls = [
            (spot, call)
            for spot in (self.spots[:2] if failure.frames else self.spots)
            for call in spot.of(ast.Call)
            if callee_name(call) in names
        ]
        # A call in a test, or in a library, is as it should be: the definition is what is wrong.
        innermost = failure.frames[0].path if failure.frames else ""
        self.caller_fixed = not self.calls or (bool(innermost) and not project.may_change(innermost))

    def functions(self) -> Iterator[tuple[Definition, Function]]:
        """The definitions that are functions, few in all."""
        for each in self.definitions[:3]:
            if isinstance(each.node, FUNCTIONS):
                yield each, each.node


def dropped(call: ast.Call, argument: ast.AST, context: Context, weight: float) -> Mutation:
    """The call without one of its arguments."""
    source = context.source
    parts = sorted([*call.args, *call.keywords], key=source.segment)
    index = parts.index(argument)
    if len(parts) == 1:
        start, end = source.code.index("(", source.segment(call.func)[1]) + 1, source.segment(call)[1] - 1
    elif index:
        start, end = _outer(parts[index - 1], context)[1], _outer(argument, context)[1]
    else:
        start, end = _outer(argument, context)[0], _outer(parts[1], context)[0]
    why = f"drop the argument `{context.code(argument)}`"
    return context.replace(start, end, "", weight=weight, why=why)


def _outer(part: ast.AST, context: Context) -> tuple[int, int]:
    """Where one of several arguments stands, with the parentheses around it."""
    start, end = context.source.segment(part)
    code = context.source.code
    while (before := _OPENS.search(code, max(0, start - _NEAR), start)) and (
        after := _CLOSES.match(code, end, end + _NEAR)
    ):
        start, end = before.start(), after.end()
    return start, end

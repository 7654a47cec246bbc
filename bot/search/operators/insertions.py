"""Statements that are missing: a refusal, a case that ends the recursion.

"Missing function call", "null check" and "base case" stand in the lists of BugsInPy (Widyasari
et al. 2020), TBar (Liu et al. 2019) and QuixBugs (Lin et al. 2017). Conversions by builtins are in ``wrap``.
"""

import ast
import re
from collections.abc import Iterator

from bot.search.exits import raised
from bot.search.kinds import NUMBERS, Kind
from bot.search.operators.base import Context, Mutation, operator
from bot.search.operators.statements import at_head, parameters_of
from bot.search.source import FUNCTIONS, Function, attribute_of_self, is_read

_MAX_ATTRIBUTES = 3


@operator("raise guard", prior=0.5, kinds=FUNCTIONS)
def raise_guard(node: Function, context: Context) -> Iterator[Mutation]:
    """An argument that should have been refused; only where a test says which exception it waits for."""
    wanted = [
        match.group(1) or match.group(2) for text in context.messages if (match := _WAITED.search(text))
    ]
    names, place = parameters_of(node)[:4], node.body[0]
    for exception in dict.fromkeys(wanted):
        tests = [(f"{name} is None", 0.5) for name in _own_attributes(node, context)]
        for rank, name in enumerate(names):
            found = _refusals(name, names, context.scopes.kind_of_name(name, place))
            tests += [(test, weight / (1 + 0.2 * rank)) for test, weight in found]
            if any(isinstance(part, ast.Call) and context.code(part.func) == name for part in ast.walk(node)):
                tests.append((f"not callable({name})", 0.8))
        for statement in raised(exception, "", place, context):
            for test, weight in tests:
                yield from at_head(node, context.when(test, statement), context, weight=weight)


_WAITED = re.compile(r"DID NOT RAISE (?:<class ')?(?:\w+\.)*(\w+)|\b(\w+) not raised")


def _refusals(name: str, names: list[str], kind: Kind) -> Iterator[tuple[str, float]]:
    """Reasons for which an argument is refused."""
    yield f"not {name}", 1.0
    if kind in NUMBERS:
        yield f"{name} < 0", 1.0
        yield f"{name} <= 0", 0.9
        yield f"{name} == 0", 0.6
    yield f"{name} is None", 0.8
    for other in names:
        if other != name:
            yield f"{name} > {other}", 0.6
            yield f"{name} not in {other}", 0.4
            yield f"{name} in {other}", 0.4
    for other_kind in ("str", "int", "list", "dict"):
        yield f"not isinstance({name}, {other_kind})", 0.5
    yield f"isinstance({name}, str)", 0.5


def _own_attributes(function: Function, context: Context) -> list[str]:
    """The first attributes of the object that the function reads."""
    read = [context.code(part) for part in ast.walk(function) if attribute_of_self(part) and is_read(part)]
    called = {context.code(part.func) for part in ast.walk(function) if isinstance(part, ast.Call)}
    return [name for name in dict.fromkeys(read) if name not in called][:_MAX_ATTRIBUTES]


@operator("base case", prior=0.25, kinds=FUNCTIONS)
def base_case(node: Function, context: Context) -> Iterator[Mutation]:
    """A recursion without the case that ends it."""
    again = (node.name, f"self.{node.name}")
    calls = (part for part in ast.walk(node) if isinstance(part, ast.Call))
    if not any(context.code(call.func) in again for call in calls):
        return
    names = parameters_of(node)[:3]
    for rank, name in enumerate(names):
        for order, (test, answer) in enumerate(_ends(name, names)):
            guard = context.when(test, f"return {answer}")
            weight = max(0.1, 1.0 - 0.05 * order) / (1 + 0.5 * rank)
            yield from at_head(node, guard, context, weight=weight)


def _ends(name: str, names: list[str]) -> Iterator[tuple[str, str]]:
    """Cases that may end a recursion, each with the answer."""
    others = [other for other in names if other != name]
    yield from ((f"{name} <= 1", "1"), (f"{name} <= 0", "0"), (f"not {name}", name), (f"not {name}", "0"))
    yield from ((f"not {name}", "[]"), (f"{name} <= 1", name), (f"{name} is None", "0"))
    yield from ((f"{name} is None", "None"), (f"len({name}) <= 1", name), (f"{name} == 0", "1"))
    yield from ((f"not {name}", answer) for answer in ('""', "True", "False"))
    yield (f"{name} < 0", "0")
    yield from ((f"not {name}", other) for other in others)
    yield from ((f"{name} == 0", other) for other in others)

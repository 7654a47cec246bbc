"""Times without a zone that meet times with one: the clock is asked for the time in UTC."""

import ast
import re
from collections.abc import Iterator

from bot.search.operators.base import Context, Mutation, together
from bot.search.operators.statements import import_needed
from bot.search.source import Source
from bot.search.templates.failure import Failure
from bot.search.templates.project import Project, Spot
from bot.search.templates.template import template

_WITHOUT_ZONE = {"utcnow": "now", "now": "now", "utcfromtimestamp": "fromtimestamp"}
_WITHOUT_ZONE["fromtimestamp"] = "fromtimestamp"
_MOST = 3


@template("time zone", "TypeError", r"offset-naive and offset-aware")
def _time_zone(_match: re.Match[str], failure: Failure, project: Project) -> Iterator[Mutation]:
    """``datetime.utcnow()`` beside a time with a zone."""
    for spot in project.spots(failure):
        found = list(_asked(spot))
        for rank, call in enumerate(found[:_MOST]):
            yield _in_utc(call, spot.context, 0.97 - 0.02 * rank)
        if found:
            return


def _asked(spot: Spot) -> Iterator[ast.Call]:
    """The calls that give a time without a zone: in the spot's function, else anywhere in its file."""
    source: Source = spot.context.source
    function = source.function_of(spot.statement)
    calls = [node for node in source.parents if isinstance(node, ast.Call) and _has_no_zone(node)]
    calls.sort(key=lambda node: (node.lineno, node.col_offset))
    inside = [node for node in calls if source.function_of(node) is function]
    yield from inside or calls


def _has_no_zone(node: ast.Call) -> bool:
    callee = node.func
    if not isinstance(callee, ast.Attribute) or callee.attr not in _WITHOUT_ZONE or node.keywords:
        return False
    return len(node.args) == callee.attr.endswith("fromtimestamp")


def _in_utc(call: ast.Call, context: Context, weight: float) -> Mutation:
    """The call with ``timezone.utc``, which is imported where the file does not know it."""
    assert isinstance(call.func, ast.Attribute)
    owner = context.code(call.func.value)
    zone = f"{owner.rpartition('.')[0]}.timezone.utc" if "." in owner else "timezone.utc"
    given = "".join(f"{context.code(one)}, " for one in call.args)
    code = f"{owner}.{_WITHOUT_ZONE[call.func.attr]}({given}{zone})"
    why = f"use `{code}` instead of `{context.code(call)}`"
    imported = import_needed(zone.partition(".")[0], "from datetime import timezone", context)
    return together(context.put(call, code), *imported, weight=weight, why=why)

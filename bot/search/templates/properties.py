"""Properties and methods taken for one another: parentheses forgotten, or ``@property`` lost."""

import ast
import re
from collections.abc import Iterator

from bot.search.operators.base import Mutation
from bot.search.templates.changes import callee_name, decorated, decorators, suffixed
from bot.search.templates.failure import Failure
from bot.search.templates.project import Project
from bot.search.templates.template import template

_METHOD = re.compile(r"<bound method (?:\w+\.)*(\w+) of|<function (?:[\w<>]+\.)*(\w+) at")


@template("method for value", "TypeError|AttributeError", r"'(?:method|function)'")
@template("method for value", "AssertionError", r"^")
def _method_for_value(_match: re.Match[str], failure: Failure, project: Project) -> Iterator[Mutation]:
    """A method compared or computed with: its parentheses were forgotten, or it should be a property."""
    shown = f"{failure.comparison.left} {failure.comparison.right}" if failure.comparison else ""
    called = {name for pair in _METHOD.findall(shown) for name in pair if name}
    for spot in project.seen(failure):
        for node in spot.of(ast.Attribute):
            is_call = isinstance(spot.context.source.parents[node], ast.Call)
            if is_call or isinstance(node.ctx, ast.Store) or (called and node.attr not in called):
                continue
            methods = [found for found in project.functions(node.attr) if found.owner is not None]
            if methods and not any("property" in name for found in methods for name in decorators(found)):
                yield suffixed(node, "()", spot.context, 0.97)
                yield from (decorated(found, "@property", 0.9) for found in methods[:2])
        break


@template("property called", "TypeError", r"object is not callable")
def _property_called(_match: re.Match[str], failure: Failure, project: Project) -> Iterator[Mutation]:
    """``x.size()`` where ``size`` is a property."""
    for spot in project.spots(failure):
        for call in spot.of(ast.Call):
            found = project.functions(callee_name(call)) if isinstance(call.func, ast.Attribute) else []
            if any("property" in name for each in found for name in decorators(each)):
                yield spot.context.put_like(call, call.func, weight=1.0)
        break

"""What a mock's assertion names: a call was made with other arguments than the test expects."""

import ast
import re
from collections.abc import Iterator

from bot.patch.syntax import MISSING, last_name, literal_value, parsed
from bot.search.operators.arguments import argued, dropped
from bot.search.operators.base import Context, Mutation
from bot.search.operators.constants import same_quotes
from bot.search.templates.failure import Failure
from bot.search.templates.project import Project
from bot.search.templates.template import template

_MAX_CALLS = 6


@template(
    "mock's call",
    "AssertionError",
    r"Expected(?: call)?: ([^\n]{1,500})\n\s*Actual(?: call)?: ([^\n]{1,500})",
)
def _other_arguments(match: re.Match[str], failure: Failure, project: Project) -> Iterator[Mutation]:
    """``Expected: get(url, timeout=5)`` and ``Actual: get(url)``."""
    del failure  # the frames are the test's own
    expected, actual = _call(match.group(1)), _call(match.group(2))
    if expected is None or actual is None:
        return
    name = _name(expected)
    for spot in list(project.calls({name}))[:_MAX_CALLS] if name else ():
        for call in spot.of(ast.Call):
            if _name(call) == name:
                yield from _fixed(call, expected, actual, spot.context)


def _fixed(call: ast.Call, expected: ast.Call, actual: ast.Call, context: Context) -> Iterator[Mutation]:
    wanted, given = _keywords(expected), _keywords(actual)
    written = {keyword.arg: keyword for keyword in call.keywords}
    missing = [f"{key}={value}" for key, value in wanted.items() if key not in given and key not in written]
    if missing and None not in written:
        yield argued(call, ", ".join(missing), context, weight=0.95)
    for key, keyword in written.items():
        if key in given and key not in wanted:
            yield dropped(call, keyword, context, 0.85)
        elif key in given and given[key] != wanted[key]:
            yield context.put(keyword.value, _like(keyword.value, wanted[key], context), weight=0.8)
    if len(call.args) == len(expected.args) == len(actual.args):
        for own, one, other in zip(call.args, expected.args, actual.args, strict=True):
            # A name is there for a reason; a constant may be the wrong one.
            known = literal_value(one) is not MISSING and ast.dump(one) != ast.dump(other)
            if known and isinstance(own, ast.Constant):
                yield context.put(own, _like(own, ast.unparse(one), context), weight=0.8)


def _like(node: ast.expr, code: str, context: Context) -> str:
    """A text in the quotes of the one that it replaces."""
    value = literal_value(code)
    return same_quotes(value, context.code(node)) if isinstance(value, str) else code


def _call(text: str) -> ast.Call | None:
    match parsed(text.strip()):
        case ast.Module(body=[ast.Expr(value=ast.Call() as call)]):
            return call
    return None


def _name(call: ast.Call) -> str:
    """The last part of what is called; empty for a mock without a name."""
    name = last_name(call.func)
    return "" if name in {"mock", "call"} else name


def _keywords(call: ast.Call) -> dict[str, str]:
    return {
        keyword.arg: ast.unparse(keyword.value)
        for keyword in call.keywords
        if keyword.arg and literal_value(keyword.value) is not MISSING
    }

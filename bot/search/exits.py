"""How a function may end early: with what the failing test waits for, or as it ends elsewhere."""

import ast
import builtins
import re
from collections.abc import Iterator

from bot.patch.syntax import last_name
from bot.search.examples import UNKNOWN, value_of
from bot.search.operators.base import Context
from bot.search.source import Function, method_of, names_in

_PLAIN = re.compile(r"[\w ,.'`:;=<>/()-]+")
_NEUTRAL: tuple[object, ...] = (None, False, True, 0, 0.0, "", b"", [], (), {}, set())
"""What counts as no particular value. Any other one that a test expects is not written into a guard."""


def exits(place: ast.stmt, context: Context) -> list[tuple[str, float]]:
    """Statements that leave the work around ``place``, likeliest first: each with a weight in (0, 1].

    First what the failing tests wait for, then the next round of the loop, then what the function answers
    elsewhere.
    """
    function = context.source.function_of(place)
    if function is None:
        return []
    found: dict[str, float] = {}
    for code in wanted(function, place, context):
        found.setdefault(code, 1.0)
    if context.source.loop_of(place) is not None:
        found.setdefault("continue", 0.9 if found else 0.95)
    region = context.scopes.region_of(function)
    generates = any(isinstance(node, (ast.Yield, ast.YieldFrom)) for node in region)
    for code in ["return"] if generates else answers(function, context):
        found.setdefault(code, 0.8)
    if not generates and not any(code.startswith("return") for code in found):
        found.setdefault("return None", 0.75)
    return list(found.items())


def wanted(function: Function, place: ast.stmt, context: Context, message: str = "") -> Iterator[str]:
    """What the failing tests wait for, as statements: an exception, or a value that the function may answer.

    ``message`` is the expression for the exception's message where the test names none.
    """
    known = {code.removeprefix("return ") for code in answers(function, context)}
    for example in context.examples.failing:
        if example.raises:
            yield from raised(example.raises, example.match, place, context, message)
        answer = value_of(example.answer)
        if example.answer is not None and (is_neutral(answer) or ast.unparse(example.answer) in known):
            yield f"return {ast.unparse(example.answer)}"


def is_neutral(value: object) -> bool:
    """Whether a value says nothing particular: None, a truth, zero, or an empty one."""
    return value is not UNKNOWN and any(type(value) is type(one) and value == one for one in _NEUTRAL)


def answers(function: Function, context: Context) -> list[str]:
    """The function's ``return`` statements that answer a literal."""
    returns = (node for node in context.scopes.region_of(function) if isinstance(node, ast.Return))
    own = (node for node in returns if context.source.function_of(node) is function)
    literal = (node for node in own if node.value is None or value_of(node.value) is not UNKNOWN)
    return [code for code in dict.fromkeys(map(context.code, literal)) if "\n" not in code]


def raised(exception: str, match: str, place: ast.AST, context: Context, message: str = "") -> Iterator[str]:
    """``raise`` statements for an exception that a test waits for, as the file raises it elsewhere."""
    if exception not in context.scopes.known:
        return
    said = match.replace("\\", "")
    words = f'"{said}"' if said and '"' not in said and _PLAIN.fullmatch(said) else message
    nearest = _raise_like(exception, place, context)
    if nearest is not None:
        yield _worded(nearest, words, context)
    elif _takes_a_message(exception, context):
        yield f"raise {exception}({words})" if words else f"raise {exception}"


def _raise_like(exception: str, place: ast.AST, context: Context) -> ast.Raise | None:
    """The nearest statement that raises the exception with nothing but what the place has, too."""
    line = getattr(place, "lineno", 1)
    names = {*context.scopes.variables(place), *context.scopes.outer_names, *dir(builtins)}
    found = [
        node
        for node in context.source.statements
        if isinstance(node, ast.Raise)
        and isinstance(node.exc, ast.Call)
        and last_name(node.exc.func) == exception
        and names.issuperset(names_in(node.exc))
    ]
    function = context.source.function_of(place)
    inside = [node for node in found if context.source.function_of(node) is function]
    return min(inside or found, key=lambda node: abs(node.lineno - line), default=None)


def _worded(node: ast.Raise, words: str, context: Context) -> str:
    """The statement with other words in its message where the test has some."""
    assert isinstance(node.exc, ast.Call)
    texts = [part for part in node.exc.args if isinstance(part, (ast.JoinedStr, ast.Constant))]
    if words and texts:
        changed = [words if part is texts[0] else context.code(part) for part in node.exc.args]
        return f"raise {context.code(node.exc.func)}({', '.join(changed)})"
    return f"raise {' '.join(context.code(node.exc).split())}"


def _takes_a_message(exception: str, context: Context) -> bool:
    """Whether a class can be made of a message alone, as far as this file says."""
    for node in context.source.tree.body:
        if isinstance(node, ast.ClassDef) and node.name == exception:
            return method_of(node, "__init__") is None
    return True

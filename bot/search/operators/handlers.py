"""Handlers of exceptions: too broad, too narrow, in the wrong order; and exceptions of the wrong type.

Handlers too broad or too narrow have studies of their own.
"""

import ast
import re
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise

from bot.patch.syntax import is_constant, last_name
from bot.search.operators.base import Context, Mutation, operator

_RELATED: dict[str, tuple[str, ...]] = {
    "KeyError": ("LookupError", "IndexError", "AttributeError", "ValueError"),
    "IndexError": ("LookupError", "KeyError", "ValueError", "StopIteration"),
    "ValueError": ("TypeError", "KeyError", "IndexError", "ArithmeticError"),
    "TypeError": ("ValueError", "AttributeError"),
    "AttributeError": ("TypeError", "KeyError"),
    "ZeroDivisionError": ("ArithmeticError", "ValueError"),
    "FileNotFoundError": ("OSError",),
    "IOError": ("OSError",),
    "OSError": ("FileNotFoundError",),
    "RuntimeError": ("ValueError", "NotImplementedError"),
    "NotImplementedError": ("TypeError", "ValueError"),
    "StopIteration": ("IndexError", "ValueError"),
    "Exception": ("ValueError", "TypeError", "KeyError"),
}


_NAMED = re.compile(r"\b\w+(?:Error|Exception|Iteration)\b")
# What no handler should take in passing, and nobody raises on purpose.
_LEFT_ALONE = frozenset({"AssertionError", "SyntaxError", "NameError", "RecursionError"})
# What a handler may end with instead of an exception, or of nothing.
_INSTEAD: dict[type[ast.stmt], dict[str, float]] = {
    ast.Raise: {"return None": 0.8, "pass": 0.6, "return False": 0.6, "return 0": 0.4, "continue": 0.4},
    ast.Pass: {"return None": 0.5, "return False": 0.5, "continue": 0.4, "return []": 0.3},
}
_BROAD = frozenset({"Exception", "BaseException"})
MAX_TYPES = 5


@operator("reraise", prior=0.35, kinds=(ast.ExceptHandler,))
def reraise(node: ast.ExceptHandler, context: Context) -> Iterator[Mutation]:
    """An exception swallowed that callers should see."""
    last = node.body[-1]
    if isinstance(last, (ast.Pass, ast.Return, ast.Continue)) or is_constant(last):
        yield context.replace(*context.source.segment(last), "raise", why="let the exception through")
    for code, weight in _INSTEAD.get(type(last), {}).items():
        if code != "continue" or context.source.loop_of(last) is not None:
            yield context.replace(*context.source.segment(last), code, weight=weight)


@operator("handler order", prior=0.5, kinds=(ast.Try,))
def handler_order(node: ast.Try, context: Context) -> Iterator[Mutation]:
    """A broad handler before a narrow one, which then never catches anything."""
    for first, second in pairwise(node.handlers):
        (start, middle), (after, end) = context.source.segment(first), context.source.segment(second)
        code = context.code(second) + context.source.code[middle:after] + context.code(first)
        yield context.replace(start, end, code, why="put the second handler first")


def _mentioned(context: Context) -> list[str]:
    """Exception types of the file, or builtin ones, that the failing tests wait for or speak of."""
    waited_for = [example.raises for example in context.examples.failing if example.raises]
    said = [name for message in context.messages for name in _NAMED.findall(message)]
    names = dict.fromkeys([*waited_for, *said])
    return [name for name in names if name in context.scopes.outer_names - _LEFT_ALONE]


@operator("raised type", prior=0.35, kinds=(ast.Raise,))
def raised_type(node: ast.Raise, context: Context) -> Iterator[Mutation]:
    """Another type raised."""
    raised = _raised(node)
    if not isinstance(raised, ast.Name):
        return
    mentioned = _mentioned(context)
    for other in dict.fromkeys((*mentioned, *_RELATED.get(raised.id, ()), "ValueError", "TypeError")):
        if other != raised.id:
            yield context.put(raised, other, weight=1.0 if other in mentioned else 0.5)


@operator("caught type", prior=0.35, kinds=(ast.ExceptHandler,))
def caught_type(node: ast.ExceptHandler, context: Context) -> Iterator[Mutation]:
    """Another type caught, a wider one, or one more; none that the handler raises itself."""
    if node.type is None:
        return
    caught = context.code(node.type)
    exceptions = (_raised(one) for one in ast.walk(node) if isinstance(one, ast.Raise))
    own = {last_name(one) if one else "" for one in exceptions}
    mentioned = [name for name in _mentioned(context) if name not in caught and name not in own]
    for other in () if caught in _BROAD else mentioned:
        code = ", ".join([*map(context.code, _types(node)), other])
        yield context.put(node.type, f"({code})", weight=1.0)
    for other in dict.fromkeys((*mentioned, *_RELATED.get(caught, ()), "Exception")):
        if other != caught and other not in own:
            yield context.put(node.type, other, weight=0.8 if other in mentioned else 0.4)


@operator("let through", prior=0.4, kinds=(ast.ExceptHandler,))
def let_through(node: ast.ExceptHandler, context: Context) -> Iterator[Mutation]:
    """A handler of everything that takes what a handler elsewhere in the file waits for."""
    owner = context.source.parents.get(node)
    if not isinstance(owner, ast.Try) or not (node.type is None or context.code(node.type) in _BROAD):
        return
    here = {name for one in owner.handlers for name in _caught(one)}
    for name, weight in context.once(_waited_for, context.source.tree):
        if name in here:
            continue
        why = f"let {name} through, which a handler elsewhere waits for"
        for other in owner.handlers[: owner.handlers.index(node)]:
            match other:
                case ast.ExceptHandler(type=ast.expr() as caught, body=[ast.Raise(exc=None)]):
                    code = ", ".join([*map(context.code, _types(other)), name])
                    yield context.replace(*context.source.outer(caught), f"({code})", weight=weight, why=why)
                    break
        else:
            yield from _put_before(node, name, context, weight=weight, why=why)


def _put_before(
    node: ast.ExceptHandler, name: str, context: Context, *, weight: float, why: str
) -> Iterator[Mutation]:
    source = context.source
    place = source.line_start(node.lineno)
    indent = source.code[place : source.segment(node)[0]]
    if not indent.strip():
        code = f"{indent}except {name}:{source.newline}{indent}{source.step}raise{source.newline}"
        yield context.replace(place, place, code, weight=weight, why=why)


def _waited_for(tree: ast.AST, _context: Context) -> list[tuple[str, float]]:
    """The types that handlers of the file name, but for the broad ones; the most frequent first."""
    handlers = (one for one in ast.walk(tree) if isinstance(one, ast.ExceptHandler))
    counts = Counter(name for one in handlers for name in _caught(one) if name not in _BROAD)
    return [(name, 1.0 - 0.1 * rank) for rank, (name, _) in enumerate(counts.most_common(MAX_TYPES))]


def _caught(handler: ast.ExceptHandler) -> list[str]:
    return [ast.unparse(one) for one in _types(handler) if isinstance(one, ast.Name | ast.Attribute)]


def _types(handler: ast.ExceptHandler) -> list[ast.expr]:
    match handler.type:
        case None:
            return []
        case ast.Tuple(elts=elements):
            return elements
    return [handler.type]


def _raised(node: ast.Raise) -> ast.expr | None:
    return node.exc.func if isinstance(node.exc, ast.Call) else node.exc


@operator("text of an exception", prior=0.5, kinds=(ast.Subscript, ast.Attribute))
def text_of_exception(node: ast.Subscript | ast.Attribute, context: Context) -> Iterator[Mutation]:
    """``error.args[0]`` and ``error.message``, which not every exception has: ``str(error)``."""
    match node:
        case (
            ast.Subscript(value=ast.Attribute(value=ast.Name(id=name), attr="args"))
            | ast.Attribute(value=ast.Name(id=name), attr="message" | "msg")
        ):
            yield context.put(node, f"str({name})")

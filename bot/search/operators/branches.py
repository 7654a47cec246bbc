"""Branches: tests in the wrong order, a condition that is missing, exceptions of the wrong type or swallowed.

Conditions are where repairs gather in BugsInPy (Widyasari et al. 2020); handlers too broad or too narrow have
studies of their own. What a condition says is in ``logic``; loops' exits are in ``statements``.
"""

import ast
import re
from collections.abc import Iterator
from itertools import pairwise

from bot.patch.syntax import is_constant
from bot.search.operators.base import Context, Mutation, negation, operator, together
from bot.search.operators.logic import seen_conditions
from bot.search.operators.statements import at_head, inserted
from bot.search.source import names_in

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


@operator("reraise", prior=0.35, kinds=(ast.ExceptHandler,))
def reraise(node: ast.ExceptHandler, context: Context) -> Iterator[Mutation]:
    """An exception swallowed that callers should see."""
    last = node.body[-1]
    if isinstance(last, (ast.Pass, ast.Return, ast.Continue)) or is_constant(last):
        yield context.replace(*context.source.segment(last), "raise", why="let the exception through")
    for code, weight in _INSTEAD.get(type(last), {}).items():
        if code != "continue" or context.source.loop_of(last) is not None:
            yield context.replace(*context.source.segment(last), code, weight=weight)


@operator("super or self", prior=0.4, kinds=(ast.Call,))
def super_or_self(node: ast.Call, context: Context) -> Iterator[Mutation]:
    """The base's method for the own one, and the other way round."""
    owner = context.source.class_of(node)
    if not isinstance(node.func, ast.Attribute) or owner is None or not owner.bases:
        return
    value = context.code(node.func.value)
    if value == "super()":
        yield context.put(node.func.value, "self")
    elif value == "self":
        function = context.source.function_of(node)
        same = function is not None and function.name == node.func.attr
        yield context.put(node.func.value, "super()", weight=1.0 if same else 0.3)


@operator("missing super", prior=0.45, kinds=(ast.FunctionDef,))
def missing_super(node: ast.FunctionDef, context: Context) -> Iterator[Mutation]:
    """An overriding method that forgets what its base does."""
    owner = context.source.parents[node]
    if not isinstance(owner, ast.ClassDef) or not owner.bases or "super()" in context.code(node):
        return
    parameters = [arg.arg for arg in node.args.args]
    if parameters[:1] != ["self"]:
        return
    exact = ", ".join(parameters[1:])
    weight = 1.0 if node.name == "__init__" else 0.5
    for arguments in dict.fromkeys((exact, "")):
        call = f"super().{node.name}({arguments})"
        yield from at_head(node, call, context, weight=weight)
        if not isinstance(node.body[-1], (ast.Return, ast.Raise)):
            yield from inserted(node.body[-1], call, context, weight=0.5 * weight)


@operator("under condition", prior=0.2, kinds=(ast.Expr, ast.Assign, ast.AugAssign))
def under_condition(node: ast.stmt, context: Context) -> Iterator[Mutation]:
    """``if depth: depth -= 1``: a statement for which a variable in it, or the function, has a condition."""
    source = context.source
    indent = source.indent_of(node)
    if indent is None or is_constant(node) or source.function_of(node) is None:
        return
    if node.lineno != node.end_lineno or source.whole_lines(node) is None:
        return
    start = source.segment(node)[0]
    for code, weight in _conditions(node, context):
        why = f"only if `{code}`"
        text = f"if {code}:{source.newline}{indent}{source.step}"
        yield context.replace(start, start, text, weight=weight, why=why)


def _conditions(node: ast.stmt, context: Context) -> Iterator[tuple[str, float]]:
    """What may be asked before a statement: its own variables, and what the function asks near it."""
    plain = isinstance(node, ast.Assign) and any(isinstance(target, ast.Name) for target in node.targets)
    known = set(context.scopes.variables(node))
    stored = {context.code(target) for target in node.targets} if isinstance(node, ast.Assign) else set()
    names = [name for name in names_in(node) if name in known - stored]
    share = 0.5 if plain else 1.0
    for rank, name in enumerate([name for name in dict.fromkeys(names) if name not in {"self", "cls"}][:3]):
        yield name, share / (1 + 0.3 * rank)
        yield f"{name} is not None", share / (1 + 0.3 * rank)
    for rank, clause in enumerate(seen_conditions(node, context)[:4]):
        code = context.code(clause)
        above = (one for one in context.source.ancestors(node) if isinstance(one, (ast.If, ast.While)))
        if "\n" not in code and all(code != context.code(one.test) for one in above):
            opposite, _ = negation(clause, context)
            yield code, 0.5 * share / (1 + 0.3 * rank)
            yield opposite, 0.4 * share / (1 + 0.3 * rank)


@operator("swap tests", prior=0.4, kinds=(ast.If,))
def swap_tests(node: ast.If, context: Context) -> Iterator[Mutation]:
    """``if``/``elif`` in the wrong order, each test with the other's branch."""
    after = node.orelse[0] if len(node.orelse) == 1 else None
    if isinstance(after, ast.If):
        yield context.exchange(node.test, after.test)
        yield from _bodies(node.body, after.body, context, 0.8)
    elif node.orelse:
        yield from _bodies(node.body, node.orelse, context, 0.7)
    _, below = context.source.beside(node)
    if isinstance(below, ast.If):
        yield context.exchange(node.test, below.test, weight=0.6)


def _bodies(
    first: list[ast.stmt], second: list[ast.stmt], context: Context, weight: float
) -> Iterator[Mutation]:
    """Two one-statement branches in each other's place."""
    if len(first) == len(second) == 1 and not isinstance(second[0], ast.If):
        left, right = context.code(first[0]), context.code(second[0])
        if left != right and all(one.lineno == one.end_lineno for one in (*first, *second)):
            one = context.replace(*context.source.segment(first[0]), right)
            other = context.replace(*context.source.segment(second[0]), left)
            yield together(one, other, weight=weight, why="exchange the two branches")


@operator("handler order", prior=0.5, kinds=(ast.Try,))
def handler_order(node: ast.Try, context: Context) -> Iterator[Mutation]:
    """A broad handler before a narrow one, which then never catches anything."""
    for first, second in pairwise(node.handlers):
        (start, middle), (after, end) = context.source.segment(first), context.source.segment(second)
        code = context.code(second) + context.source.code[middle:after] + context.code(first)
        yield context.replace(start, end, code, why="put the second handler first")


def _mentioned(context: Context) -> list[str]:
    """Exception types of the file, or builtin ones, that the failing tests speak of."""
    names = dict.fromkeys(name for message in context.messages for name in _NAMED.findall(message))
    return [name for name in names if name in context.scopes.outer_names - _LEFT_ALONE]


@operator("raised type", prior=0.35, kinds=(ast.Raise,))
def raised_type(node: ast.Raise, context: Context) -> Iterator[Mutation]:
    """Another type raised."""
    raised = node.exc.func if isinstance(node.exc, ast.Call) else node.exc
    if not isinstance(raised, ast.Name):
        return
    mentioned = _mentioned(context)
    for other in dict.fromkeys((*mentioned, *_RELATED.get(raised.id, ()), "ValueError", "TypeError")):
        if other != raised.id:
            yield context.put(raised, other, weight=1.0 if other in mentioned else 0.5)


@operator("caught type", prior=0.35, kinds=(ast.ExceptHandler,))
def caught_type(node: ast.ExceptHandler, context: Context) -> Iterator[Mutation]:
    """Another type caught, a wider one, or one more."""
    if node.type is None:
        return
    caught = context.code(node.type)
    mentioned = [name for name in _mentioned(context) if name not in caught]
    for other in mentioned:
        inner = caught[1:-1].rstrip(", ") if caught.startswith("(") else caught
        yield context.put(node.type, f"({inner}, {other})", weight=1.0)
    for other in dict.fromkeys((*mentioned, *_RELATED.get(caught, ()), "Exception")):
        if other != caught:
            yield context.put(node.type, other, weight=0.8 if other in mentioned else 0.4)

"""Collections: an item too many or missing, a filter too many or missing, the orders that sets lose.

"Missing condition", "excess condition" and "missing element" are among the fix patterns of BugsInPy
(Widyasari et al. 2020). What is in common to the items that a failed comparison shows too many, and not to
others, is the condition. Numbers and texts themselves are in ``constants``.
"""

import ast
import re
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import Any

from bot.patch.syntax import walk
from bot.search.literals import sides
from bot.search.nearness import is_number, shared_ends
from bot.search.operators.base import Context, Mutation, operator, writable
from bot.search.operators.logic import seen_conditions
from bot.search.precedence import ATOM, OR
from bot.search.source import function_called, is_read, names_in
from sandbox.reports import TestResult

_MAX_ITEMS = 50
_SHORT = 6  # characters of a start or an end that is worth a condition
# Each says of all items that are too many, and of no other, that they are of its kind.
_KINDS: tuple[tuple[str, Callable[[Any], bool]], ...] = (
    ("{} is None", lambda item: item is None),
    ("not {}", lambda item: not item),
    ("not {}.strip()", lambda item: isinstance(item, str) and not item.strip()),
    ("{} < 0", lambda item: is_number(item) and item < 0),
    ("isinstance({}, bool)", lambda item: isinstance(item, bool)),
    ("isinstance({}, str)", lambda item: isinstance(item, str)),
    ("not isinstance({}, str)", lambda item: not isinstance(item, str)),
    ("{}.isdigit()", lambda item: isinstance(item, str) and item.isdigit()),
    ("{}.isspace()", lambda item: isinstance(item, str) and item.isspace()),
)
_QUOTED = re.compile(r"[\"'`]([^\"'`\s]{1,20})[\"'`]")
_MAX_MISSING = 8  # items that are tried as the missing one
_LIKE = 3  # items from which one sees what an item looks like
_MAX_TEXT = 2_000


def conditions(failing: Sequence[TestResult]) -> tuple[str, ...]:
    """What holds for every item that comparisons show too many and for no other one; ``{}`` is the item."""
    extra: list[Any] = []
    kept: list[Any] = []
    for result in failing:
        pair = sides(result.comparison)
        if pair is None or not all(isinstance(side, (list, tuple, set, dict)) for side in pair):
            continue
        longer, shorter = sorted(map(list, pair), key=len, reverse=True)
        more = [item for item in longer if item not in shorter]
        if len(more) + len(shorter) == len(longer) <= _MAX_ITEMS and more:
            extra += more
            kept += shorter
    if not extra:
        return ()
    found = [form for form, holds in _KINDS if all(map(holds, extra)) and not any(map(holds, kept))]
    return (*_ends(extra, kept), *found)


def _ends(extra: Sequence[Any], kept: Sequence[Any]) -> Iterator[str]:
    """What the texts that are too many begin or end with, and no other one."""
    if not all(isinstance(item, str) for item in extra):
        return
    others = [item for item in kept if isinstance(item, str)]
    start = _common_start(extra)
    end = _common_start([item[::-1] for item in extra])[::-1]
    for method, shared, cut in (("startswith", start, slice(None, 1)), ("endswith", end, slice(-1, None))):
        for text in dict.fromkeys((shared[cut], shared)):
            if 0 < len(text) <= _SHORT and not any(getattr(other, method)(text) for other in others):
                yield f"{{}}.{method}({text!r})"


def _common_start(texts: Sequence[str]) -> str:
    first = min(texts)
    return first[: shared_ends(first, max(texts))[0]]


@operator("drop filter", prior=0.5, kinds=(ast.comprehension,))
def drop_filter(node: ast.comprehension, context: Context) -> Iterator[Mutation]:
    """A filter too many."""
    previous: ast.expr = node.iter
    for test in node.ifs:
        after, (first, end) = context.source.segment(previous)[1], context.source.outer(test)
        head = context.source.code[after : context.source.code.rfind("if", after, first)]
        start = after + len(head.rstrip())
        yield context.replace(start, end, "", why=f"drop the filter `{context.code(test)}`")
        previous = test


@operator("add filter", prior=0.3, kinds=(ast.comprehension,))
def add_filter(node: ast.comprehension, context: Context) -> Iterator[Mutation]:
    """A filter that is missing: what is empty, None, or what the function asks elsewhere."""
    if node.ifs:
        return
    names = [name for name in names_in(node.target) if name != "_"]
    end = context.source.segment(node.iter)[1]
    tests = [test for name in names[:2] for test in ((name, 1.0), (f"{name} is not None", 0.7))]
    for name in names[:1]:
        tests += [(f"{name} > 0", 0.4), (f"{name}.strip()", 0.4), (f"{name} != ''", 0.2)]
    tests += [
        (context.operand(test, OR), 0.8)
        for test in seen_conditions(node.iter, context)
        if set(names) & set(names_in(test))
    ]
    for test, weight in tests:
        if not context.source.is_parenthesised(node.iter):
            yield context.replace(end, end, f" if {test}", weight=weight, why=f"keep only where `{test}`")


@operator("order lost", prior=0.7, kinds=(ast.Call,))
def order_lost(node: ast.Call, context: Context) -> Iterator[Mutation]:
    """``list(set(items))``: unique, but in no order."""
    name = function_called(node)
    inner = node.args[0] if len(node.args) == 1 else None
    unique = isinstance(inner, (ast.Set, ast.SetComp)) or function_called(inner) == "set"
    if name in {"list", "tuple"} and unique and inner is not None:
        yield context.put(node.func, "sorted")
        if isinstance(inner, ast.Call) and len(inner.args) == 1:
            yield context.put(inner, f"dict.fromkeys({context.code(inner.args[0])})")
            yield context.put(node, context.code(inner.args[0]), weight=0.5)
    elif name == "set" and len(node.args) == 1 and not isinstance(context.source.parents[node], ast.Compare):
        argument = context.code(node.args[0])
        yield context.put(node, f"list(dict.fromkeys({argument}))", weight=0.5)
        yield context.put(node, f"sorted(set({argument}))", weight=0.5)


@operator("item", prior=0.25, kinds=(ast.List, ast.Tuple, ast.Set))
def item(node: ast.List | ast.Tuple | ast.Set, context: Context) -> Iterator[Mutation]:
    """A list of choices with one too many, or one too few."""
    plain = len(node.elts) >= 2 and all(isinstance(part, ast.Constant) for part in node.elts)
    if not plain or not is_read(node):
        return
    values = [part.value for part in node.elts if isinstance(part, ast.Constant)]
    end = context.source.segment(node.elts[-1])[1]
    for text in _missing(values, node, context):
        yield context.replace(end, end, f", {text}", weight=0.8, why=f"add the item {text}")
    for part in node.elts if len(node.elts) > 2 or not isinstance(node, ast.Tuple) else ():
        why = f"drop the item {context.code(part)}"
        yield context.without(part, node.elts, weight=0.5, why=why)


def _missing(values: Sequence[object], node: ast.AST, context: Context) -> Iterator[str]:
    """Items that may be missing: the next number, what the docstring quotes, what the function compares."""
    if all(type(value) is int for value in values):
        numbers = [value for value in values if isinstance(value, int)]
        step = numbers[1] - numbers[0]
        even = all(after - before == step for before, after in pairwise(numbers))
        if even and step and writable(numbers[-1] + step):
            yield str(numbers[-1] + step)
        return
    if not all(isinstance(value, str) for value in values):
        return
    function = context.source.function_of(node)
    said = _QUOTED.findall(ast.get_docstring(function) or "") if function is not None else []
    beside = [part.value for part in context.scopes.region(node) if isinstance(part, ast.Constant)]
    texts = [*said, *(value for value in beside if isinstance(value, str) and len(value) <= 20)]
    new = [text for text in dict.fromkeys(texts) if text not in values and text.isprintable()]
    yield from (repr(text) for text in new[:_MAX_MISSING])


@operator("shown item", prior=0.7, kinds=(ast.List, ast.Tuple, ast.Set))
def shown_item(node: ast.List | ast.Tuple | ast.Set, context: Context) -> Iterator[Mutation]:
    """A list of choices that lacks what a failing test gives, such as one more name of its kind."""
    if is_read(node) and len(node.elts) >= _LIKE:
        end = context.source.segment(node.elts[-1])[1]
        for text in looking_alike([getattr(part, "value", None) for part in node.elts], context):
            yield context.replace(end, end, f", {text}", why=f"add the item {text}")


def looking_alike(values: Sequence[object], context: Context) -> Iterator[str]:
    """Texts of the failing tests that look like the items: the same first sign, words of the same case."""
    texts = [value for value in values if isinstance(value, str)]
    shape = _shape(texts) if len(texts) == len(values) else ""
    said = context.examples.texts if shape else ()
    found = [match for text in said for match in re.findall(shape, text[:_MAX_TEXT])]
    for text in [text for text in dict.fromkeys(found) if text not in texts][:_MAX_MISSING]:
        yield f'"{text}"'


def _shape(texts: Sequence[str]) -> str:
    """A pattern for texts that look like these; empty where they have too little in common."""
    sign = texts[0][:1] if not texts[0][:1].isalnum() else ""
    if not all(text.startswith(sign) for text in texts) or not sign.isascii() or sign in {'"', "\\"}:
        return ""
    for letters in ("a-z", "A-Z", "a-zA-Z"):
        word = rf"[{letters}][{letters}0-9]*(?:[-_][{letters}0-9]+)*"
        if all(re.fullmatch(word, text.removeprefix(sign)) for text in texts):
            before = "" if sign else r"(?<![\w-])"
            return rf"{before}{re.escape(sign)}{word}(?![\w-])"
    return ""


@operator("values of those present", prior=0.4, kinds=(ast.Call,))
def values_of_present(node: ast.Call, context: Context) -> Iterator[Mutation]:
    """``sum(weights.values())`` of all, where only those count that another dictionary has."""
    match node:
        case ast.Call(args=[ast.Call(func=ast.Attribute(value=held, attr="values")) as values], keywords=[]):
            pass
        case _:
            return
    if function_called(node) not in {"sum", "max", "min", "any", "all", "sorted", "list", "mean"}:
        return
    function = context.source.function_of(node)
    owner, names = context.code(held), []
    for part in walk(function) if function else ():
        match part.iter if isinstance(part, (ast.For, ast.comprehension)) else None:
            case (
                ast.Name(id=name)
                | ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="items" | "keys"))
            ):
                names.append(name)
    for rank, name in enumerate(dict.fromkeys(name for name in names if name != owner)):
        code = f"{owner}[key] for key in {name}"
        yield context.put(values, code, level=ATOM, weight=1 / (1 + 0.3 * rank))
        yield context.put(values, f"{code} if key in {owner}", level=ATOM, weight=0.5 / (1 + 0.3 * rank))

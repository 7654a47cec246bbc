"""Collections: an item too many or missing, or nothing that is ever put in.

"Missing element" and "missing statement" are among the fix patterns that BugsInPy's authors found (Widyasari
et al. 2020), and QuixBugs' classes (Lin et al. 2017). Numbers and texts themselves are in ``constants``.
"""

import ast
import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from bot.search.operators.base import Context, Mutation, operator, writable
from bot.search.operators.statements import inserted
from bot.search.source import is_read

_QUOTED = re.compile(r"[\"'`]([^\"'`\s]{1,20})[\"'`]")
_MAX_MISSING = 8  # items that are tried as the missing one
_LIKE = 3  # items from which one sees what an item looks like
_MAX_TEXT = 2_000
_EMPTY = {"set()": "{0}.add({1})", "[]": "{0}.append({1})", "list()": "{0}.append({1})"}
_READING = frozenset(
    {"len", "sorted", "list", "set", "tuple", "sum", "max", "min", "any", "all", "enumerate"}
)
_ITEMS = 3  # variables that are tried in one place


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
        for text in _looking_alike([getattr(part, "value", None) for part in node.elts], context):
            yield context.replace(end, end, f", {text}", why=f"add the item {text}")


def _looking_alike(values: Sequence[object], context: Context) -> Iterator[str]:
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


class _Unfilled(NamedTuple):
    """A collection that begins empty: how it is filled, where it begins, the names of what is asked of it."""

    form: str
    line: int
    asked: list[str]


@operator("never filled", prior=0.7, kinds=(ast.Expr, ast.Assign, ast.AugAssign, ast.For, ast.If, ast.Return))
def never_filled(node: ast.stmt, context: Context) -> Iterator[Mutation]:
    """``if x in seen`` without a ``seen.add(x)``."""
    around = [above for above in context.source.ancestors(node) if isinstance(above, ast.FunctionDef)]
    for name, found in context.once(_unfilled, around[-1]).items() if around else ():
        others = [other for other in context.scopes.variables(node) if other not in {name, "self"}]
        items = list(dict.fromkeys([*found.asked, *others]))[:_ITEMS]
        for rank, item in enumerate(items if node.lineno > found.line else ()):
            code, weight = found.form.format(name, item), 1 / (1 + 0.5 * rank)
            before = isinstance(node, ast.Return)
            yield from inserted(node, code, context, weight=weight, before=before)


def _unfilled(function: ast.AST, context: Context) -> dict[str, _Unfilled]:
    """What is bound to an empty collection once, and only read after that, by its name."""
    uses: dict[str, list[ast.Name]] = {}
    begun: dict[str, _Unfilled] = {}
    for part in ast.walk(function):
        if isinstance(part, ast.Name):
            uses.setdefault(part.id, []).append(part)
        for target, value in _bindings(part) if isinstance(part, ast.Assign) else ():
            if isinstance(target, ast.Name) and (form := _EMPTY.get(context.code(value))):
                begun[target.id] = _Unfilled(form, target.lineno, [])
    for name in list(begun):
        reads = [node for node in uses[name] if isinstance(node.ctx, ast.Load)]
        if len(reads) + 1 < len(uses[name]) or not all(_only_reads(node, context) for node in reads):
            del begun[name]
            continue
        for asked in (context.source.parents[node] for node in reads):
            if isinstance(asked, ast.Compare) and isinstance(asked.ops[0], (ast.In, ast.NotIn)):
                begun[name].asked.append(context.code(asked.left))
    return begun


def _bindings(node: ast.Assign) -> Iterator[tuple[ast.expr, ast.expr]]:
    """Each target with its value; those of ``a, b = c, d`` one by one."""
    for target in node.targets:
        if isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple):
            yield from zip(target.elts, node.value.elts, strict=False)
        else:
            yield target, node.value


def _only_reads(node: ast.Name, context: Context) -> bool:
    """Whether the place that names a collection cannot change it: any of its methods may fill it."""
    parent = context.source.parents[node]
    if isinstance(parent, ast.Call):
        return getattr(parent.func, "id", "") in _READING
    stored = isinstance(parent, ast.Subscript) and isinstance(parent.ctx, ast.Store)
    return not stored and not isinstance(parent, ast.Attribute)

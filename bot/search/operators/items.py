"""Collections: an item too many or missing.

"Missing element" and "missing statement" are among the fix patterns that BugsInPy's authors found (Widyasari
et al. 2020), and QuixBugs' classes (Lin et al. 2017). Numbers and texts themselves are in ``constants``.
"""

import ast
import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from bot.search.operators.base import Context, Mutation, operator, writable
from bot.search.source import is_read

_QUOTED = re.compile(r"[\"'`]([^\"'`\s]{1,20})[\"'`]")
_MAX_MISSING = 8  # items that are tried as the missing one
_LIKE = 3  # items from which one sees what an item looks like
_MAX_TEXT = 2_000


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

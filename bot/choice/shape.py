"""What the text of a patch tells of its worth, before anything is run."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from difflib import SequenceMatcher

from bot.choice.targets import definitions
from bot.domain import Patch
from bot.patch.apply import apply
from bot.patch.diff import changed_lines

_TOKEN = re.compile(r"\w+|[^\w\s]")
# Constants that a repair may bring along from nowhere: bounds, neutral elements, empty things.
_ORDINARY = (0, 1, -1, 2, None, True, False, "", "0", " ")
_MOST_TOKENS = 2_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """A patch in numbers.

    ``lines`` are removed and added lines, ``tokens`` those removed and added. ``only_deletes``: it removes
    text and puts nothing, or ``pass``, in its place. ``unused``: how many more parameters and local names
    than before are never read; negative where the patch puts names to use. ``pointless``: how many more
    expressions such as ``x < x`` there are. ``odd_constants``: constants that are neither ordinary nor in
    the file before.
    """

    lines: int
    tokens: int
    only_deletes: bool = False
    unused: int = 0
    pointless: int = 0
    odd_constants: int = 0


def shape_of(patch: Patch, sources: Mapping[str, str]) -> Shape:
    """The shape of ``patch``, which must apply to ``sources``."""
    after = apply(patch, sources)
    trees = [(_tree(sources.get(path, "")), _tree(text)) for path, text in after.items()]
    known = [(old, new) for old, new in trees if old is not None and new is not None]
    return Shape(
        lines=changed_lines(patch, sources),
        tokens=sum(_distance(sources.get(path, ""), text) for path, text in after.items()),
        only_deletes=only_deletes(patch),
        unused=sum(_unused(new).total() - _unused(old).total() for old, new in known),
        pointless=sum(_pointless(new) - _pointless(old) for old, new in known),
        odd_constants=sum(_odd_constants(old, new) for old, new in known),
    )


def only_deletes(patch: Patch) -> bool:
    """Whether every edit removes text and puts nothing, or ``pass``, in its place."""
    return all(edit.start < edit.end and edit.text.strip() in {"", "pass"} for edit in patch.edits)


def _tree(text: str) -> ast.Module | None:
    try:
        return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _distance(old: str, new: str) -> int:
    """Tokens removed and added, between the first and the last difference."""
    before, after = _TOKEN.findall(old), _TOKEN.findall(new)
    start = 0
    while start < min(len(before), len(after)) and before[start] == after[start]:
        start += 1
    before, after = before[start:], after[start:]
    while before and after and before[-1] == after[-1]:
        before.pop()
        after.pop()
    if len(before) + len(after) > _MOST_TOKENS:
        return len(before) + len(after)
    matches = SequenceMatcher(None, before, after, autojunk=False).get_matching_blocks()
    return len(before) + len(after) - 2 * sum(match.size for match in matches)


def _unused(tree: ast.Module) -> Counter[str]:
    """The parameters and local names of each function that it never reads."""
    found: Counter[str] = Counter()
    for name, node in definitions(tree):
        read = {n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)}
        # ``total += x`` reads, too, but nobody learns of it.
        own = node.args
        bound = {argument.arg for argument in (*own.posonlyargs, *own.args, *own.kwonlyargs)}
        bound |= {n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
        found.update(f"{name}.{one}" for one in bound - read if not one.startswith("_"))
    return found


def _pointless(tree: ast.Module) -> int:
    """Expressions that have no sense as they stand: ``x < x``, ``x - x``, ``x = x``, ``max(x, x)``."""
    count = 0
    for node in ast.walk(tree):
        match node:
            case ast.Compare(left=left, comparators=[right]):
                count += ast.dump(left) == ast.dump(right)
            case ast.BinOp(left=left, right=right, op=ast.Sub() | ast.Div() | ast.FloorDiv() | ast.Mod()):
                count += ast.dump(left) == ast.dump(right)
            case ast.BoolOp(values=values):
                count += len(values) - len({ast.dump(value) for value in values})
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Name(id=same)):
                count += name == same
            case ast.Call(args=[first, second]) if not node.keywords:
                count += not isinstance(first, ast.Constant) and ast.dump(first) == ast.dump(second)
            case ast.IfExp(body=body, orelse=orelse):
                count += ast.dump(body) == ast.dump(orelse)
    return count


def _odd_constants(old: ast.Module, new: ast.Module) -> int:
    added = Counter(_constants(new)) - Counter(_constants(old))
    known = set(_constants(old))
    return sum(1 for constant in added if constant not in known)


def _constants(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and node.value not in _ORDINARY:
            yield repr(node.value)

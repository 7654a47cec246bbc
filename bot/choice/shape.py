"""What the source of a patch shows about its quality, before anything is run."""

import ast
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import lru_cache

from bot.choice.code_smells import (
    broad_handlers,
    none_by_value,
    pointless_code,
    set_orders,
    shared_taken,
    unused_names,
    used_no_more,
)
from bot.domain import Patch
from bot.patch.apply import apply
from bot.patch.diff import changed_lines
from bot.patch.differing import Differing, differing
from bot.patch.syntax import parsed_once, walk
from bot.patch.text import common_ends, split_lines

# To ask for None is as plain as to ask for anything empty, and asks for less.
_TOKEN = re.compile(r"is(?: not)? None\b|\w+|[<>=!+\-*/%@&|^]=|//=?|\*\*=?|<<|>>|[^\w\s]")
# Constants that a repair may bring along from nowhere: bounds, neutral elements, empty things.
_ORDINARY = (0, 1, -1, 2, None, True, False, "", "0", " ")
_MAX_TOKENS = 2_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """A patch in numbers.

    ``lines`` are removed and added lines, ``tokens`` those removed and added; the same change in several
    places counts once. ``only_deletes``: it removes statements and puts nothing, or ``pass``, in their place.
    ``unused``: how many more parameters and local names than before are never read, or only asked about;
    negative where the patch puts names to use. ``pointless``: how many more expressions such as ``x < x``.
    ``odd_constants``: new constants that come from nowhere. ``by_value``: more comparisons such as
    ``x == None``. ``broad``: more handlers that catch every exception. ``taken``: more calls that take items
    out of an object which the function shares with others.
    ``unordered``: more lists in the order of a set. ``in_vain``: it sorts, or drops equal items, and another
    patch shows that neither is needed.
    """

    lines: int
    tokens: int
    only_deletes: bool = False
    unused: int = 0
    pointless: int = 0
    odd_constants: int = 0
    by_value: int = 0
    broad: int = 0
    taken: int = 0
    unordered: int = 0
    in_vain: bool = False

    @property
    def flaws(self) -> int:
        """How many things a reviewer would object to."""
        odd = self.pointless + self.odd_constants + self.by_value + self.broad + self.taken + self.unordered
        return self.only_deletes + self.unused + odd


def shape_of(patch: Patch, sources: Mapping[str, str]) -> Shape:
    """The shape of ``patch``, which must apply to ``sources``."""
    after = apply(patch, sources)
    parts = {path: differing(sources.get(path, ""), code) for path, code in after.items()}
    known = [part for part in parts.values() if part is not None]
    places = _places_alike(patch, sources)
    return Shape(
        lines=changed_lines(patch, sources) // places,
        tokens=sum(_distance(sources.get(path, ""), code) for path, code in after.items()) // places,
        only_deletes=_only_deletes(patch) and _statements(known) < 0,
        unused=sum(unused_names(new) - unused_names(old) + used_no_more(old, new) for old, new in known),
        pointless=_pointless(known),
        by_value=sum(none_by_value(new) - none_by_value(old) for old, new in known),
        broad=sum(broad_handlers(new) - broad_handlers(old) for old, new in known),
        # To leave such code out is no merit.
        unordered=max(0, sum(set_orders(new) - set_orders(old) for old, new in known)),
        taken=max(0, sum(shared_taken(new) - shared_taken(old) for old, new in known)),
        odd_constants=sum(
            len(odd_constants(sources.get(path, ""), part.new)) for path, part in parts.items() if part
        ),
    )


def _places_alike(patch: Patch, sources: Mapping[str, str]) -> int:
    """In how many places the patch makes one and the same change; 1 where its edits differ."""
    edits = {(sources.get(one.path, "")[one.start : one.end], one.replacement) for one in patch.edits}
    return len(patch.edits) if len(edits) == 1 else 1


def _pointless(trees: Sequence[Differing]) -> int:
    try:
        return sum(pointless_code(new) - pointless_code(old) for old, new in trees)
    except RecursionError:  # nested too deeply to be compared
        return 0


def _statements(trees: Sequence[Differing]) -> int:
    """How many more statements that do something there are than before."""
    return sum(
        sign * (isinstance(node, ast.stmt) and not isinstance(node, ast.Pass))
        for old, new in trees
        for sign, tree in ((-1, old), (1, new))
        for node in walk(tree)
    )


def _only_deletes(patch: Patch) -> bool:
    """Whether every edit removes text and puts nothing, or ``pass``, in its place."""
    return all(edit.start < edit.end and edit.replacement.strip() in {"", "pass"} for edit in patch.edits)


def _distance(old: str, new: str) -> int:
    """Tokens removed and added, between the first and the last difference."""
    lines, new_lines = split_lines(old), split_lines(new)
    head, tail = common_ends(lines, new_lines)
    before = _TOKEN.findall("".join(lines[head : len(lines) - tail]))
    after = _TOKEN.findall("".join(new_lines[head : len(new_lines) - tail]))
    head, tail = common_ends(before, after)
    before, after = before[head : len(before) - tail], after[head : len(after) - tail]
    if len(before) + len(after) > _MAX_TOKENS:
        return len(before) + len(after)
    matches = SequenceMatcher(None, before, after, autojunk=False).get_matching_blocks()
    return len(before) + len(after) - 2 * sum(match.size for match in matches)


def odd_constants(source: str, new: ast.Module) -> frozenset[str]:
    """New constants, as code: not ordinary and, where they are numbers, not next to one in ``source``."""
    texts, near = _known_constants(source)
    values = (node.value for node in walk(new) if isinstance(node, ast.Constant))
    added = {repr(value): value for value in values if value not in _ORDINARY}
    return frozenset(code for code, value in added.items() if code not in texts and value not in near)


@lru_cache(maxsize=16)
def _known_constants(source: str) -> tuple[frozenset[str], frozenset[float]]:
    """The constants of a file, as code, and the numbers next to one of them."""
    tree = parsed_once(source)
    values = [node.value for node in walk(tree) if isinstance(node, ast.Constant)] if tree else []
    numbers = [one for one in values if isinstance(one, int | float) and not isinstance(one, bool)]
    near = frozenset(value + step for value in numbers for step in (-1, 0, 1))
    return frozenset(map(repr, values)), near

"""A change cut into parts that can be taken back one by one: hunks, then their statements and lines.

Each part is an edit of the new version that restores the old one there.
"""

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from itertools import accumulate, islice

from bot.domain import Patch, SpanEdit
from bot.errors import PatchError
from bot.patch.apply import apply
from bot.patch.syntax import same_code
from bot.patch.text import line_changes, split_lines
from bot.search.difference.by_statements import by_statements

MAX_PAIRS = 250_000
"""Of lines of two files that are compared at once; beyond it that could take minutes."""
ALIKE = 0.6
"""From here on, a line is taken for another version of the other."""

MAX_COMPARED = 10_000_000
"""Pairs of characters of a block's lines; of more, it takes too long to say which stands for which."""

NEAR = 2_000
"""Characters before an edit that are searched for a line of code."""

_CODE = re.compile(r"^[ \t]*[^\s#].*", re.MULTILINE)
_SAYS_NOTHING = re.compile(r"\s*(?:#.*)?\s*\Z")


def hunks(base: Mapping[str, str], head: Mapping[str, str]) -> tuple[SpanEdit, ...]:
    """The edits that turn ``head`` back into ``base``, one for each block of changed lines.

    Files that only one of them has, and blocks of comments and blank lines, are left out.
    """
    found: list[SpanEdit] = []
    for path in sorted(base.keys() & head.keys()):
        if base[path] != head[path]:
            found += _blocks(path, split_lines(base[path]), split_lines(head[path]))
    return tuple(found)


def finer(edits: Sequence[SpanEdit], head: Mapping[str, str]) -> tuple[SpanEdit, ...]:
    """``edits`` cut along statements, then into lines: each new line and the old one that it comes from."""
    found: list[SpanEdit] = []
    for edit in (part for whole in edits for part in by_statements(whole, head[whole.path])):
        new, old = split_lines(head[edit.path][edit.start : edit.end]), split_lines(edit.replacement)
        places = [*accumulate(map(len, new), initial=edit.start)]
        cuts = _by_lines(new, old)
        if len(cuts) < 2:
            found.append(edit)
            continue
        for i, j, k, m in cuts:
            if new[i:j] != old[k:m] and not _is_silent((*new[i:j], *old[k:m])):
                restored = "".join(old[k:m])
                if restored and not restored.endswith("\n") and places[j] < len(head[edit.path]):
                    restored += "\n"  # the old version's last line, before one that says nothing
                found.append(SpanEdit(path=edit.path, start=places[i], end=places[j], replacement=restored))
    return tuple(found)


def _by_lines(new: Sequence[str], old: Sequence[str]) -> list[tuple[int, int, int, int]]:
    """Which of the ``new`` lines stand for which ``old`` ones, as two stretches each: all of both."""
    if len(new) == len(old):
        return [(line, line + 1, line, line + 1) for line in range(len(new))]
    if sum(map(len, new)) * sum(map(len, old)) > MAX_COMPARED:
        return [(0, len(new), 0, len(old))]
    cuts: list[tuple[int, int, int, int]] = []
    here = there = 0
    for line, other in [*_alike(new, old), (len(new), len(old))]:
        if here < line or there < other:
            cuts.append((here, line, there, other))
        if line < len(new):
            cuts.append((line, line + 1, other, other + 1))
        here, there = line + 1, other + 1
    return cuts


def _alike(new: Sequence[str], old: Sequence[str]) -> list[tuple[int, int]]:
    """The pairs of lines, in the order of both, that are alike: those whose likeness is the most together."""
    best = [[0.0] * (len(old) + 1) for _ in range(len(new) + 1)]
    for line in reversed(range(len(new))):
        for other in reversed(range(len(old))):
            paired = _likeness(new[line], old[other]) + best[line + 1][other + 1]
            best[line][other] = max(paired, best[line + 1][other], best[line][other + 1])
    found: list[tuple[int, int]] = []
    line = other = 0
    while line < len(new) and other < len(old):
        if best[line][other] == best[line + 1][other]:
            line += 1
        elif best[line][other] == best[line][other + 1]:
            other += 1
        else:
            found.append((line, other))
            line, other = line + 1, other + 1
    return found


def _likeness(one: str, other: str) -> float:
    if one == other:
        return 1.0
    matcher = SequenceMatcher(None, one.strip(), other.strip(), autojunk=False)
    if matcher.real_quick_ratio() < ALIKE or matcher.quick_ratio() < ALIKE:
        return 0.0
    ratio = matcher.ratio()
    return ratio if ratio >= ALIKE else 0.0


def overlap(one: SpanEdit, other: SpanEdit) -> bool:
    """Whether two edits touch."""
    return one.path == other.path and one.start <= other.end and other.start <= one.end


def lines_of(edit: SpanEdit, head: Mapping[str, str]) -> range:
    """The lines (1-based) of ``head`` that ``edit`` replaces; the one that it inserts before."""
    text = head[edit.path]
    first = text.count("\n", 0, edit.start) + 1
    return range(first, first + max(1, len(split_lines(text[edit.start : edit.end]))))


def neighbours(edit: SpanEdit, head: Mapping[str, str]) -> list[int]:
    """The lines (1-based) of code nearest to ``edit`` in ``head``: one before it, one behind it, or fewer."""
    text = head[edit.path]
    before = [one.start() for one in _CODE.finditer(text, max(0, edit.start - NEAR), edit.start)]
    behind = [one.start() for one in islice(_CODE.finditer(text, edit.end), 1)]
    return [text.count("\n", 0, start) + 1 for start in (*before[-1:], *behind)]


def size(edits: Sequence[SpanEdit], head: Mapping[str, str]) -> int:
    """How many lines ``edits`` replace or restore: of each the longer side."""
    return sum(
        max(len(split_lines(head[edit.path][edit.start : edit.end])), len(split_lines(edit.replacement)))
        for edit in edits
    )


def do_the_same(edits: Sequence[SpanEdit], others: Sequence[SpanEdit], head: Mapping[str, str]) -> bool:
    """Whether ``edits`` and ``others`` make the same code of ``head``; not where they do not apply."""
    try:
        one, other = (apply(Patch(edits=tuple(some)), head) for some in (edits, others))
    except PatchError:
        return False
    return one.keys() == other.keys() and all(same_code(one[path], other[path]) for path in one)


def _blocks(path: str, old: list[str], new: list[str]) -> Iterator[SpanEdit]:
    offsets = [0, *accumulate(map(len, new))]
    for first, last, old_start, old_end in _changes(new, old):
        restored = old[old_start:old_end]
        if not _is_silent((*new[first:last], *restored)):
            code = "".join(restored)
            yield SpanEdit(path=path, start=offsets[first], end=offsets[last], replacement=code)


def _changes(new: list[str], old: list[str]) -> Iterator[tuple[int, int, int, int]]:
    """The differences between two lists of lines; of long ones, between the lines that both have once."""
    low = other = 0
    anchors = _anchors(new, old) if len(new) * len(old) > MAX_PAIRS else []
    for here, there in [*anchors, (len(new), len(old))]:
        for one in line_changes(new[low:here], old[other:there]):
            yield low + one.old_start, low + one.old_end, other + one.new_start, other + one.new_end
        low, other = here, there


def _anchors(new: list[str], old: list[str]) -> list[tuple[int, int]]:
    """The places of lines that both have once, in the order of both: the longest such sequence."""
    counts, others = Counter(new), Counter(old)
    places = {line: place for place, line in enumerate(old) if others[line] == 1}
    pairs = [(place, places[line]) for place, line in enumerate(new) if counts[line] == 1 and line in places]
    ends: list[int] = []  # of the sequences by length, the smallest end
    last: list[int] = []
    before: list[int] = []
    for number, (_, there) in enumerate(pairs):
        length = bisect_left(ends, there)
        before.append(last[length - 1] if length else -1)
        ends[length : length + 1] = [there]
        last[length : length + 1] = [number]
    found: list[tuple[int, int]] = []
    number = last[-1] if last else -1
    while number >= 0:
        found.append(pairs[number])
        number = before[number]
    return found[::-1]


def _is_silent(lines: Sequence[str]) -> bool:
    """Whether ``lines`` are comments and blank lines only; in a string they are taken for such too."""
    return all(_SAYS_NOTHING.match(line) for line in lines)

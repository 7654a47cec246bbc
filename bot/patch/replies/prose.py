"""A change described in words: "change `a < b` to `a <= b`", "line 7 should be: ...", before and after.

Read only where nothing else in the reply is a patch, and only when one place of one file is meant.
"""

import re
from collections.abc import Iterator
from contextlib import suppress
from itertools import islice

from bot.domain import Patch, SpanEdit
from bot.errors import PatchError
from bot.patch.replies.artefacts import line_number, without_numbers
from bot.patch.replies.fences import Fence, fences
from bot.patch.replies.match import fitted, indent, locate, shifted, similarity
from bot.patch.replies.substitution import substitution
from bot.patch.text import NumberedSource, Sources, one_line

# Each reading looks through all files that are shown.
_MAX_FENCES, _MAX_QUOTES = 10, 10
# A shorter text says too little of its place.
_SHORTEST = 3
_MAX_SNIPPET_LINES = 30
_ALIKE, _UNLIKE = 0.65, 0.1

_CODE = r"`{1,3}[^`\n]{2,300}`{1,3}"
_GAP = r"[^`\n]{0,40}"
_VERBS = r"\b(?:chang|replac|substitut|updat|correct|turn|modif)\w*\b[^`\n]{0,80}"
_MUST = r"\b(?:should|must|needs to|has to)\b[^`\n]{0,15}\b(?:be|become|read)\b"
_FROM_TO = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"{_VERBS}(?P<old>{_CODE}){_GAP}\b(?:to|with|by|into)\b{_GAP}(?P<new>{_CODE})",
        rf"(?P<old>{_CODE}){_GAP}{_MUST}{_GAP}(?P<new>{_CODE})",
        rf"(?P<old>{_CODE})\s{{0,9}}(?:->|=>|→)\s{{0,9}}(?P<new>{_CODE})",
        rf"\buse\b{_GAP}(?P<new>{_CODE}){_GAP}\binstead of\b{_GAP}(?P<old>{_CODE})",
    )
)
_LINE_NUMBER = re.compile(r"\bline\s+(?:number\s+)?(\d{1,6})\b", re.IGNORECASE)
_NEW = re.compile(
    r"\b(?:should|must|needs? to|has to|correct|fixed|instead|replace|change|after|new)", re.IGNORECASE
)


def read_prose(reply: str, sources: Sources) -> Patch | None:
    """The one change that ``reply`` describes in words; None when none is clear."""
    for reading in (_before_and_after, _from_to, _snippet):
        found = list(dict.fromkeys(reading(reply, sources)))
        if len(found) == 1:
            return Patch(edits=(found[0],))
        if found:
            raise PatchError("the reply describes several changes in words: answer with one patch")
    return None


def _before_and_after(reply: str, sources: Sources) -> Iterator[SpanEdit]:
    """A fence with lines of a file, then one with what they become."""
    found = [fence for fence in fences(reply)[:_MAX_FENCES] if fence.body.strip()]
    if len(found) != 2 or max(fence.body.count("\n") for fence in found) > _MAX_SNIPPET_LINES:
        return
    old, new = (without_numbers(fence.body.strip("\n").split("\n")) for fence in found)
    if old == new:
        return
    for source in _files(sources):
        try:
            place = locate(source, old)
        except PatchError:
            continue
        yield source.replace(place.start + 1, place.end, fitted(new, place, source))


def _from_to(reply: str, sources: Sources) -> Iterator[SpanEdit]:
    said = [match for pattern in _FROM_TO for match in islice(pattern.finditer(reply), _MAX_QUOTES)]
    for match in said:
        old, new = (match[name].strip("`").strip() for name in ("old", "new"))
        if old == new or len(old) < _SHORTEST:
            continue
        files = list(_files(sources))
        holders = [source for source in files if old in source.text] or files
        if len(holders) == 1 and holders[0].text.count(old) > 1:
            raise PatchError(f"{one_line(old, limit=80)!r} occurs several times: answer with a patch in JSON")
        for source in holders:
            with suppress(PatchError):
                yield substitution(source, old, new)


def _snippet(reply: str, sources: Sources) -> Iterator[SpanEdit]:
    """The last short snippet that is said to be how a line should be, at the line that it is a version of."""
    found = fences(reply)[:_MAX_FENCES]
    if len(found) != 1 or not _NEW.search(reply):
        return
    lines = [line for line in found[0].body.split("\n") if line.strip()]
    if len(lines) != 1:
        return
    stated = line_number(lines[0]) or _stated_line(found[0], reply)
    new = without_numbers(lines)[0] if line_number(lines[0]) is None else lines[0].partition("|")[2]
    candidates = list(_versions(new, stated, sources))
    best = max((score for score, _, _ in candidates), default=0.0)
    near = [(source, at) for score, source, at in candidates if score >= best - _UNLIKE]
    if best < _ALIKE or len(near) != 1:
        return
    source, at = near[0]
    old = source.bare_lines()[at]
    if old.strip() != new.strip():
        yield source.replace(at + 1, at + 1, [shifted(new.strip(), "", indent(old))])


def _stated_line(fence: Fence, reply: str) -> int | None:
    named = _LINE_NUMBER.findall(fence.before) or _LINE_NUMBER.findall(reply)
    return int(named[-1]) if len(set(named)) == 1 else None


def _versions(new: str, stated: int | None, sources: Sources) -> Iterator[tuple[float, NumberedSource, int]]:
    """How alike each line is; the stated one is more likely to be meant."""
    for source in _files(sources):
        for at, line in enumerate(source.bare_lines()):
            score = similarity(new, line) + 0.15 * (stated == at + 1)
            if score >= _ALIKE - _UNLIKE:
                yield score, source, at


def _files(sources: Sources) -> Iterator[NumberedSource]:
    """The files, where they are few and small enough to be looked through for a guess in words."""
    if len(sources) > 8 or sum(map(len, sources.values())) > 200_000:
        return
    for path, source in sorted(sources.items()):
        yield NumberedSource(path, source)

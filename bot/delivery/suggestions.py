"""A patch as suggestions in a review: where they may stand in a pull request's diff, and what they hold.

All changes find a place, or the answer is why not. What GitHub would not give back byte for byte when it
commits a suggestion (carriage returns, a last line without its end, bytes that are not UTF-8, characters that
cannot be seen) is not suggested.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from bot.delivery.markdown import is_visible
from bot.github.records import ChangedFile
from bot.patch.text import LineChange, decode, line_changes, shown_surrogates, split_lines

# Changes that lie this near to each other are suggested as one: each can be applied by itself otherwise.
MERGED_GAP = 3
MAX_SUGGESTIONS = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Suggestion:
    """Put ``lines`` (with their ends) in the place of lines ``start`` to ``end``, 1-based and inclusive."""

    path: str
    start: int
    end: int
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Placement:
    """The suggestions, or why the patch cannot be one: ``problem`` is empty if and only if it can."""

    suggestions: tuple[Suggestion, ...] = ()
    problem: str = ""


def place(
    before: Mapping[str, bytes | None], after: Mapping[str, bytes], diff: Sequence[ChangedFile]
) -> Placement:
    """The patch from ``before`` to ``after`` as suggestions within the hunks of a pull request's ``diff``."""
    patches = {file.path: file.patch for file in diff if file.status != "removed"}
    found: list[Suggestion] = []
    for path in sorted(after):
        old = before.get(path)
        if old is None:
            return Placement(problem=f"{path} is a new file")
        if not patches.get(path):
            return Placement(problem=f"the diff of the pull request does not show {path}")
        text = decode(old)
        if shown_surrogates(text) != text:
            # What GitHub makes of the file's other lines when it commits a suggestion is not documented.
            return Placement(problem=f"{path} holds bytes that are not UTF-8")
        lines, new = split_lines(text), split_lines(decode(after[path]))
        found_hunks = hunks(patches[path], lines)
        here: list[Suggestion] = []
        for change in line_changes(lines, new):
            placed = _placed(path, change, lines, new, found_hunks)
            if isinstance(placed, str):
                return Placement(problem=placed)
            here.append(placed)
        found += _merged(here, lines, found_hunks)
    if len(found) > MAX_SUGGESTIONS:
        return Placement(problem=f"{len(found)} suggestions are more than one reads")
    return Placement(suggestions=tuple(found))


def hunks(patch: str, lines: Sequence[str] | None = None) -> tuple[range, ...]:
    """The lines of the new side that the hunks show, 1-based; none where those are not among ``lines``."""
    from unidiff.errors import UnidiffParseError
    from unidiff.patch import PatchSet

    try:
        files = PatchSet.from_string(f"--- a/file\n+++ b/file\n{patch}\n")
    except UnidiffParseError:
        return ()
    found = []
    for hunk in (hunk for file in files for hunk in file):
        shown = [line.value.rstrip("\r\n") for line in hunk.target_lines()]
        at = hunk.target_start - 1
        if lines is not None and shown != [line.rstrip("\r\n") for line in lines[at : at + len(shown)]]:
            return ()
        found.append(range(hunk.target_start, hunk.target_start + len(shown)))
    return tuple(found)


def _placed(
    path: str, change: LineChange, old: Sequence[str], new: Sequence[str], hunks: Iterable[range]
) -> Suggestion | str:
    """The suggestion for one change; otherwise why there is none."""
    inserted = tuple(new[change.new_start : change.new_end])
    first, last = change.old_start + 1, change.old_end
    options = [Suggestion(path=path, start=first, end=last, lines=inserted)]
    if first > last:
        # What is inserted needs a line to stand at: the one before it, or the one behind.
        behind, ahead = old[change.old_start : first], old[change.old_start - 1 : change.old_start]
        options = []
        if ahead:
            options.append(Suggestion(path=path, start=last, end=last, lines=(*ahead, *inserted)))
        if behind:
            options.append(Suggestion(path=path, start=first, end=first, lines=(*inserted, *behind)))
    for option in options:
        if any(option.start in hunk and option.end in hunk for hunk in hunks):
            return _unfit(option, old) or option
    return f"line {max(first, 1)} of {path} lies outside of the pull request's diff"


def _unfit(suggestion: Suggestion, old: Sequence[str]) -> str:
    """Why the lines would not come out of a suggestion as they are; empty if they would."""
    lines = (*old[suggestion.start - 1 : suggestion.end], *suggestion.lines)
    if not all(line.endswith("\n") for line in lines):
        return f"the change reaches the end of {suggestion.path}, where no line feed is"
    if any("\r" in line for line in lines):
        return f"{suggestion.path} has carriage returns, which a suggestion loses"
    if not all(is_visible(line) for line in lines):
        return f"{suggestion.path} holds characters there that a suggestion cannot show"
    return ""


def _merged(found: Sequence[Suggestion], old: Sequence[str], hunks: Sequence[range]) -> list[Suggestion]:
    """The suggestions for one file, near ones put together with the lines between."""
    merged: list[Suggestion] = []
    for one in found:
        last = merged[-1] if merged else None
        if last is None or not _are_near(last, one, hunks):
            merged.append(one)
            continue
        overlap = max(0, last.end - one.start + 1)
        between = tuple(old[last.end : one.start - 1])
        merged[-1] = Suggestion(
            path=one.path,
            start=last.start,
            end=max(last.end, one.end),
            lines=(*last.lines, *between, *one.lines[overlap:]),
        )
    return merged


def _are_near(first: Suggestion, second: Suggestion, hunks: Sequence[range]) -> bool:
    one_hunk = any(first.start in hunk and second.end in hunk for hunk in hunks)
    return one_hunk and second.start - first.end - 1 <= MERGED_GAP

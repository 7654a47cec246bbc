"""Where quoted lines stand in a file, found with more and more tolerance, and never by guessing.

Each level forgives more than the one before: nothing, trailing blanks, indentation, spacing and the kind of
quotes, line numbers copied along, one misquoted line among others. The first level that finds anything
decides; two places there are one too many, unless the stated line number distinguishes them.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher, get_close_matches

from bot.errors import PatchError
from bot.patch.replies.artefacts import squeezed, without_numbers
from bot.patch.text import NumberedSource, Sources, line_changes, occurrences, one_line

# How far from its stated line a text may lie when it occurs more than once.
NEARBY_LINES = 25
# A misquoted line is forgiven among so many right ones, and when it looks that much alike.
_RIGHT_LINES, _ALIKE = 2, 0.7
# Comparing by likeness takes time in proportion to both; hostile sizes are left out.
_MAX_WANTED, _MAX_LINES = 60, 4_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Located:
    """Lines ``[start:end]`` of a file (0-based) that ``wanted`` quotes, exactly or in its own layout."""

    start: int
    end: int
    wanted: tuple[str, ...]
    exact: bool


def locate(
    source: NumberedSource, wanted: Sequence[str], *, near: int | None = None, floor: int = 0
) -> Located:
    """The one place of ``wanted`` (bare lines, not all blank) in ``source``, at or behind line ``floor``.

    ``near`` is the 0-based line where it is said to be: it decides between several places.

    Raises:
        PatchError: there is no place, or more than one.
    """
    levels = ([place for place in level if place.start >= floor] for level in _levels(source, wanted))
    found = next(filter(None, levels), [])
    if not found:
        raise PatchError(_absent(source, wanted))
    if near is not None:
        stated = [place for place in found if place.start == near]
        close = [place for place in found if abs(place.start - near) <= NEARBY_LINES]
        found = stated or (close if len(close) == 1 else found)
    if len(found) > 1:
        lines = ", ".join(str(place.start + 1) for place in found[:5])
        raise PatchError(
            f"the quoted text fits {len(found)} places in {source.path!r} (lines {lines}): quote more lines"
        )
    return found[0]


def holders(wanted: Sequence[str], sources: Sources) -> list[str]:
    """The files that hold ``wanted``, or else its longest line."""
    longest = max((line.strip() for line in wanted), key=len)
    likely = [path for path, text in sorted(sources.items()) if longest in text]
    return [path for path in likely if holds(NumberedSource(path, sources[path]), wanted)] or likely


def holds(source: NumberedSource, wanted: Sequence[str]) -> bool:
    """Whether ``source`` holds ``wanted``, indentation and trailing blanks apart."""
    return any(next(_same(source, wanted, key), None) for key in (str.rstrip, str.strip))


def fitted(new: Sequence[str], place: Located, source: NumberedSource) -> list[str]:
    """``new`` in the layout of the place: what was quoted stays as it stands there, the rest moves along."""
    if place.exact:
        return list(new)
    found = _with_blanks(source.bare_lines()[place.start : place.end])
    wanted = [line for line in without_numbers(place.wanted) if line.strip()]
    given = _with_blanks(without_numbers(new))
    first = len(indent(wanted[0]))
    old_keys, new_keys = (
        [f"{len(indent(line)) - first} {squeezed(line)}" for line in lines]
        for lines in (wanted, [line for _, line in given])
    )
    lines: list[str] = []
    at = 0
    for change in [*line_changes(old_keys, new_keys), None]:
        for blanks, line in found[at : change.old_start if change else len(found)]:
            lines += [*blanks, line]
        if change is None:
            break
        at = change.old_end
        for number, (blanks, line) in enumerate(given[change.new_start : change.new_end]):
            near = min(change.old_start + number, max(change.old_end - 1, change.old_start - 1, 0))
            near = min(near, len(wanted) - 1)
            # a line in the place of one that stood apart stands apart
            kept = found[near][0] if near >= change.old_start else blanks
            lines += [*kept, shifted(line, indent(wanted[near]), indent(found[near][1]))]
    return lines


def _with_blanks(lines: Sequence[str]) -> list[tuple[list[str], str]]:
    """The lines that are not blank, each with the blank ones before it; the first has none."""
    found: list[tuple[list[str], str]] = []
    blanks: list[str] = []
    for line in lines:
        if line.strip():
            found.append((blanks if found else [], line))
            blanks = []
        else:
            blanks.append(line.strip(" \t"))
    return found


def indent(line: str) -> str:
    """The blanks that ``line`` begins with."""
    return line[: len(line) - len(line.lstrip(" \t"))]


def shifted(line: str, old: str, new: str) -> str:
    """``line`` moved as far as from the indentation ``old`` to ``new``."""
    if not line.strip():
        return ""
    if line.startswith(old):
        return new + line[len(old) :]
    own = indent(line)
    return new[: max(0, len(new) - (len(old) - len(own)))] + line[len(own) :]


def similarity(one: str, other: str) -> float:
    """How alike two lines are, blanks apart, from 0 to 1."""
    matcher = SequenceMatcher(None, squeezed(one[:300]), squeezed(other[:300]), autojunk=False)
    return matcher.ratio() if matcher.real_quick_ratio() > 0.5 and matcher.quick_ratio() > 0.5 else 0.0


def _levels(source: NumberedSource, wanted: Sequence[str]) -> Iterator[list[Located]]:
    yield list(_same(source, wanted, str))
    yield list(_same(source, wanted, str.rstrip))
    for quoted in (list(wanted), without_numbers(wanted)):
        for key in (str.strip, squeezed):
            yield list(_same(source, quoted, key))
    yield list(_nearly(source, without_numbers(wanted)))


def _same(source: NumberedSource, wanted: Sequence[str], key: Callable[[str], str]) -> Iterator[Located]:
    """Places whose lines have the same keys; blank lines count only where trailing blanks do at most."""
    exact = key in {str, str.rstrip}
    lines = list(enumerate(source.bare_lines()))
    if not exact:
        lines = [(at, line) for at, line in lines if line.strip()]
    needle = [key(line) for line in wanted if exact or line.strip()]
    if not any(needle):
        return
    for at in occurrences(needle, [key(line) for _, line in lines]):
        start, end = lines[at][0], lines[at + len(needle) - 1][0] + 1
        yield Located(start=start, end=end, wanted=tuple(wanted), exact=exact)


def _nearly(source: NumberedSource, wanted: Sequence[str]) -> Iterator[Located]:
    """Places where all lines but one are quoted right, and that one looks alike."""
    lines = [(at, line) for at, line in enumerate(source.bare_lines()) if line.strip()]
    bare = [line for line in wanted if line.strip()]
    needle, hay = [squeezed(line) for line in bare], [squeezed(line) for _, line in lines]
    width = len(needle)
    if not _RIGHT_LINES < width <= _MAX_WANTED or len(hay) > _MAX_LINES:
        return
    for at in range(len(hay) - width + 1):
        wrong = [n for n in range(width) if needle[n] != hay[at + n]]
        if len(wrong) == 1 and similarity(needle[wrong[0]], hay[at + wrong[0]]) >= _ALIKE:
            start, end = lines[at][0], lines[at + width - 1][0] + 1
            yield Located(start=start, end=end, wanted=tuple(wanted), exact=False)


def _absent(source: NumberedSource, wanted: Sequence[str]) -> str:
    lines = without_numbers([line for line in wanted if line.strip()])
    present = {line.strip() for line in source.bare_lines()}
    missing = next((line for line in lines if line.strip() not in present), lines[0]).strip()
    message = (
        f"the quoted text does not occur in {source.path!r}: there is no line {one_line(missing, limit=80)!r}"
    )
    if len(present) <= _MAX_LINES and (close := get_close_matches(missing[:300], present, 1, 0.6)):
        message += f"; the nearest one is {one_line(close[0], limit=80)!r}"
    return message

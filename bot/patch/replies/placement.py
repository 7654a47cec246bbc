"""Edits by line number, put right where taking them by the letter would break the file.

Models count lines badly and forget indentation. As long as the letter gives Python that parses, it is
followed. Where it does not, and another reading of the same edits does, that one is meant: the new lines at
the indentation of those that they replace, or the range at the one near line that they are a version of.
"""

from collections.abc import Callable, Iterator, Mapping

from bot.domain import Patch
from bot.errors import PatchError
from bot.patch.apply import apply
from bot.patch.replies.artefacts import line_number, without_numbers
from bot.patch.replies.match import indent, shifted, similarity
from bot.patch.replies.paths import meant_path
from bot.patch.replies.structured import Edit, Insert, Replace, StructuredPatch, to_patch
from bot.patch.syntax import parsed
from bot.patch.text import NumberedSource, Sources

# How far from its stated number a line is looked for, how alike it must be, and how unlike the stated one.
_NEARBY_LINES, _ALIKE, _UNLIKE = 5, 0.7, 0.5


def placed(structured: StructuredPatch, sources: Sources) -> Patch:
    """The meaning of ``structured`` for ``sources``, by the letter wherever that parses.

    Raises:
        PatchError: as :func:`bot.patch.replies.structured.to_patch` does, of the letter.
    """
    try:
        literal = to_patch(structured, sources)
    except PatchError:
        if (patch := next(_readings(structured, sources), None)) is not None:
            return patch
        raise
    if _parses(literal, sources):
        return literal
    return next(_readings(structured, sources), literal)


def _readings(structured: StructuredPatch, sources: Sources) -> Iterator[Patch]:
    """Other readings that apply and parse, the likeliest first."""
    files: dict[str, NumberedSource] = {}
    for edit in structured.edits:
        if (path := meant_path(edit.path, sources)) is not None and path not in files:
            files[path] = NumberedSource(path, sources[path])
    for readings in ((_unnumbered,), (_reindented,), (_relocated,), (_relocated, _reindented)):
        edits = list(structured.edits)
        for reading in readings:
            edits = [_read(edit, reading, files, sources) for edit in edits]
        if edits == list(structured.edits):
            continue
        try:
            patch = to_patch(structured.model_copy(update={"edits": edits}), sources)
        except PatchError:
            continue
        if _parses(patch, sources):
            yield patch


_Numbered = Replace | Insert


def _read(
    edit: Edit,
    reading: Callable[[_Numbered, NumberedSource], _Numbered],
    files: Mapping[str, NumberedSource],
    sources: Sources,
) -> Edit:
    if not isinstance(edit, Replace | Insert):
        return edit
    path = meant_path(edit.path, sources)
    return edit if path is None else reading(edit, files[path])


def _parses(patch: Patch, sources: Sources) -> bool:
    """Whether no Python file that parsed before is broken."""
    return all(
        parsed(source) is not None or parsed(sources.get(path, "")) is None
        for path, source in apply(patch, sources).items()
        if path.endswith(".py")
    )


def _unnumbered(edit: _Numbered, source: NumberedSource) -> _Numbered:  # noqa: ARG001 - one of the readings
    """Without the numbers of the excerpt."""
    lines = without_numbers([part for line in edit.lines for part in line.split("\n")])
    return edit.model_copy(update={"lines": lines})


def _reindented(edit: _Numbered, source: NumberedSource) -> _Numbered:
    """With the first line where the first replaced one stands; the others move along."""
    unnumbered = _unnumbered(edit, source).lines
    first = next((line for line in unnumbered if line.strip()), "")
    stated = edit.start - 1 if isinstance(edit, Replace) else edit.after - 1
    bare = source.bare_lines()
    around = next((line for line in bare[max(0, stated) :] if line.strip()), "")
    lines = [shifted(line, indent(first), indent(around)) for line in unnumbered]
    return edit.model_copy(update={"lines": lines})


def _relocated(edit: _Numbered, source: NumberedSource) -> _Numbered:
    """At the one line nearby that the only new line is a version of."""
    lines = [line for line in without_numbers(edit.lines) if line.strip()]
    if not isinstance(edit, Replace) or edit.start != edit.end or len(lines) != 1:
        return edit
    copied = line_number(edit.lines[0])
    stated = (copied if copied is not None else edit.start) - 1
    bare = source.bare_lines()
    near = range(max(0, stated - _NEARBY_LINES), min(len(bare), stated + _NEARBY_LINES + 1))
    scores = {at: similarity(lines[0], bare[at]) for at in near if bare[at].strip()}
    alike = [at for at, score in scores.items() if score >= _ALIKE]
    if len(alike) != 1 or scores.get(stated, 0.0) >= _UNLIKE:
        return edit
    return edit.model_copy(update={"start": alike[0] + 1, "end": alike[0] + 1})

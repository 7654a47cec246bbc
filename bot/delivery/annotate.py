"""Where annotations go: the culprit, and the lines most likely at fault. Who prints them escapes them."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from bot.delivery.markdown import one_line
from bot.delivery.proposal import ProposalArtifact
from bot.delivery.suggestions import hunks
from bot.delivery.verify import Verified
from bot.github.records import ChangedFile
from bot.github.runner_files import Annotation
from bot.patch.text import decode, line_changes, split_lines

SHOWN = 5
MAX_LINES = 200


def annotations(artifact: ProposalArtifact) -> tuple[Annotation, ...]:
    """Remarks on the culprit's parts, then on suspicious lines; none where nothing was looked for.

    Titles and messages are each one visible line. What was seen by running tests is a warning. A verdict has
    none: the lines that it knows are the base's.
    """
    if artifact.judged:
        return ()
    tests = ", ".join(failing.test for failing in artifact.failing[:3])
    what = f"Executed by what fails: {tests}" if tests else "Executed by what fails"
    if artifact.is_patched:
        what += ". A patch was proposed."
    culprit = tuple(
        Annotation(
            level="warning",
            path=part.path,
            line=part.first,
            end_line=part.last,
            title="Regreen: the culprit",
            message=one_line(f"{artifact.culprit}. Failing: {tests}" if tests else artifact.culprit, 1_000),
        )
        for part in artifact.culprit_lines[:SHOWN]
    )
    proven = {
        (part.path, line)
        for part in artifact.culprit_lines
        for line in range(part.first, min(part.last, part.first + MAX_LINES) + 1)
    }
    suspicious = tuple(
        Annotation(
            level="notice",
            path=at.path,
            line=at.line,
            title=f"Regreen: suspicious, {at.score:.2f} of 1",
            message=one_line(what, 500),
        )
        for at in artifact.suspicious
        if (at.path, at.line) not in proven
    )
    return (*culprit, *suspicious)[:SHOWN]


def in_diff(verified: Verified, diff: Iterable[ChangedFile]) -> tuple[Annotation, ...]:
    """Remarks on the lines that the patch changes and on the culprit's, as far as the ``diff`` shows them."""
    culprit = (one for one in annotations(verified.artifact) if one.level == "warning")
    shown = {file.path: hunks(file.patch) for file in diff if file.patch and file.status != "removed"}
    return tuple(
        replace(note, line=max(note.line, hunk.start), end_line=min(note.end_line, hunk.stop - 1))
        for note in (*_changed(verified), *culprit)
        for hunk in shown.get(note.path, ())
        if note.line < hunk.stop and note.end_line >= hunk.start
    )


def _changed(verified: Verified) -> Iterator[Annotation]:
    said = one_line(verified.artifact.explanation, 1_000) or "The failing tests pass with another text here"
    for path, after in sorted(verified.after.items()):
        old = split_lines(decode(verified.before.get(path) or b""))
        for change in line_changes(old, split_lines(decode(after))):
            first = change.old_start + 1
            yield Annotation(
                level="notice",
                path=path,
                line=first,
                end_line=max(first, change.old_end),
                title="Regreen: the patch changes this",
                message=said,
            )

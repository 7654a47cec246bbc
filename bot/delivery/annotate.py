"""Where annotations go: the lines most likely at fault. Data only; who prints them escapes them."""

from dataclasses import dataclass

from bot.delivery.markdown import one_line
from bot.delivery.proposal import ProposalArtifact

SHOWN = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class LineNote:
    """A note at a line, 1-based, of a file; ``title`` and ``message`` are each one visible line."""

    path: str
    line: int
    title: str
    message: str


def line_notes(artifact: ProposalArtifact) -> tuple[LineNote, ...]:
    """A note for each of the most suspicious lines; none where nothing was looked for."""
    tests = ", ".join(failing.test for failing in artifact.failing[:3])
    what = f"Executed by what fails: {tests}" if tests else "Executed by what fails"
    if artifact.is_patched:
        what += ". A patch was proposed."
    return tuple(
        LineNote(
            path=at.path,
            line=at.line,
            title=f"Regreen: suspicious, {at.score:.2f} of 1",
            message=one_line(what, 500),
        )
        for at in artifact.suspicious[:SHOWN]
    )

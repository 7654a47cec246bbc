"""Where annotations go: the culprit, and the lines most likely at fault. Who prints them escapes them."""

from bot.delivery.markdown import one_line
from bot.delivery.proposal import ProposalArtifact
from bot.github.runner_files import Annotation

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

"""What a run reports to its runner: outputs, the summary, annotations, and progress in the log.

All that is reported went through a scrubber, and what comes from outside is written so that nothing in it
is a command.
"""

import time
from dataclasses import dataclass, field, replace
from pathlib import Path

from bot.console import plain
from bot.delivery import render
from bot.delivery.annotate import annotations
from bot.delivery.markdown import link, sentence
from bot.delivery.options import Delivered
from bot.delivery.proposal import ProposalArtifact
from bot.errors import PermissionDenied, RegreenError
from bot.github.runner_files import Annotation, RunnerLog, write_outputs, write_summary
from bot.internal_errors import guarded
from bot.scrub import Scrubber

# An output is handed on in the environment of other steps, which is not for files.
PATCH_LIMIT = 500_000
_LINE = 400

SKIPPED = "skipped"


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """What came of a run. ``error`` ends it with its status, after all of this was reported.

    ``outcome`` is a repair's, or ``SKIPPED`` with the reason. ``to_publish`` is whether a job that can write
    has anything to do.
    """

    outcome: str
    reason: str = ""
    artifact: ProposalArtifact | None = None
    delivered: Delivered | None = None
    error: RegreenError | None = None
    to_publish: bool = False


def said_by(artifact: ProposalArtifact) -> Report:
    """What ``artifact`` says."""
    return Report(outcome=artifact.outcome.value, reason=artifact.reason, artifact=artifact)


def left_to_publish(report: Report) -> Report:
    """``report`` of a verdict; where the token may not write the check run, ``mode: publish`` has to."""
    if not isinstance(report.error, PermissionDenied):
        return report
    left = f"the check run is left to mode: publish: {report.error}"
    return replace(report, error=None, delivered=Delivered.nothing(left), to_publish=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class ActionReporter:
    """Reports to the runner. It is a ``ports.Progress`` as well.

    Outputs and the summary are appended to the files ``output`` and ``summary``, where there are any.
    """

    log: RunnerLog
    scrub: Scrubber
    output: Path | None = None
    summary: Path | None = None
    started: float = field(default_factory=time.monotonic)

    def stage(self, name: str, detail: str = "") -> None:
        """See ``ports.Progress``."""
        seconds = time.monotonic() - self.started
        text = f"{name}: {plain(detail, _LINE)}" if detail else plain(name, _LINE)
        self.log.untrusted(f"{seconds:7.1f} s  {self.scrub(text)}")

    def tick(self, *, attempts: int | None = None, detail: str = "") -> None:
        """See ``ports.Progress``; a log is no place for it."""

    def patch(self, artifact: ProposalArtifact) -> None:
        """Show a patch in the log, where it stays whatever becomes of its publication."""
        if artifact.is_patched:
            with self.log.group("The verified patch"):
                self.log.untrusted(self.scrub(artifact.diff))

    def report(self, report: Report, *, proposal: str = "") -> None:
        """All of ``report``; ``proposal`` is the file in the workspace, empty without one."""
        self._annotations(report)
        if self.summary:
            text = f"**Regreen**: {report.outcome}\n"  # what the outputs say as well
            with guarded("the job's summary"):
                text = _summary(report)
            write_summary(self.summary, self.scrub(text))
        if self.output:
            outputs = _outputs(report) | {"proposal": proposal}
            patch = outputs.pop("patch")  # as it was proved, to the letter
            reported = {name: self.scrub(text) for name, text in outputs.items()}
            write_outputs(self.output, {**reported, "patch": patch})

    def failure(self, message: str, *, failed: bool) -> None:
        """Say what ended the run; ``failed`` is whether it was a defect of Regreen's."""
        title = "Regreen failed" if failed else "Regreen"
        self.log.annotate(Annotation(level="error", title=title, message=self.scrub(message)))

    def _annotations(self, report: Report) -> None:
        if report.artifact:
            for one in annotations(report.artifact):
                self.log.annotate(replace(one, title=self.scrub(one.title), message=self.scrub(one.message)))
        said = report.reason
        if report.to_publish and report.delivered:
            said = f"{said}; {report.delivered.reason}" if said else report.delivered.reason
        if report.delivered and report.delivered.url:
            said = f"{report.delivered.kind}: {report.delivered.url}"
        if said:
            message = self.scrub(f"{report.outcome}: {plain(said, 1000)}")
            self.log.annotate(Annotation(level="notice", title="Regreen", message=message))


def _summary(report: Report) -> str:
    problem = str(report.error) if report.error else ""
    if report.artifact is None:
        url = report.delivered.url if report.delivered else ""
        where = f" {link('Here it is', url)}." if url else ""
        said = problem if report.error else report.reason or report.outcome
        return f"**Regreen**: {sentence(said)}{where}\n"
    return render.summary(report.artifact, report.delivered, problem=problem)


def _outputs(report: Report) -> dict[str, str]:
    artifact, delivered = report.artifact, report.delivered
    spent = artifact.spent if artifact else None
    patch = artifact.diff if artifact else ""
    return {
        "outcome": report.outcome,
        "reason": plain(report.reason, 1000),
        "patch": patch if len(patch) <= PATCH_LIMIT else "",
        "url": delivered.url if delivered else "",
        "delivery": delivered.kind if delivered else "none",
        "attempts": str(spent.attempts if spent else 0),
        "tokens": str(spent.tokens if spent else 0),
        "cost": f"{spent.cost:.4f}" if spent else "0",
        "seconds": f"{spent.seconds:.1f}" if spent else "0",
        "publish": "true" if report.to_publish else "false",
    }

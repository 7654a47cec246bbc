"""``regreen fix --base`` on a case, and what it makes of the failing tests."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from benchmarks.fixes.express import same_code
from benchmarks.libraries.repairs import repaired
from benchmarks.libraries.sources import Release
from benchmarks.reports.markdown import table
from benchmarks.reports.shares import Share
from benchmarks.runs.runfile import Row, Run
from benchmarks.runs.tasks import CRASHED, Bare, Trial
from benchmarks.runs.tools import git
from bot.config import sources
from bot.patch.apply import apply
from bot.patch.text import decode, encode
from bot.result import RepairResult
from bot.search.difference.mixtures import TAKES_BACK
from sandbox import leftovers
from sandbox.snapshot import Snapshot

OUTDATED, LABELLED, UNLABELLED, OTHER_PATCH, NOTHING = (
    "outdated test",
    "undone, labelled",
    "undone, not labelled",
    "another patch",
    "no patch",
)
_AUTHOR = ("-c", "user.name=A person", "-c", "user.email=person@example.org")


@dataclass(frozen=True, slots=True, kw_only=True)
class PullRequest(Bare):
    """A case out of a library's manifest (``tasks.Task``)."""

    name: str
    release: Release
    case: Mapping[str, Any] = field(hash=False)

    @property
    def group(self) -> str:
        """Whether the change is intended."""
        return "intended" if self.case["intended"] else "fault"

    def lay_out(self, directory: Path) -> Path:
        """A checkout with the library on the branch ``main``, and the pull request's one commit after it."""
        self.release.lay_out(directory)
        git("init", "--quiet", "--initial-branch=main", directory)
        self._commit(directory, "Begin")
        git("-C", directory, "checkout", "--quiet", "-b", "change")
        for path, start, end, replacement in self.case["edits"]:
            text = decode((directory / path).read_bytes())
            (directory / path).write_bytes(encode(text[:start] + replacement + text[end:]))
        self._commit(directory, self.case["message"])
        return directory

    @staticmethod
    def _commit(directory: Path, message: str) -> None:
        git("-C", directory, "add", "--all", "--force")
        git("-C", directory, *_AUTHOR, "commit", "--quiet", "--message", message)


def pull_requests(manifest: Path, release: Release) -> Sequence[PullRequest]:
    """The cases of ``manifest``, which is of ``release``."""
    cases = json.loads(manifest.read_text("utf-8"))["cases"]
    return [PullRequest(name=case["name"], release=release, case=case) for case in cases]


@dataclass(frozen=True, slots=True, kw_only=True)
class RepairCase:
    """``Work``: repairs with ``options`` (of ``regreen fix``)."""

    options: Mapping[str, Any]

    def __call__(self, trial: Trial) -> Row:
        """See ``Work``."""
        task = trial.task
        assert isinstance(task, PullRequest)
        leftovers.sweep()
        with leftovers.directory("bench-") as directory:
            place = Path(directory)
            project = task.lay_out(place / "project" / task.release.directory_name)
            settings = sources.load({**self.options, "project": project, "base": "main"})
            settings = replace(settings, state_directory=place / "state", virtual_env="")
            row, result, snapshot = repaired(settings)
            path = task.case["path"]
            before = git("-C", project, "show", f"main:{path}")
        outcome = _outcome(result, snapshot, path, before)
        about = {name: task.case[name] for name in ("intended", "kind", "beside", "failing")}
        seen = {"outdated": [one.because for one in result.outdated]} if result else {}
        verdicts = {
            "plausible": outcome == OUTDATED,
            "correct": (outcome == OUTDATED) is task.case["intended"],
        }
        return {**row, **about, **seen, **verdicts, "outcome": outcome, "diff": result.diff if result else ""}


def _outcome(result: RepairResult | None, snapshot: Snapshot | None, path: str, before: str) -> str:
    if result is None or snapshot is None:
        return CRASHED
    if result.outdated:
        return OUTDATED
    if result.patch is None:
        return NOTHING
    patched = apply(result.patch, {name: decode(data) for name, data in snapshot.files.items()})
    if path not in patched or not same_code(patched[path], before):
        return OTHER_PATCH
    return LABELLED if TAKES_BACK in result.explanation else UNLABELLED


def shown(run: Run) -> str:
    """Both rates, and what became of all cases."""
    kinds = (OUTDATED, LABELLED, UNLABELLED, OTHER_PATCH, NOTHING, CRASHED)
    lines, groups = [], {"intended": True, "faults": False}
    for name, intended in groups.items():
        rows = [row for row in run.rows if row["intended"] is intended]
        lines.append(f"{name} called outdated: {Share.of(rows, 'plausible')}")
    besides = sorted({(not row["intended"], row["beside"]) for row in run.rows})
    counted = [
        (
            "fault" if fault else "intended",
            beside,
            *(
                sum(
                    (row["beside"], not row["intended"], row["outcome"]) == (beside, fault, kind)
                    for row in run.rows
                )
                for kind in kinds
            ),
        )
        for fault, beside in besides
    ]
    return "\n".join([*lines, "", table(("change", "what comes with it", *kinds), counted)])

"""What is done to a trial: the same repair as a user's, then verdicts on its patch, made apart from it."""

import time
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Protocol

from benchmarks.runs.runfile import Row
from benchmarks.runs.tasks import Grade, Grader, Task, Trial
from benchmarks.runs.verify import green
from bot import compose
from bot.compose import Repaired
from bot.config import sources
from bot.config.settings import Settings
from bot.delivery.json_report import plain_data
from bot.errors import ConfigurationError
from bot.patch.apply import apply
from bot.patch.policy.files.protected import is_test_path
from bot.patch.text import decode, encode, line_changes, split_lines
from bot.ports import Clock
from bot.trajectory.reading import read
from sandbox import leftovers
from sandbox.snapshot import Snapshot


# Before the repair says what it does: the project is read, its environment found.
FIRST = "start"


class StageClock:
    """``ports.Progress`` that takes times: a stage lasts until the next one begins."""

    def __init__(self, clock: Clock = time.perf_counter) -> None:
        self._clock = clock
        self._stage = FIRST
        self._since = clock()
        self._seconds: dict[str, float] = defaultdict(float)

    def stage(self, name: str, detail: str = "") -> None:
        """See ``ports.Progress``."""
        del detail
        now = self._clock()
        self._seconds[self._stage] += now - self._since
        self._stage, self._since = name, now

    def tick(self, *, attempts: int | None = None, detail: str = "") -> None:
        """See ``ports.Progress``."""

    def stop(self) -> Mapping[str, float]:
        """Seconds by stage, in the order in which each was first seen, up to now."""
        self.stage(self._stage)
        return {name: round(seconds, 3) for name, seconds in self._seconds.items()}


class Judge(Protocol):
    """Says whether a patch does what it should."""

    def __call__(
        self, settings: Settings, snapshot: Snapshot, *, changes: Mapping[str, bytes], tests: frozenset[str]
    ) -> bool:
        """Whether ``snapshot`` with ``changes``, the patch and the judge's own tests, is right.

        Of each of ``tests``, something has to pass.
        """
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Repair:
    """``Work``: a trial is repaired with ``options`` (of ``regreen fix``), its patch confirmed and graded.

    ``trajectories`` is the directory that gets one file for each trial.
    """

    options: Mapping[str, Any]
    judge: Judge = green
    grader: Grader | None = None
    trajectories: Path | None = None

    def __call__(self, trial: Trial) -> Row:
        """See ``Work``."""
        task = trial.task
        leftovers.sweep()  # a run that was killed could not remove its task's directory
        with leftovers.directory("bench-") as directory:
            project = task.lay_out(Path(directory, task.name.replace("/", "-")))
            own = {"trajectory": self._trajectory(trial)} if self.trajectories else {}
            settings = sources.load({"project": project, **self.options, **own})
            clock = StageClock()
            started = time.perf_counter()
            repaired = compose.fix(settings, clock)
            seconds = time.perf_counter() - started
            row = _measured(task, repaired, seconds, clock.stop())
            turn = first_turn(own["trajectory"]) if own else None
            started = time.perf_counter()
            verdicts = self._judged(task, repaired, settings)
            judging = {"judging_seconds": round(time.perf_counter() - started, 3)}
            return {**row, **({"first_turn": dict(turn)} if turn else {}), **verdicts, **judging}

    def _trajectory(self, trial: Trial) -> Path:
        """Where the trial's trajectory goes; what a killed run left there is removed."""
        assert self.trajectories
        self.trajectories.mkdir(parents=True, exist_ok=True)
        path = self.trajectories / trajectory_name(trial.task.name, trial.sample)
        path.unlink(missing_ok=True)
        return path

    def _judged(self, task: Task, repaired: Repaired, settings: Settings) -> Row:
        """Both verdicts, made apart from the repair, and how large the change is.

        Whatever a patch does to tests is left out: the judge has its own. What is not plausible is never
        correct.
        """
        result, snapshot = repaired.result, repaired.snapshot
        if result.patch is None:
            return {"plausible": False, "correct": False}
        texts = _texts(snapshot)
        patched = apply(result.patch, texts)
        code = {path: encode(text) for path, text in patched.items() if not is_test_path(path)}
        own = {path: encode(text) for path, text in task.judging.items()}
        # With tests of its own, the judge knows nothing of the names of those that the repair was given.
        named = frozenset() if own or not result.evidence else frozenset(result.evidence.fail_to_pass)
        plausible = self.judge(settings, snapshot, changes={**code, **own}, tests=named)
        grader = self.grader if plausible else None
        grade = grader(task, patched, snapshot, settings) if grader else Grade(correct=None)
        return {
            "plausible": plausible,
            "correct": grade.correct if plausible else False,
            "grade": dict(grade.detail),
            "changed_lines": sum(_lines(texts.get(path, ""), text) for path, text in patched.items()),
            "same_text": bool(task.reference)
            and all({**texts, **patched}.get(path) == text for path, text in task.reference.items()),
        }


def trajectory_name(task: str, sample: int) -> str:
    """The name of a trial's trajectory in its directory."""
    return f"{task.replace('/', '-')}.{sample}.jsonl"


def _texts(snapshot: Snapshot) -> dict[str, str]:
    return {path: decode(data) for path, data in snapshot.files.items()}


def _measured(task: Task, repaired: Repaired, seconds: float, stages: Mapping[str, float]) -> dict[str, Any]:
    """What the repair took and made. Seconds count from the call of the repair, its preparation included."""
    result = repaired.result
    texts = _texts(repaired.snapshot)
    known = [_lines(texts.get(path, ""), text) for path, text in task.reference.items()]
    before = seconds - result.seconds
    first = None
    if result.first_plausible_at is not None:
        first = {
            "attempts": result.first_plausible_attempt,
            "turn": result.first_plausible_turn,
            "seconds": round(before + result.first_plausible_at, 3),
        }
    return {
        "outcome": result.outcome.value,
        "reason": result.reason,
        "first": first,
        "attempts": result.attempts,
        "turns": result.turns,
        "seconds": round(seconds, 3),
        "stages": dict(stages),
        "usage": {**asdict(result.usage), "seconds": round(result.usage.seconds, 3)},
        "alternatives": result.alternatives,
        "confidence": result.evidence.confidence if result.evidence else None,
        "operator": result.operator,
        "doubts": list(result.evidence.doubts) if result.evidence else [],
        "behaviours": result.choice.behaviours if result.choice else None,
        "share": result.choice.share if result.choice else None,
        "reference_lines": sum(known) if known else None,
        "result": plain_data(result),
    }


def _lines(before: str, after: str) -> int:
    """How many lines a diff between the two adds and removes, together."""
    changes = line_changes(split_lines(before), split_lines(after))
    return sum(c.old_end - c.old_start + c.new_end - c.new_start for c in changes)


def first_turn(path: Path) -> Mapping[str, int] | None:
    """The tokens of the first prompt of the trajectory at ``path``, and of all prompts of its first turn.

    None where no model was asked.
    """
    try:
        replies = [event for event in read(path).events if event["kind"] == "reply"]
    except ConfigurationError:
        return None
    if not replies:
        return None
    tokens = [
        int(reply.get("prompt_tokens", 0)) for reply in replies if reply.get("turn") == replies[0].get("turn")
    ]
    return {"first_prompt_tokens": tokens[0], "prompt_tokens": sum(tokens)}

"""One task after another through the same path as a user's repair, each with a row that says how it went.

What is repaired and what counts as correct is told by a ``Task`` and a ``Grader``; where the rows go is the
caller's business.
"""

from __future__ import annotations

import multiprocessing
import os
import tempfile
import threading
import time
import traceback
from collections.abc import Callable, Generator, Iterable, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from benchmarks.runfile import Row
from benchmarks.verify import Quiet, green
from bot import compose, config
from bot.compose import Repaired
from bot.config import Settings
from bot.delivery.report import as_json
from bot.patch.apply import apply
from bot.patch.text import decode, encode, line_changes, split_lines
from sandbox.snapshot import Snapshot

# Outcomes of a task beside those of a repair: neither is a verdict on what was to be repaired.
CRASHED = "crashed"


class Task(Protocol):
    """Something to repair; ``group`` is what the reports sort it under."""

    @property
    def name(self) -> str:
        """Unique in its benchmark."""
        ...

    @property
    def group(self) -> str:
        """A bug type, a library, a part of a collection."""
        ...

    @property
    def reference(self) -> Mapping[str, str]:
        """The files of the known repair by path, whole; shown to nothing that repairs."""
        ...

    def lay_out(self, folder: Path) -> Path:
        """Write the project that is to be repaired, and say where it is."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Grade:
    """What the held-out judge says: None where it cannot judge. ``detail`` goes into the row."""

    correct: bool | None
    detail: Mapping[str, Any] = field(default_factory=dict)


class Grader(Protocol):
    """A judge that the repair knew nothing of."""

    def __call__(
        self, task: Task, patched: Mapping[str, str], snapshot: Snapshot, settings: Settings
    ) -> Grade:
        """Judge the texts ``patched`` by path, laid over the project ``snapshot``, in a fresh sandbox."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Repair:
    """What is done to a task: repaired with ``options`` (of ``regreen fix``), confirmed, graded."""

    options: Mapping[str, Any]
    grader: Grader | None = None

    def __call__(self, task: Task) -> Row:
        """The row of ``task``."""
        with tempfile.TemporaryDirectory(prefix="regreen-bench-") as folder:
            project = task.lay_out(Path(folder, task.name.replace("/", "-")))
            settings = config.load({"project": project, **self.options})
            started = time.perf_counter()
            repaired = compose.fix(settings, Quiet())
            seconds = time.perf_counter() - started
            return {**_measured(task, repaired, seconds), **self._judged(task, repaired, settings)}

    def _judged(self, task: Task, repaired: Repaired, settings: Settings) -> Row:
        result = repaired.result
        if result.patch is None:
            return {"plausible": False, "correct": False}
        patched = apply(result.patch, _texts(repaired.snapshot))
        tests = frozenset(result.evidence.fail_to_pass if result.evidence else ())
        return judged(task, patched, repaired.snapshot, settings, grader=self.grader, tests=tests)


def judged(  # noqa: PLR0913 - what is judged, by what
    task: Task,
    patched: Mapping[str, str],
    snapshot: Snapshot,
    settings: Settings,
    *,
    grader: Grader | None,
    tests: frozenset[str] = frozenset(),
) -> dict[str, Any]:
    """Both verdicts on the texts ``patched``, made apart from the repair, and how large the change is.

    What is not plausible is never correct.
    """
    changes = {path: encode(text) for path, text in patched.items()}
    plausible = green(settings, snapshot, changes=changes, tests=tests)
    grade = grader(task, patched, snapshot, settings) if grader else Grade(correct=None)
    texts = _texts(snapshot)
    return {
        "plausible": plausible,
        "correct": grade.correct if plausible else False,
        "grade": dict(grade.detail),
        "changed_lines": sum(_lines(texts.get(path, ""), text) for path, text in patched.items()),
        "same_text": all({**texts, **patched}.get(path) == text for path, text in task.reference.items()),
    }


def reference_lines(task: Task, snapshot: Snapshot) -> int:
    """How many lines the known repair adds and removes, together."""
    texts = _texts(snapshot)
    return sum(_lines(texts.get(path, ""), text) for path, text in task.reference.items())


def _texts(snapshot: Snapshot) -> dict[str, str]:
    return {path: decode(data) for path, data in snapshot.files.items()}


def _measured(task: Task, repaired: Repaired, seconds: float) -> dict[str, Any]:
    """What the repair took and made. Seconds count from the call of the repair, its preparation included."""
    result = repaired.result
    before = seconds - result.seconds
    first = None
    if result.first_plausible_at is not None:
        first = {
            "attempts": result.first_plausible_attempt,
            "seconds": round(before + result.first_plausible_at, 3),
        }
    return {
        "task": task.name,
        "group": task.group,
        "outcome": result.outcome.value,
        "reason": result.reason,
        "first": first,
        "attempts": result.attempts,
        "seconds": round(seconds, 3),
        "rivals": result.rivals,
        "reference_lines": reference_lines(task, repaired.snapshot),
        "result": as_json(result),
    }


def _lines(before: str, after: str) -> int:
    """How many lines a diff between the two adds and removes, together."""
    changes = line_changes(split_lines(before), split_lines(after))
    return sum(c.old_end - c.old_start + c.new_end - c.new_start for c in changes)


def guarded(work: Callable[[Task], Row], task: Task) -> Row:
    """The row of ``task``; an error of ours is a row as well, so that the other tasks still run."""
    started = time.perf_counter()
    try:
        return work(task)
    except Exception as error:  # noqa: BLE001 - a task's root: what ends it must not end the others
        return {
            "task": task.name,
            "group": task.group,
            "outcome": CRASHED,
            "reason": f"{type(error).__name__}: {error}"[:500],
            "traceback": traceback.format_exc()[-4000:],
            "plausible": False,
            "correct": False,
            "seconds": time.perf_counter() - started,
        }


def rows(tasks: Iterable[Task], work: Callable[[Task], Row], *, parallel: int) -> Generator[Row]:
    """The row of each task as it ends, ``parallel`` of them at a time, each in a process of its own.

    Both arguments have to be picklable for more than one at a time. No more tasks are taken from
    ``tasks`` than are being worked on.
    """
    if parallel == 1:
        yield from (guarded(work, task) for task in tasks)
        return
    waiting = iter(tasks)
    running: set[Future[Row]] = set()
    # Not by fork: what is imported here (docker's client, SQLite) does not all survive one.
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(parallel, mp_context=context, initializer=_end_with_parent) as pool:
        try:
            while True:
                while len(running) < parallel and (task := next(waiting, None)) is not None:
                    running.add(pool.submit(guarded, work, task))
                if not running:
                    return
                ended, running = wait(running, return_when=FIRST_COMPLETED)
                for future in ended:
                    yield future.result()
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def _end_with_parent() -> None:
    """A pool's process that lost its parent to a kill would wait for its next task for ever."""
    parent = multiprocessing.parent_process()
    assert parent

    def watch() -> None:
        parent.join()
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()

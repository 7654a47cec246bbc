"""What is done to an item: its environment, its suite inside and outside, then a fault and its repair."""

import time
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from benchmarks.libraries import causes, copies, repairs, seeding, suite
from benchmarks.libraries.catalogue import Item
from benchmarks.libraries.environment import Environment, prepared
from benchmarks.libraries.verdicts import Ran, Verdict, compared, differing, same_share
from benchmarks.runs.limit import GRACE_S, limited
from benchmarks.runs.runfile import Row
from benchmarks.runs.tasks import Trial
from bot.config import sources
from bot.config.settings import Settings
from bot.errors import RegreenError
from sandbox import leftovers
from sandbox.errors import SandboxError
from sandbox.snapshot import take

# An item is usable where this share of its tests passes, and this one has the same verdict on both sides.
PASS_SHARE = 0.97
SAME_SHARE = 0.99
# A suite that is longer than its time is judged by the tests that ran on both sides: at least so many.
MIN_PART = 50
# Runs of the suite that choosing an environment takes at most.
RUNS_TO_CHOOSE = 6
# Runs of the suite that finding a fault takes at most, in time limits of one.
SEEDING_RUNS = 4
MAX_SHOWN = 20
MAX_MESSAGE = 300
USABLE, NOT_USABLE = "usable", "not usable"


@dataclass(frozen=True, slots=True, kw_only=True)
class Measure:
    """``Work``: goes through the phases of one item with ``options`` (of ``regreen fix``).

    ``keep_environments`` leaves environments in the usual cache; otherwise each item has a cache of its own,
    which is removed with it. ``faults`` says whether a fault is seeded and repaired, and ``unchanged_budget``
    in seconds how long the project as it is may be looked at. ``seed`` draws the fault.
    """

    options: Mapping[str, Any]
    keep_environments: bool = True
    faults: bool = True
    unchanged_budget: float = 60.0
    seed: int = 0

    def __call__(self, trial: Trial) -> Row:
        """See ``Work``."""
        item = trial.task
        assert isinstance(item, Item)
        # A run that was killed could not remove its item's directory, nor end the item's suite.
        leftovers.sweep()
        copies.end_strays()
        started = time.perf_counter()
        with leftovers.directory("bench-") as directory:
            project = item.lay_out(Path(directory, "project", item.source.directory_name))
            row = self._attempt(item, project, Path(directory, "first"), {})
            if row["outcome"] != USABLE and item.options:
                second = self._attempt(item, project, Path(directory, "second"), item.options)
                row["second"] = {**second, "options": dict(item.options)}
        return {**row, "seconds": round(time.perf_counter() - started, 3)}

    def _attempt(
        self, item: Item, project: Path, directory: Path, options: Mapping[str, Any]
    ) -> dict[str, Any]:
        """One row, without its key; ``options`` are beside those of the whole run."""
        directory.mkdir()
        settings = self._settings(project, directory, options)
        started = time.perf_counter()
        row: dict[str, Any]
        with ExitStack() as resources:
            try:
                longest = 2 * settings.build_timeout + RUNS_TO_CHOOSE * settings.suite_timeout + GRACE_S
                with limited(longest, "making the environment"):
                    environment = resources.enter_context(prepared(settings, take(project)))
            except (SandboxError, RegreenError) as error:
                cause = causes.of_environment(str(error))
                row = {"outcome": NOT_USABLE, "cause": cause, "error": str(error)[-2000:]}
                row["environment"] = {"seconds": round(time.perf_counter() - started, 3)}
            else:
                row = self._measured(item, environment, project, directory, settings)
        why = row.get("cause")
        reason = f"{why['kind']}: {why['detail']}" if why else ""
        return {**row, "plausible": row["outcome"] == USABLE, "reason": reason}

    def _measured(
        self, item: Item, environment: Environment, project: Path, directory: Path, settings: Settings
    ) -> dict[str, Any]:
        about = {
            "plan": environment.plan,
            "seconds": round(environment.seconds, 3),
        }
        try:
            with limited(settings.suite_timeout + settings.collect_timeout + GRACE_S, "the suite inside"):
                within = suite.inside(environment)
        except (SandboxError, RegreenError) as error:
            within = Ran(verdicts={}, seconds=settings.suite_timeout, problem=str(error))
        without = suite.outside(environment, project, directory=directory, timeout_s=settings.suite_timeout)
        row = {"environment": about, **_suites(within, without)}
        if self.faults and row["outcome"] == USABLE:
            row["fault"] = self._fault(item, environment, project, within, settings)
            row["unchanged"] = repairs.unchanged(settings, budget_s=self.unchanged_budget)
        return row

    def _fault(
        self, item: Item, environment: Environment, project: Path, baseline: Ran, settings: Settings
    ) -> dict[str, Any]:
        try:
            with limited(SEEDING_RUNS * settings.suite_timeout + GRACE_S, "seeding a fault"):
                found = seeding.seeded(environment, baseline, seed=f"{item.name} {self.seed}")
        except (SandboxError, RegreenError) as error:
            return {"problem": str(error)[:MAX_MESSAGE]}
        if found is None:
            return {"problem": "no fault was found that a passing test notices"}
        fault = found.fault
        about = {"path": fault.path, "line": fault.line, "kind": fault.kind, "broke": len(found.broke)}
        try:
            repaired = repairs.with_fault(environment, project, settings, found, baseline)
        except (SandboxError, RegreenError) as error:
            repaired = {"outcome": repairs.ERROR, "reason": str(error)[:MAX_MESSAGE], "over_budget": True}
        return {**about, **repaired}

    def _settings(self, project: Path, directory: Path, options: Mapping[str, Any]) -> Settings:
        settings = sources.load({**self.options, **options, "project": project})
        settings = replace(settings, state_directory=directory / "state", virtual_env="")
        return settings if self.keep_environments else replace(settings, cache_directory=directory / "cache")


def _suites(within: Ran, without: Ran) -> dict[str, Any]:
    """The part of a row that is about the suite's two runs."""
    usable = is_usable(within, without)
    apart = differing(within, without)
    row: dict[str, Any] = {
        "outcome": USABLE if usable else NOT_USABLE,
        "tests": len(within.verdicts),
        "pass_share": round(within.pass_share, 5),
        "same_share": round(same_share(within, without), 5),
        "compared": len(compared(within, without)),
        "part": within.cut or without.cut,
        "inside": _as_plain(within),
        "outside": _as_plain(without),
        "differing": [
            {
                "test": name[:MAX_MESSAGE],
                "inside": one.value,
                "outside": other.value,
                "message": (within.messages.get(name) or without.messages.get(name, ""))[:MAX_MESSAGE],
            }
            for name, one, other in apart[:MAX_SHOWN]
        ],
    }
    return row if usable else {**row, "cause": causes.of_runs(within, without)}


def is_usable(inside: Ran, outside: Ran) -> bool:
    """Whether the suite can prove a patch: nearly all of it passes, and as it does outside.

    Of a suite that is longer than its time a part has to.
    """
    part = inside.cut or outside.cut
    return (
        (not inside.problem or inside.cut)
        and (not part or len(compared(inside, outside)) >= MIN_PART)
        and inside.pass_share >= PASS_SHARE
        and same_share(inside, outside) >= SAME_SHARE
    )


def _as_plain(ran: Ran) -> dict[str, Any]:
    return {
        "seconds": round(ran.seconds, 3),
        "passed": ran.count(Verdict.PASSED),
        "failed": ran.count(Verdict.FAILED),
        "skipped": ran.count(Verdict.SET_ASIDE),
        "problem": ran.problem[:MAX_MESSAGE],
        **({} if ran.verdicts and not ran.problem else {"output": ran.output[-2500:]}),
    }

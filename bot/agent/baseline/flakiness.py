"""Find out what a test depends on besides the code: what ran before it, the hash seed, the time of day.

A sandbox holds all of this still, so that two runs differ in nothing but the code. Here it is varied on
purpose, and the code is not. A test that passes and fails on the same code is reported, never repaired.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from bot.agent.state import RepairContext
from bot.domain import Baseline

MAX_TESTS = 50
"""Tests that are tried under variations; each variation costs a sandbox and a run of them."""


AFTER_OTHERS = "it fails after the tests before it, and passes without them"


@dataclass(frozen=True, slots=True, kw_only=True)
class Variation:
    """Variables that differ from the usual ones; ``what`` names what is varied by them."""

    what: str
    variables: Mapping[str, str]

    @property
    def shown(self) -> str:
        """The variables as one would set them."""
        return " ".join(f"{name}={value}" for name, value in self.variables.items())


# A sandbox's own are PYTHONHASHSEED=0 and TZ=UTC. The zones are written so that no database of zones is
# needed; in one of them, at least, it is another day than in UTC at nearly any time.
SEEDS = tuple(Variation(what="the hash seed", variables={"PYTHONHASHSEED": seed}) for seed in ("1", "2", "3"))
ZONES = tuple(Variation(what="the time zone", variables={"TZ": zone}) for zone in ("EAST-13", "WEST+11"))
ANOTHER_SEED = SEEDS[0]


@dataclass(frozen=True, slots=True, kw_only=True)
class Flake:
    """A test that passed ``passed`` of ``runs`` runs of the same code, and what that depends on, if seen."""

    test: str
    passed: int
    runs: int
    because: str = ""

    @property
    def sentence(self) -> str:
        """All of it in words."""
        reason = f": {self.because}" if self.because else ""
        return f"{self.test} passed {self.passed} of {self.runs} runs{reason}"


def under_variations(context: RepairContext, tests: Sequence[str]) -> tuple[Flake, ...]:
    """Which of ``tests``, that pass as usual, fail with another hash seed or in another time zone."""
    if context.varied is None or not tests:
        return ()
    chosen = list(tests[:MAX_TESTS])
    red: dict[str, list[Variation]] = {}
    runs = 1
    for variation in (*SEEDS, *ZONES):
        if context.budget_spent():
            break
        context.progress.stage("reproduce", f"once more, with {variation.shown}")
        with context.varied(variation.variables).open() as testbed:
            report = testbed.run(tests=chosen)
        runs += 1
        for result in report.failing:
            red.setdefault(result.test, []).append(variation)
    return tuple(
        Flake(test=test, passed=runs - len(variations), runs=runs, because=_said(variations))
        for test, variations in red.items()
        if test in chosen
    )


def after_others(
    context: RepairContext, passes: Mapping[str, int], *, alone: int, runs: int, whole: bool = True
) -> tuple[Flake, ...]:
    """The tests of ``passes`` with the reason if it is the tests before them.

    Each failed in a run of the whole suite and passed in so many of ``alone`` runs without the suite, of
    ``runs`` in all. If it always passed without, and fails in the suite again, the other tests make it fail.
    Without ``whole``, there is no time to see that.
    """
    suspects = {test for test, passed in passes.items() if passed == alone}
    suite = context.testbed.run() if suspects and whole and not context.budget_spent() else None
    red = {result.test for result in suite.failing} if suite else set()
    green = {result.test for result in suite.passing} if suite else set()
    return tuple(
        Flake(
            test=test,
            passed=passed + (test in green),
            runs=runs + (test in green | red),
            because=AFTER_OTHERS if test in red & suspects else "",
        )
        for test, passed in passes.items()
    )


def without(baseline: Baseline, flakes: Sequence[Flake]) -> Baseline:
    """``baseline`` with ``flakes`` among the flaky tests, and no more among the failing ones."""
    names = {flake.test for flake in flakes}
    return replace(
        baseline,
        failing=tuple(result for result in baseline.failing if result.test not in names),
        flaky=(*baseline.flaky, *((flake.test, flake.passed) for flake in flakes)),
        unsteady=(*baseline.unsteady, *((flake.test, flake.because) for flake in flakes if flake.because)),
    )


def _said(variations: Sequence[Variation]) -> str:
    """What a test depends on, with the values that make it fail."""
    kinds = " and ".join(dict.fromkeys(variation.what for variation in variations))
    values = ", ".join(variation.shown for variation in variations)
    return f"it depends on {kinds}, and fails with {values}"

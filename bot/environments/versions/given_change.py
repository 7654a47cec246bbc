"""A change that somebody gives to be judged, with the tests that come with it or without any."""

from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, replace

from bot.domain import Patch
from bot.environments.chosen import ChosenEnvironment
from bot.patch.apply import apply
from bot.patch.brought_tests import parts
from bot.patch.text import decode, encode
from bot.result import Outcome, RepairResult
from sandbox.reports import TestReport
from sandbox.snapshot import Snapshot

OWN_TESTS = "the tests that fail without the change came with it: read them as well"
MAX_NAMES = 5

Judge = Callable[[Snapshot, Patch, tuple[str, ...]], RepairResult]
"""The verdict on a patch to a version, by the named tests, or by all that fail where none is named."""

Choose = Callable[[Snapshot, ExitStack], ChosenEnvironment]
"""How the tests of a version are run; the stack closes what is open."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GivenChange:
    """The ``patch`` to judge for the ``original`` version; ``brought`` are tests that come with it.

    These are in ``version`` already, which is the original where there are none.
    """

    patch: Patch
    original: Snapshot
    version: Snapshot
    brought: tuple[str, ...] = ()

    def judged(self, judge: Judge, choose: Choose) -> RepairResult:
        """The verdict: what the change does to tests has no say in whether other tests still pass.

        Raises:
            RegreenError: the settings cannot be used.
            sandbox.errors.SandboxError: no sandbox is to be had, or it failed.
        """
        result = judge(self.version, self.patch, self.brought)
        if self.brought and result.outcome is Outcome.NOT_REPRODUCED:
            return judge(self.original, self.patch, ())  # they pass without the change: others may not
        if not self.brought or not result.patch or not result.evidence:
            return result
        passing, broken = self._others(result.patch, choose)
        if broken:
            names = ", ".join(broken[:MAX_NAMES])
            reason = f"the patch breaks tests that passed before ({len(broken)}): {names}"
            return replace(
                result, outcome=Outcome.NO_PATCH, reason=reason, patch=None, diff="", evidence=None
            )
        doubts = (*result.evidence.doubts, OWN_TESTS)
        evidence = replace(result.evidence, pass_to_pass=passing, doubts=doubts)
        return replace(result, evidence=evidence, warnings=(*result.warnings, OWN_TESTS))

    def _others(self, patch: Patch, choose: Choose) -> tuple[tuple[str, ...], list[str]]:
        """The original version's passing tests that still pass with ``patch``, and those that do not."""
        files = self.original.files
        sources = {path: decode(files[path]) for path in patch.paths if path in files}
        changes = {path: encode(text) for path, text in apply(patch, sources).items()}
        with ExitStack() as resources:
            chosen = choose(self.original, resources)
            bed = resources.enter_context(chosen.beds.open())
            before = chosen.report or bed.run()
            after = bed.run(changes=changes)
            broken = _broken(before, after)
            if not after.complete:
                return (), [after.problem or "the test run did not end"]
            if broken:  # once more, and alone: one that is flaky passes
                again = {result.test for result in bed.run(tests=broken, changes=changes).passing}
                broken = [test for test in broken if test not in again]
        passing = {result.test for result in before.passing} & {result.test for result in after.passing}
        return tuple(sorted(passing)), broken


def _broken(before: TestReport, after: TestReport) -> list[str]:
    """The tests that passed and do not now. One whose id holds the time of day is not there any more."""
    passed = {result.test for result in before.passing}
    failed = {result.test for result in before.failing}
    passing = {result.test for result in after.passing}
    new = {result.test for result in after.failing} - failed
    return sorted(new | {result.test for result in after.results if result.test in passed - passing})


def given_change(patch: Patch, snapshot: Snapshot) -> GivenChange:
    """What to judge of ``patch``: without the tests that it brings, on the version that has them already.

    Raises:
        PatchError: it does not fit ``snapshot``.
    """
    files = snapshot.files
    sources = {path: decode(files[path]) for path in patch.paths if path in files}
    found = parts(patch, sources, files)
    if found is None:
        return GivenChange(patch=patch, original=snapshot, version=snapshot)
    version = snapshot.with_files({path: encode(text) for path, text in found.tests.items()})
    return GivenChange(patch=found.code, original=snapshot, version=version, brought=found.brought)

"""Whether a patch is as good as the known version: every test that passes with that passes with the patch.

The tests run in the environment that the repair had, so that what fails in it either way decides nothing.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from benchmarks.libraries.environment import prepared
from bot.config.settings import Settings
from bot.patch.policy.files.protected import is_test_path
from sandbox.snapshot import Snapshot


@dataclass(frozen=True, slots=True, kw_only=True)
class AsGoodAs:
    """``harness.Judge``: compares with ``reference``, the files that the known version has otherwise."""

    reference: Mapping[str, bytes]

    def __call__(
        self, settings: Settings, snapshot: Snapshot, *, changes: Mapping[str, bytes], tests: frozenset[str]
    ) -> bool:
        """See ``harness.Judge``."""
        own_tests = {path: data for path, data in changes.items() if is_test_path(path)}
        alone = replace(settings, base="none", time_budget=settings.suite_timeout)
        with prepared(alone, snapshot) as environment, environment.beds.open() as bed:
            known = bed.run(changes={**own_tests, **self.reference})
            right = {result.test for result in known.passing}
            report = bed.run(changes=changes)
            missing = right - {result.test for result in report.passing}
            if missing and report.complete:  # once more: a test may be flaky
                missing -= {result.test for result in bed.run(tests=sorted(missing), changes=changes).passing}
        files = {result.test.partition("::")[0] for result in report.results}
        return known.complete and report.complete and bool(right) and not missing and tests <= right | files

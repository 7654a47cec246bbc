"""What the contracts of testbeds share: projects as snapshots, testbeds for them, verdicts by name."""

import dataclasses

from snapshots import snapshot

from sandbox.command import parse
from sandbox.reports import TestTimes
from sandbox.resolve import resolve
from sandbox.testing import SandboxTestbeds


def maker(provider, spec):
    """What makes testbeds of a provider, for ``files`` by path, or by keyword with ``__`` for the dot."""

    def testbeds(
        command="python -m pytest",
        *,
        files=None,
        entries=(),
        limits=None,
        environment=None,
        grace_s=2.0,
        test_s=5.0,
        collect_s=30.0,
        suite_s=60.0,
        notify=lambda _note: None,
        **named,
    ):
        named = {name.replace("__", "."): source for name, source in named.items()}
        project = snapshot({**(files or {}), **named}, *entries)
        return SandboxTestbeds(
            provider=provider,
            spec=dataclasses.replace(spec, limits=limits or spec.limits),
            snapshot=project,
            environment=environment or {},
            notify=notify,
            command=resolve(parse(command), project).command,
            times=TestTimes(test_s=test_s, collect_s=collect_s, suite_s=suite_s, grace_s=grace_s),
        )

    return testbeds


def statuses(report):
    """Each test's status by its name within its file."""
    return {result.test.split("::", 1)[1]: result.status for result in report.results}

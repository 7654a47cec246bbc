"""Testbeds whose runs end by a deadline, whatever the code under test does."""

import dataclasses
import math
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Unpack

from bot.agent.timing.profile import Profile
from bot.ports import Testbed, TestbedFactory
from sandbox.probes import ProbeReport, ProbeRequest
from sandbox.reports import RunOptions, TestReport

LEAST_S = 0.1
"""What a run gets at least: one that ends at once says so better than an exception."""

PROBE_S = 5.0
"""With less time than this, nothing is probed."""

Left = Callable[[], float]


@dataclass(frozen=True, slots=True)
class Bounded:
    """``ports.Testbed``: ``testbed``, each run of which takes no longer than ``left`` says then.

    ``profile`` hears what each run took, as part of ``phase``.
    """

    testbed: Testbed
    left: Left
    phase: str
    profile: Profile

    def run(self, **options: Unpack[RunOptions]) -> TestReport:
        """See ``ports.Testbed.run``."""
        left, asked = max(LEAST_S, self.left()), options.get("seconds")
        most = left if asked is None else min(left, asked)
        options["seconds"] = None if math.isinf(most) else most
        started = time.monotonic()
        report = self.testbed.run(**options)
        self.profile.ran(self.phase, report, time.monotonic() - started)
        return report

    def probe(self, request: ProbeRequest) -> ProbeReport:
        """See ``ports.Testbed.probe``."""
        left = self.left()
        if left < PROBE_S:
            return ProbeReport(problem="no time is left to try inputs")
        return self.testbed.probe(dataclasses.replace(request, limit_s=min(request.limit_s, left)))


@dataclass(frozen=True, slots=True)
class BoundedTestbeds:
    """``ports.TestbedFactory`` of such testbeds."""

    testbeds: TestbedFactory
    left: Left
    phase: str
    profile: Profile

    @property
    def name(self) -> str:
        """The provider's name."""
        return self.testbeds.name

    @property
    def isolated(self) -> bool:
        """Whether the provider is a security boundary."""
        return self.testbeds.isolated

    @contextmanager
    def open(self) -> Iterator[Testbed]:
        """See ``ports.TestbedFactory.open``."""
        started = time.monotonic()
        with self.testbeds.open() as testbed:
            self.profile.opened(self.phase, time.monotonic() - started)
            yield Bounded(testbed, self.left, self.phase, self.profile)

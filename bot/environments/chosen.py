"""What the choice ends in: an environment, a command for it, and the testbed that is open already."""

from __future__ import annotations

from contextlib import AbstractContextManager, ExitStack, nullcontext
from dataclasses import dataclass

from bot.environments.judgement import EnvironmentJudgement
from bot.environments.ways import Way
from bot.patch.policy.files.own_rules import named_tests
from bot.ports import Testbed
from sandbox.environment.builder import PreparedEnvironment
from sandbox.reports import TestReport
from sandbox.testing import SandboxTestbeds


@dataclass(frozen=True, slots=True, kw_only=True)
class ChosenEnvironment:
    """An environment with a command for it.

    ``apart`` are tests that fail only with newer releases of the dependencies, with the reason. Where the
    tests were run to choose, ``report`` is of the whole suite in ``testbed``, which is warm and is closed by
    ``held``; else these are None, and nothing is held. ``spent`` are the seconds that all runs took.
    """

    way: Way
    environment: PreparedEnvironment
    beds: SandboxTestbeds
    held: ExitStack
    testbed: Testbed | None = None
    report: TestReport | None = None
    judgement: EnvironmentJudgement | None = None
    apart: tuple[tuple[str, str], ...] = ()
    spent: float = 0.0

    @property
    def test_files(self) -> tuple[str, ...]:
        """Files that are tests whatever they are called, as patterns: by the command, or by a failure."""
        failing = [one.test for one in self.report.failing] if self.report else []
        named = named_tests([*self.way.tests, *failing])
        return (*self.way.command.test_files, *(f"/{path}" for path in named))

    @property
    def factory(self) -> WarmTestbeds:
        """The testbeds; the first that is opened is the warm one."""
        return WarmTestbeds(beds=self.beds, waiting=[self.testbed] if self.testbed else [])

    @property
    def good(self) -> bool:
        """Whether nothing speaks for another environment or command."""
        return self.judgement is None or self.judgement.good

    @property
    def whole(self) -> bool:
        """The same, and no file of tests is out of reach for want of a package."""
        return self.good and (self.judgement is None or not self.judgement.hidden)

    @property
    def rank(self) -> tuple[bool, bool, int, bool, int]:
        """By which the tried ones are compared, the best highest."""
        return self.judgement.rank if self.judgement else (True, True, 0, True, 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class WarmTestbeds:
    """``ports.TestbedFactory`` that gives away an open testbed first; whoever opened that one closes it."""

    beds: SandboxTestbeds
    waiting: list[Testbed]

    @property
    def name(self) -> str:
        """The provider's name."""
        return self.beds.name

    @property
    def isolated(self) -> bool:
        """Whether the provider is a security boundary."""
        return self.beds.isolated

    def open(self) -> AbstractContextManager[Testbed]:
        """See ``ports.TestbedFactory.open``."""
        return nullcontext(self.waiting.pop()) if self.waiting else self.beds.open()

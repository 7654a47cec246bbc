"""What a log file says of a repair: the verdict, the test command, the tests to repair.

The only module of this package that opens a file.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from bot.causes.exceptions import top_level_names
from bot.cilog import pieces_of, read_log
from bot.cilog.command.paths import locate_tests
from bot.cilog.command.recovered import RecoveredCommand, recover_command
from bot.cilog.model import LogReading
from bot.internal_errors import guarded
from bot.triage.model import CauseKind, TriageVerdict
from bot.triage.weigh import triage
from sandbox.environment.plans.candidate_plans import CiRecord

# Runners of which each test has a verdict of its own in the sandbox.
_SINGLE_TESTS = {"pytest", "unittest"}


@dataclass(frozen=True, slots=True, kw_only=True)
class LogAnswer:
    """What a log says.

    ``tests`` are the failing tests that look like the code's doing, as pytest names them at the checkout's
    top; ``command`` is how they were run, None where nothing says; ``record`` is what was installed.
    """

    reading: LogReading
    verdict: TriageVerdict
    tests: tuple[str, ...]
    command: RecoveredCommand | None
    record: CiRecord = field(default_factory=CiRecord)

    @property
    def reason(self) -> str:
        """Why this is not for a repair, in one line: what was found, where, and what to do."""
        first = self.verdict.evidence[0]
        place = f", line {first.log_line}: {first.text}" if first.log_line and first.text else ""
        sure = f"{self.verdict.confidence:.0%}"
        return f"{self.verdict.name} ({sure}): {first.why}{place}. {self.verdict.advice}"

    def test_command(self, *, isolated: bool = True) -> str:
        """The command for a repair; empty where pytest by itself serves better.

        Where the CI ran pytest by a program of the project's own, pytest itself reports more. A log's word is
        not enough to run a program by it where the sandbox is not ``isolated``.
        """
        if self.command is None:
            return ""
        if self.command.runner in _SINGLE_TESTS:
            return self.command.text
        pytest_ran = any(failure.by_pytest for failure in self.reading.failures)
        if pytest_ran or self.command.runner == "setup" or not isolated:
            return ""
        return self.command.text


def ask(log: Path, files: Mapping[str, bytes]) -> LogAnswer:
    """Read ``log`` and judge it; ``files`` are the checkout's, by path, and may be none.

    Raises:
        ConfigurationError: the log cannot be read.
    """
    return judge(scan(log), files)


def scan(log: Path) -> LogReading:
    """What stands in ``log``, whatever checkout it is of.

    Raises:
        ConfigurationError: the log cannot be read.
    """
    return read_log(pieces_of(log))


def judge(
    reading: LogReading, files: Mapping[str, bytes], *, job: str = "", working_directory: str = ""
) -> LogAnswer:
    """What ``reading`` says of the checkout with ``files``, by path; these may be none.

    ``job`` is what GitHub calls the job of the log, where that is known: a workflow may have several alike.
    ``working_directory`` is where the tests ran, where somebody says so.
    """
    verdict = triage(reading, modules=top_level_names(files))
    command: RecoveredCommand | None = None
    with guarded("the log's test command"):
        command = recover_command(reading, files=files, job=job)
    roots = [session.root for session in reading.sessions if session.root]
    directory = working_directory or (command.directory if command else ".")
    tests: tuple[str, ...] = ()
    with guarded("the log's tests"):
        tests = locate_tests(verdict.tests, files=files, directory=directory, roots=roots)
    return LogAnswer(
        reading=reading,
        verdict=verdict,
        tests=tests,
        command=command,
        record=CiRecord(installed=reading.installed, python=_python(reading) or reading.python),
    )


def _python(reading: LogReading) -> str:
    """The version, like ``3.12``, of the interpreter that ran the failing tests."""
    failing = [one for one in reading.sessions if one.failed or one.errors] or list(reading.sessions)
    found = re.match(r"3\.\d{1,2}", failing[-1].python) if failing else None
    return found[0] if found else ""


def is_for_repair(answer: LogAnswer) -> bool:
    """Whether a repair of the code is worth trying."""
    return answer.verdict.kind is CauseKind.CODE

"""What a log file says of a repair: the verdict, the test command, the tests to repair.

The only module of this package that opens a file.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from bot.causes.exceptions import top_level_names
from bot.cilog import lines, pieces_of, read_log
from bot.cilog.archive import read_again
from bot.cilog.command.echo import Echo, echoes
from bot.cilog.command.paths import locate_tests
from bot.cilog.command.recovered import RecoveredCommand, recover_command
from bot.cilog.model import LogReading
from bot.cilog.observers.installed import InstalledVersions
from bot.internal_errors import guarded
from bot.triage.model import CauseKind, TriageVerdict
from bot.triage.weigh import tail_span, triage
from sandbox.environment.plans.ci_planner import CiRecord

# Runners of which each test has a verdict of its own in the sandbox.
_SINGLE_TESTS = {"pytest", "unittest"}
MAX_TAIL_LINE = 1_000


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


@dataclass(frozen=True, slots=True, kw_only=True)
class LogScan:
    """What stands in a log, whatever checkout it is of.

    ``tail`` are the lines, by number, that the verdict may rest on; ``shown`` the commands that it echoes.
    """

    reading: LogReading
    tail: Mapping[int, str]
    shown: tuple[Echo, ...]
    installed: InstalledVersions


def ask(log: Path, files: Mapping[str, bytes]) -> LogAnswer:
    """Read ``log`` and judge it; ``files`` are the checkout's, by path, and may be none.

    Raises:
        ConfigurationError: the log cannot be read.
    """
    return judge(scan(log), files)


def scan(log: Path) -> LogScan:
    """Read ``log``.

    Raises:
        ConfigurationError: the log cannot be read.
    """
    with read_again(log) as file:
        reading = read_log(pieces_of(file))
        span, tail = tail_span(reading), dict[int, str]()
        steps = (step.log_line for step in reading.steps)
        installed = InstalledVersions()
        shown = echoes(_watched(lines(pieces_of(file)), span, tail, installed), steps=steps)
    return LogScan(reading=reading, tail=tail, shown=shown, installed=installed)


def judge(
    read: LogScan, files: Mapping[str, bytes], *, job: str = "", working_directory: str = ""
) -> LogAnswer:
    """What ``read`` says of the checkout with ``files``, by path; these may be none.

    ``job`` is what GitHub calls the job of the log, where that is known: a workflow may have several alike.
    ``working_directory`` is where the tests ran, where somebody says so.
    """
    reading = read.reading
    verdict = triage(reading, modules=top_level_names(files), tail=read.tail)
    command: RecoveredCommand | None = None
    with guarded("the log's test command"):
        command = recover_command(reading, read.shown, files=files, job=job)
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
        record=CiRecord(installed=read.installed.versions, python=_python(reading) or read.installed.python),
    )


def _python(reading: LogReading) -> str:
    """The version, like ``3.12``, of the interpreter that ran the failing tests."""
    failing = [one for one in reading.sessions if one.failed or one.errors] or list(reading.sessions)
    found = re.match(r"3\.\d{1,2}", failing[-1].python) if failing else None
    return found[0] if found else ""


def _watched(
    text: Iterable[str], span: tuple[int, int], kept: dict[int, str], installed: InstalledVersions
) -> Iterator[str]:
    """The lines of ``text``; ``kept`` gets those of ``span`` on their way, ``installed`` the versions."""
    first, last = span
    numbered, more = enumerate(text, start=1), True
    while more:
        with guarded("the log's versions"):
            for number, line in numbered:
                if first <= number <= last:
                    kept[number] = line[:MAX_TAIL_LINE]
                yield line
                installed.read(line)
            more = False


def is_for_repair(answer: LogAnswer) -> bool:
    """Whether a repair of the code is worth trying."""
    return answer.verdict.kind is CauseKind.CODE

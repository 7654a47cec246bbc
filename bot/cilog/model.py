"""What a CI log says: frozen data, no parsing.

Everything here was printed by code that nobody trusts. It shows a repair where to look, and a triage what to
ask; only a run in the sandbox says whether a test fails. Line numbers named ``log_line`` count the log's own
lines, from 1; those named ``line`` are lines of a source file.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from bot.causes.log_rules import Topic
from sandbox.reports import Frame


class LogStatus(StrEnum):
    """How a log says that a test failed."""

    FAILED = "failed"
    ERROR = "error"  # raised in setup, teardown or collection; in unittest: anything but an assertion
    CRASHED = "crashed"  # the interpreter died, or was killed by a timeout, while this test ran


@dataclass(frozen=True, slots=True, kw_only=True)
class Raised:
    """Another exception beside the one that counts: an earlier one of its chain, or a group's member."""

    exception: str
    message: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Detail:
    """What a traceback or a report says: the exception that counts, the last of a chain, and more of it.

    ``message`` may have several lines, and may end in ``...`` where it was shortened. ``frames`` run from the
    outermost to the innermost project frame, and go on with a group's members'; a frame's function is empty
    where the log does not name it. ``related`` are the chain's earlier exceptions and a group's members.
    """

    exception: str = ""
    message: str = ""
    frames: tuple[Frame, ...] = ()
    related: tuple[Raised, ...] = ()

    def failure(
        self, test: str, status: LogStatus, *, log_line: int, file: str = "", by_pytest: bool = False
    ) -> "LogFailure":
        """The failure of ``test`` that this describes."""
        return LogFailure(
            test=test,
            status=status,
            exception=self.exception,
            message=self.message,
            file=file,
            frames=self.frames,
            by_pytest=by_pytest,
            related=self.related,
            log_line=log_line,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class LogFailure(Detail):
    """One failing test as a log describes it.

    ``test`` is the test's id: pytest's node id, or unittest's dotted id; for a collection error it is a
    file's path or a module's name. ``file`` is the test's own, empty where it is not known. ``by_pytest``
    says that pytest's own output reports it.
    """

    test: str
    status: LogStatus
    file: str = ""
    by_pytest: bool = True
    log_line: int = 0

    @property
    def path(self) -> str:
        """The project's file in which it failed, else the test's own."""
        return self.frames[-1].path if self.frames else self.file


@dataclass(frozen=True, slots=True, kw_only=True)
class LogSession:
    """One run of a test framework. A count is of tests; ``finished`` means that its final line was seen.

    ``seed`` is the random order's or hash seed that the run names, as text, ``python`` the interpreter's
    version.
    """

    log_line: int
    end_log_line: int
    finished: bool
    passed: int = 0
    failed: int = 0
    errors: int = 0
    root: str = ""
    python: str = ""
    seed: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class LogTraceback(Detail):
    """A traceback outside of any test's report: a script's, a tool's, or one that was merely logged."""

    log_line: int
    end_log_line: int


@dataclass(frozen=True, slots=True, kw_only=True)
class LogStep:
    """One step of a job, as far as the log shows it; ``exit_status`` is None where it shows none.

    ``title`` is the text after ``Run ``; ``script`` the lines that a ``run:`` step executed, and empty for an
    action; ``environment`` are its variables (``env:``).
    """

    title: str
    log_line: int
    end_log_line: int
    script: tuple[str, ...] = ()
    shell: str = ""
    environment: tuple[tuple[str, str], ...] = ()
    exit_status: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Echo:
    """A command as a tool showed it.

    ``directory`` is where it ran, as far as the lines before say; empty where they say nothing.
    """

    log_line: int
    text: str
    directory: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class EnvironmentRun:
    """What tox or nox says of one of its environments; ``command`` is the one that failed, if it is named."""

    tool: str
    name: str
    passed: bool
    command: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class LogEvidence:
    """A line that a triage may want."""

    topic: Topic
    log_line: int
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LogReading:
    """What was read from one log.

    ``passed``, ``failed`` and ``errors`` sum the sessions' final lines. ``truncated`` is True where the log
    ends before its last session's final line, or where a limit of the reader left something out.
    ``error_lines`` are the lines that a workflow command marks as an error; ``log_lines`` is how many lines
    the log has. ``shown`` are the commands that tools show, ``installed`` the versions of packages that the
    job installed, ``python`` that of the interpreter. ``tail`` are the lines, by number, before the end of
    the last step that failed, or of the log. Everything is in the order of the log, failures in that of their
    last sighting.
    """

    failures: tuple[LogFailure, ...] = ()
    passed: int = 0
    failed: int = 0
    errors: int = 0
    truncated: bool = False
    sessions: tuple[LogSession, ...] = ()
    tracebacks: tuple[LogTraceback, ...] = ()
    error_lines: tuple[int, ...] = ()
    steps: tuple[LogStep, ...] = ()
    environments: tuple[EnvironmentRun, ...] = ()
    evidence: tuple[LogEvidence, ...] = ()
    shown: tuple[Echo, ...] = ()
    installed: Mapping[str, str] = field(default_factory=dict)
    python: str = ""
    tail: Mapping[int, str] = field(default_factory=dict)
    log_lines: int = 0

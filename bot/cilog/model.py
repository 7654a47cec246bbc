"""What a CI log says: frozen data, no parsing.

Everything here was printed by code that nobody trusts. It shows a repair where to look, and a triage what to
ask; only a run in the sandbox says whether a test fails. Line numbers named ``log_line`` count the log's own
lines, from 1; those named ``line`` are lines of a source file.
"""

from dataclasses import dataclass
from enum import StrEnum

from bot.causes.log_rules import Topic
from sandbox.reports import Comparison, Frame


class Framework(StrEnum):
    """Who printed the report that was read."""

    PYTEST = "pytest"
    UNITTEST = "unittest"  # nose prints the same report, and is counted here
    DJANGO = "django"  # unittest's report, by `manage.py test`
    DOCTEST = "doctest"  # python -m doctest
    JUNIT = "junit"  # an XML report, whoever wrote it


class LogStatus(StrEnum):
    """How a log says that a test failed."""

    FAILED = "failed"
    ERROR = "error"  # raised in setup, teardown or collection; in unittest: anything but an assertion
    CRASHED = "crashed"  # the interpreter died, or was killed by a timeout, while this test ran


class LogPhase(StrEnum):
    """What was being done when the test failed."""

    CALL = "call"
    SETUP = "setup"
    TEARDOWN = "teardown"
    COLLECTION = "collection"  # importing the test's file, or finding the tests in it


class Relation(StrEnum):
    """How another exception belongs to the one that names a failure."""

    CAUSE = "cause"  # "The above exception was the direct cause"
    CONTEXT = "context"  # "During handling of the above exception"
    MEMBER = "member"  # one of an exception group


@dataclass(frozen=True, slots=True, kw_only=True)
class Raised:
    """Another exception beside the one that counts; ``frames`` are the project's, outermost first."""

    relation: Relation
    exception: str
    message: str = ""
    frames: tuple[Frame, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class LogFailure:
    """One failing test as a log describes it.

    ``test`` is the test's id: pytest's node id, or unittest's dotted id; for a collection error it is a
    file's path or a module's name. ``message`` may have several lines, and may end in ``...`` where it was
    shortened. ``path`` and ``line`` are the innermost place inside the project, else ``path`` is the test's
    own file where it is known, and ``line`` is None. ``frames`` run from the outermost to the innermost
    project frame of the exception that counts, the last of a chain, and go on with a group's members'; a
    frame's function is empty where the log does not name it. ``related`` are the chain's earlier exceptions
    and a group's members.
    """

    test: str
    status: LogStatus
    exception: str = ""
    message: str = ""
    path: str = ""
    line: int | None = None
    frames: tuple[Frame, ...] = ()
    comparison: Comparison | None = None
    framework: Framework = Framework.PYTEST
    phase: LogPhase = LogPhase.CALL
    related: tuple[Raised, ...] = ()
    log_line: int = 0

    @property
    def actual(self) -> str | None:
        """What the code gave, where two values were compared for equality: the left side, by convention."""
        return self.comparison.left if self.comparison and self.comparison.operator == "==" else None

    @property
    def expected(self) -> str | None:
        """What the test wanted, where values were compared for equality: the right side, by convention."""
        return self.comparison.right if self.comparison and self.comparison.operator == "==" else None


@dataclass(frozen=True, slots=True, kw_only=True)
class LogSession:
    """One run of a test framework. A count is of tests; ``finished`` means that its final line was seen.

    ``environment`` is the tox environment or nox session around it; ``seed`` the random order's or hash
    seed that the run names, as text; ``python`` and ``version`` the interpreter's and the framework's.
    """

    framework: Framework
    log_line: int
    end_log_line: int
    finished: bool
    collected: int | None = None
    passed: int = 0
    failed: int = 0
    errors: int = 0
    skipped: int = 0
    reruns: int = 0
    root: str = ""
    python: str = ""
    version: str = ""
    seed: str = ""
    workers: int | None = None
    environment: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class LogTraceback:
    """A traceback outside of any test's report: a script's, a tool's, or one that was merely logged."""

    exception: str
    message: str
    log_line: int
    end_log_line: int
    frames: tuple[Frame, ...] = ()
    related: tuple[Raised, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class LogAnnotation:
    """A workflow command or problem line; ``level`` is ``error``, ``warning`` or ``notice``."""

    level: str
    message: str
    log_line: int
    path: str = ""
    line: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LogStep:
    """One step of a job, as far as the log shows it; ``exit_status`` is None where it shows none.

    ``title`` is the text after ``Run ``; ``script`` the lines that a ``run:`` step executed, and empty for an
    action; ``inputs`` what the step was given (``with:``), ``environment`` its variables (``env:``).
    """

    title: str
    log_line: int
    end_log_line: int
    script: tuple[str, ...] = ()
    shell: str = ""
    inputs: tuple[tuple[str, str], ...] = ()
    environment: tuple[tuple[str, str], ...] = ()
    exit_status: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class EnvironmentRun:
    """What tox or nox says of one of its environments; ``command`` is the one that failed, if it is named."""

    tool: str
    name: str
    passed: bool
    log_line: int
    exit_status: int | None = None
    command: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class LogEvidence:
    """A line that a triage may want; ``in_tests`` means that it stands within a test session's output.

    What stands there may be a test's own words, so it weighs less.
    """

    topic: Topic
    log_line: int
    text: str
    in_tests: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class LogReading:
    """What was read from one log.

    ``runs`` is the number of test sessions; ``collected`` sums what they say they collected, and
    ``passed``, ``failed`` and ``errors`` sum their final lines. ``truncated`` is True where the log
    ends before its last session's final line, or where a limit of the reader left something out.
    ``problems`` are one-line notes on what went wrong beside failing tests. ``log_lines`` is how many lines
    the log has. Everything is in the order of the log, failures in that of their last sighting.
    """

    failures: tuple[LogFailure, ...] = ()
    runs: int = 0
    collected: int = 0
    passed: int = 0
    failed: int = 0
    errors: int = 0
    truncated: bool = False
    problems: tuple[str, ...] = ()
    sessions: tuple[LogSession, ...] = ()
    tracebacks: tuple[LogTraceback, ...] = ()
    annotations: tuple[LogAnnotation, ...] = ()
    steps: tuple[LogStep, ...] = ()
    environments: tuple[EnvironmentRun, ...] = ()
    evidence: tuple[LogEvidence, ...] = ()
    log_lines: int = 0

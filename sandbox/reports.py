"""What a test run yields: plain data, shared by the sandbox and everything above it.

Nothing here runs a test or reads a file. All paths are POSIX paths relative to the project's root.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import ClassVar, TypedDict


class TestStatus(StrEnum):
    """How one test ended."""

    __test__ = False

    PASSED = "passed"
    FAILED = "failed"
    ERROR = "error"  # raised in setup, teardown or collection
    SKIPPED = "skipped"
    XFAILED = "xfailed"
    TIMEOUT = "timeout"
    CRASHED = "crashed"  # the process that ran it ended without a verdict

    @property
    def is_failure(self) -> bool:
        """True where a person would call the test failing."""
        return self in {self.FAILED, self.ERROR, self.TIMEOUT, self.CRASHED}


class RunOptions(TypedDict, total=False):
    """What is run, and how.

    ``tests`` are node ids, run in this order; None, as usual, collects whatever the test command selects.
    ``changes``, whole new contents by relative path, are laid over the project and undone before the call
    returns. ``trace`` records the executed lines of each test. ``stop_at_first_failure`` leaves the tests
    after a failing one without a result. ``timeout_s`` are the seconds that one test may take, for all or by
    test; otherwise a multiple of what the tests before it took, and never more than the configured limit.
    ``quick`` asks for a verdict in the fastest way that agrees with a whole run on the unchanged project, if
    there is one; for searching, not for proof. ``seconds`` is what the whole run may take, if less than the
    configured limit; what ran until then is in the report, which is ``cut``. The tests of the files ``first``
    go before all others, where ``tests`` is None. ``assume`` lets a quick verdict assume that functions that
    ran while the project was imported left no traces; ``means`` is ``assumed`` then. With ``ahead``, what a
    ``quick`` run of the same tests needs is loaded meanwhile. A run that is not ``needed`` any more costs the
    sandbox.
    """

    tests: Sequence[str] | None
    changes: Mapping[str, bytes] | None
    trace: bool
    stop_at_first_failure: bool
    timeout_s: float | Mapping[str, float] | None
    quick: bool
    seconds: float | None
    first: Sequence[str]
    assume: bool
    ahead: bool
    needed: Callable[[], bool]


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """One frame of a traceback that lies inside the project; ``line`` is 1-based."""

    path: str
    line: int
    function: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """The two sides of the comparison that failed, as (shortened) ``repr`` texts."""

    operator: str
    left: str
    right: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Steps:
    """A traced test, cut where its own file was at work between two calls into the project.

    ``count`` steps came before the last one. ``earlier`` holds by path and 1-based line how many of those
    executed it; ``last`` by path the lines of the last step, in the order in which each was executed for the
    last time. The test's own file is in neither.
    """

    count: int
    earlier: Mapping[str, Mapping[int, int]] = field(default_factory=dict)
    last: Mapping[str, tuple[int, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class TestResult:
    """One test's verdict with what explains it.

    ``frames`` run from the outermost to the innermost project frame. ``lines`` maps a path to the 1-based
    lines that the test executed there; it is empty unless the run was traced, and ``steps`` is None.
    ``foreign`` is the place in an installed package (``package/module.py:12``) that raised, below the
    project's own frames; empty where the project's code raised.
    """

    __test__: ClassVar[bool] = False

    test: str
    status: TestStatus
    seconds: float = 0.0
    exception: str = ""
    message: str = ""
    frames: tuple[Frame, ...] = ()
    comparison: Comparison | None = None
    lines: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    steps: Steps | None = None
    foreign: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Calls:
    """Which of a run's ``tests`` called which function of the project.

    ``functions`` holds by path and first line (1-based, decorators included) the indexes of the tests.
    The test ``""`` stands for what came before the first one: imports.
    """

    tests: tuple[str, ...] = ()
    functions: Mapping[tuple[str, int], tuple[int, ...]] = field(default_factory=dict)

    def callers(self, path: str, line: int) -> frozenset[str] | None:
        """The tests that called the function at ``line``; None where at most an import was seen to."""
        callers = frozenset(self.tests[index] for index in self.functions.get((path, line), ()))
        return callers - {""} or None

    def likeness(self, tests: Collection[str]) -> dict[str, float]:
        """How like the calls of ``tests`` those of each test are: 0 where they share no function.

        A function that n tests call counts 1 / n.
        """
        wanted = {index for index, test in enumerate(self.tests) if test in tests}
        found = dict.fromkeys(self.tests, 0.0)
        for indexes in self.functions.values():
            if not wanted.isdisjoint(indexes):
                for index in indexes:
                    found[self.tests[index]] += 1 / len(indexes)
        return found


def read_calls(raw: object) -> Calls | None:
    """The calls that a report holds; None where none was seen or what came from the sandbox is nonsense."""
    match raw:
        case {"tests": list(tests), "functions": list(functions)} if functions:
            rows = [row for row in functions if _is_row(row, len(tests))]
            if len(rows) == len(functions) and all(isinstance(test, str) for test in tests):
                found = {(path, line): tuple(indexes) for path, line, indexes in rows}
                return Calls(tests=tuple(tests), functions=found)
    return None


def _is_row(row: object, tests: int) -> bool:
    """Whether it is a path, a line and the indexes of some of so many ``tests``."""
    match row:
        case [str(), int(line), list(indexes)] if type(line) is int and line >= 0:
            return all(type(index) is int and 0 <= index < tests for index in indexes)
    return False


@dataclass(frozen=True, slots=True, kw_only=True)
class TestReport:
    """The result of one run of some tests.

    ``complete`` is False when the run ended before every chosen test had a verdict, for whatever
    reason; ``problem`` then says why in one line. ``exit_status`` is the test process's own; None
    when it was killed. ``cut`` says that the time for the run was over; ``collected`` counts the tests
    that there are, 0 where nobody did. ``output`` is the tail of what the run printed, never to be trusted.
    ``confirmed`` are tests that were seen to end so twice, the second time in a process that had nothing
    loaded: where a crash or a hang had to be distinguished from one of the preloading's making, or from
    slowness. ``calls`` is known of a whole run of the unchanged project, by CPython 3.12 or newer. ``means``
    says how the tests were run: in a fork of the loaded project with the changed functions swapped in
    (``swap``) or the modules imported anew (``import``), or with all of it loaded and collected (``whole``,
    or ``cold`` where nothing may be loaded before); ``reason`` why it was not in the quickest way.
    """

    __test__: ClassVar[bool] = False

    results: tuple[TestResult, ...]
    complete: bool
    exit_status: int | None
    seconds: float
    problem: str = ""
    output: str = ""
    confirmed: tuple[str, ...] = ()
    collected: int = 0
    cut: bool = False
    calls: Calls | None = None
    means: str = ""
    reason: str = ""

    @property
    def failing(self) -> tuple[TestResult, ...]:
        """The failing results, in the order in which they ran, of each test the first.

        A file that cannot be collected has one for each of pytest's ways to collect it, and, where it was
        asked for as a whole, one for all of it.
        """
        found: dict[str, TestResult] = {}
        for result in self.results:
            if result.status.is_failure:
                found.setdefault(result.test, result)
        return tuple(found.values())

    @property
    def passing(self) -> tuple[TestResult, ...]:
        """The results that passed; skipped and expected failures are neither."""
        return tuple(result for result in self.results if result.status is TestStatus.PASSED)

    def proves(self, tests: frozenset[str] | set[str]) -> bool:
        """Whether this run is evidence that every one of ``tests`` passes.

        It takes the exit status *and* a passing result for each test: a run that printed a lot, left
        early, or reported on fewer tests proves nothing.
        """
        passed = {result.test for result in self.passing}
        return self.complete and self.exit_status == 0 and not self.failing and tests <= passed


@dataclass(frozen=True, slots=True, kw_only=True)
class TestTimes:
    """Limits in seconds: for one test, for importing and collecting, for a whole run.

    A test that does not end when its time is over is killed ``grace_s`` and half its time later: what it says
    of itself until then is a better report.
    """

    __test__ = False

    test_s: float = 30.0
    collect_s: float = 120.0
    suite_s: float = 900.0
    grace_s: float = 2.0

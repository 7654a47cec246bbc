"""Fakes of the engine's testbeds: a project in memory that runs in this process, and a script of reports.

``FakeTestbed`` keeps the promises of ``ports.Testbed`` for small, friendly projects: functions and methods
named ``test*`` in ``test_*.py``, no fixtures, no parameters. Time is counted in executed lines, so that
every number in a report is the same in each run and a test that hangs ends soon.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from fakes.memory_project import LINES_PER_SECOND, LineTracer, MemoryProject, OutOfTime

from sandbox.probes import ProbeReport, ProbeRequest
from sandbox.reports import Frame, TestReport, TestResult, TestStatus

DEFAULT_TIMEOUT_S = 10.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """What one call of ``Testbed.run`` was asked."""

    tests: tuple[str, ...] | None
    changes: Mapping[str, bytes]
    trace: bool = False
    stop_at_first_failure: bool = False
    timeout_s: float | Mapping[str, float] | None = None
    quick: bool = False
    assume: bool = False
    ahead: bool = False
    needed: Callable[[], bool] | None = field(default=None, compare=False)
    seconds: float | None = None
    first: tuple[str, ...] = ()


class FakeTestbed:
    """``ports.Testbed`` in this process; ``runs`` says what was asked, ``before_run`` may interfere.

    ``fault`` makes the project misbehave: it gets the number of the run (from 1) and its report, and
    returns the report that the caller sees. ``answers`` is what a probe says.
    """

    def __init__(
        self,
        files: Mapping[str, str],
        *,
        before_run: Callable[[int, Run], None] | None = None,
        fault: Callable[[int, Run, TestReport], TestReport] | None = None,
        answers: Callable[[ProbeRequest], ProbeReport] | None = None,
    ) -> None:
        self._files = {path: text.encode("utf-8", "surrogateescape") for path, text in files.items()}
        self._before_run, self._fault, self._answers = before_run, fault, answers
        self.runs: list[Run] = []
        self.probes: list[ProbeRequest] = []

    def probe(self, request: ProbeRequest) -> ProbeReport:
        """See ``ports.Testbed.probe``; only what ``answers`` was given is known."""
        self.probes.append(request)
        return self._answers(request) if self._answers else ProbeReport(problem="nothing is tried in a fake")

    def run(
        self,
        *,
        tests: Sequence[str] | None = None,
        changes: Mapping[str, bytes] | None = None,
        first: Sequence[str] = (),
        **options: Any,
    ) -> TestReport:
        """See ``ports.Testbed.run``; ``options`` are those of ``Run``."""
        chosen = None if tests is None else tuple(tests)
        asked = Run(tests=chosen, changes=dict(changes or {}), first=tuple(first), **options)
        self.runs.append(asked)
        if self._before_run:
            self._before_run(len(self.runs), asked)
        report = self._report(asked)
        return self._fault(len(self.runs), asked, report) if self._fault else report

    def _report(self, asked: Run) -> TestReport:
        project = MemoryProject({**self._files, **asked.changes})
        found, broken = _collect(project)
        missing: list[str] = []
        results: list[TestResult] = []
        for name in asked.tests if asked.tests is not None else [*broken, *found]:
            if asked.stop_at_first_failure and any(result.status.is_failure for result in results):
                missing.append(name)
            elif name in found:
                results.append(_run_test(name, found[name], project, asked))
            elif broken.get(name.split("::")[0]):
                results.append(broken[name.split("::")[0]])
            elif "::" not in name and any(test.startswith(f"{name}::") for test in found):
                inside = [_run_test(t, found[t], project, asked) for t in found if t.startswith(f"{name}::")]
                any_failed = any(result.status.is_failure for result in inside)
                status = TestStatus.FAILED if any_failed else TestStatus.PASSED
                results += [*inside, TestResult(test=name, status=status)]
            else:
                missing.append(name)
        any_failed = any(result.status.is_failure for result in results)
        return TestReport(
            results=tuple(results),
            complete=not missing,
            exit_status=1 if any_failed else 0 if results else 5,
            seconds=sum(result.seconds for result in results),
            problem=f"not found or not run: {', '.join(missing)}" if missing else "",
        )


class ScriptedTestbed(FakeTestbed):
    """``ports.Testbed`` that gives ``reports`` in order, whatever it is asked; the last one is repeated."""

    def __init__(self, *reports: TestReport) -> None:
        super().__init__({})
        self._reports = list(reports)

    def _report(self, asked: Run) -> TestReport:
        del asked
        return self._reports[min(len(self.runs), len(self._reports)) - 1]


@dataclass
class FakeTestbeds:
    """``ports.TestbedFactory``: ``make`` gives the testbed for the n-th opening (from 1)."""

    make: Callable[[int], FakeTestbed]
    name: str = "fake"
    isolated: bool = True
    opened: list[FakeTestbed] = field(default_factory=list)
    closed: int = 0

    @classmethod
    def of(cls, files: Mapping[str, str]) -> FakeTestbeds:
        """Testbeds of a project that behaves."""
        return cls(lambda _number: FakeTestbed(files))

    @contextmanager
    def open(self) -> Iterator[FakeTestbed]:
        """See ``ports.TestbedFactory``."""
        testbed = self.make(len(self.opened) + 1)
        self.opened.append(testbed)
        try:
            yield testbed
        finally:
            self.closed += 1


def _collect(project: MemoryProject) -> tuple[dict[str, Callable[[], object]], dict[str, TestResult]]:
    """The tests by their ids, and for each file that cannot be imported its result."""
    found: dict[str, Callable[[], object]] = {}
    broken: dict[str, TestResult] = {}
    for path in sorted(project.files):
        name = path.rsplit("/", 1)[-1]
        if not (name.startswith("test_") and name.endswith(".py")):
            continue
        try:
            with LineTracer(project.files, limit=LINES_PER_SECOND * 10, record=False):
                module = project.load(path.removesuffix(".py").replace("/", "."))
        except (Exception, OutOfTime) as error:  # noqa: BLE001 - foreign code
            broken[path] = _failure(path, TestStatus.ERROR, error, project)
            continue
        for key, value in vars(module).items():
            if isinstance(value, type) and key.startswith("Test"):
                for method in vars(value):
                    if method.startswith("test"):
                        found[f"{path}::{key}::{method}"] = _method(value, method)
            elif callable(value) and key.startswith("test"):
                found[f"{path}::{key}"] = value
    return found, broken


def _method(owner: type, name: str) -> Callable[[], object]:
    def call() -> object:
        return getattr(owner(), name)()  # a new object for each call, as pytest does

    return call


def _run_test(name: str, test: Callable[[], object], project: MemoryProject, asked: Run) -> TestResult:
    allowed = asked.timeout_s.get(name) if isinstance(asked.timeout_s, Mapping) else asked.timeout_s
    limit = int(LINES_PER_SECOND * (allowed or DEFAULT_TIMEOUT_S))
    tracer = LineTracer(project.files, limit=limit, record=asked.trace)
    try:
        with tracer:
            test()
    except OutOfTime as error:
        result = _failure(name, TestStatus.TIMEOUT, error, project, tracer)
    except Exception as error:  # noqa: BLE001 - foreign code
        result = _failure(name, TestStatus.FAILED, error, project, tracer)
    else:
        result = TestResult(test=name, status=TestStatus.PASSED, seconds=tracer.seconds, lines=_lines(tracer))
    return result


def _failure(
    name: str,
    status: TestStatus,
    error: BaseException,
    project: MemoryProject,
    tracer: LineTracer | None = None,
) -> TestResult:
    frames: list[Frame] = []
    traceback = error.__traceback__
    while traceback is not None:
        code = traceback.tb_frame.f_code
        if code.co_filename in project.files:
            frames.append(Frame(path=code.co_filename, line=traceback.tb_lineno, function=code.co_name))
        traceback = traceback.tb_next
    if isinstance(error, SyntaxError) and error.filename in project.files:
        frames.append(Frame(path=str(error.filename), line=error.lineno or 1, function="<module>"))
    return TestResult(
        test=name,
        status=status,
        seconds=tracer.seconds if tracer else 0.0,
        exception=type(error).__name__,
        message=str(error),
        frames=tuple(frames),
        lines=_lines(tracer) if tracer else {},
    )


def _lines(tracer: LineTracer) -> dict[str, tuple[int, ...]]:
    return {path: tuple(sorted(lines)) for path, lines in tracer.lines.items()}

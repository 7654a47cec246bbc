"""A test run in a fork of a process that has imported all but our own code, so that it starts at once."""

from __future__ import annotations

import os
import resource
import signal
import sys
import time
from collections.abc import Callable, Iterator
from collections.abc import Set as AbstractSet
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import spec_from_file_location
from pathlib import Path
from types import CodeType, ModuleType

import coverage
import pytest
from hypothesis import Phase, settings

ROOT = Path(__file__).resolve().parents[2]
MEMORY_BYTES = 4 * 2**30
PATIENCE = 3
"""A run that takes this many times the processor time of the same tests on the unchanged code hangs."""

START_S = 5
"""Processor time on top of that, for what comes before the first test."""

IDLE_S = 900
"""Wall time after which a run waits for something, however little of a processor it was given."""


@dataclass(slots=True, kw_only=True)
class Clean:
    """What the tests did on the unchanged code."""

    seconds: dict[str, float] = field(default_factory=dict)  # of processor time, by test
    lines: dict[str, dict[int, set[str]]] = field(default_factory=dict)  # by path and line: the tests

    def running(self, path: str, lines: range | None) -> AbstractSet[str]:
        """The tests that run one of ``lines``; all, where there are none to ask for."""
        if lines is None:
            return self.seconds.keys()
        known = self.lines.get(path, {})
        return {test for line in lines for test in known.get(line, ())} & self.seconds.keys()


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended:
    """How a run ended: ``status`` as of ``waitpid``, and the first test that failed."""

    status: int
    failed: str
    seconds: float  # of processor time

    @property
    def verdict(self) -> str:
        """Of the mutant that was tried: ``survived``, ``killed`` or ``timed out``."""
        if self.status == 0:
            return "survived"
        late = os.WIFSIGNALED(self.status) and os.WTERMSIG(self.status) in {signal.SIGXCPU, signal.SIGALRM}
        return "timed out" if late else "killed"


def clean(tests: list[str]) -> Clean:
    """Run ``tests`` on the unchanged code, in this process, then forget what of it is ours."""
    seen = Clean()
    tracer = coverage.Coverage(data_file=None, source=["bot"], config_file=False)
    tracer.start()
    with _silence():
        status = _pytest(tests, _Record(clean=seen, tracer=tracer))
    tracer.stop()
    if status:
        raise SystemExit(f"the unchanged code fails its tests: pytest ended with {status!r}")
    traced = tracer.get_data()
    for file in traced.measured_files():
        path = str(Path(file).relative_to(ROOT))
        seen.lines[path] = {line: set(names) for line, names in traced.contexts_by_lineno(file).items()}
    for name in [name for name, module in sys.modules.items() if _is_ours(name, module)]:
        del sys.modules[name]
    return seen


def _is_ours(name: str, module: ModuleType) -> bool:
    """Whether a fork imports it anew: our code, whatever of it was mutated, and its tests."""
    top = name.partition(".")[0]
    file = getattr(module, "__file__", None) or ""
    return top == "bot" or (Path(file).is_relative_to(ROOT / "tests") and top not in {"mutation", "__main__"})


def attempt(chosen: AbstractSet[str], *, known: Clean, path: str, text: str) -> Ended:
    """Run the ``chosen`` tests, the quickest first, with ``text`` as the module at ``path``."""
    limit = int(PATIENCE * sum(known.seconds[test] for test in chosen) + START_S)

    def child(report: Callable[[str], None]) -> int:
        resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 5))
        resource.setrlimit(resource.RLIMIT_DATA, (MEMORY_BYTES, MEMORY_BYTES))
        signal.alarm(IDLE_S)
        sys.meta_path.insert(0, _Changed(path, text))
        files = sorted({test.partition("::")[0] for test in chosen})
        return _pytest(["-x", *files], _Choose(seconds={t: known.seconds[t] for t in chosen}, report=report))

    return forked(child)


def forked(child: Callable[[Callable[[str], None]], int]) -> Ended:
    """What ``child`` returns is the exit status; what it reports first is kept."""
    reading, writing = os.pipe()
    started = resource.getrusage(resource.RUSAGE_CHILDREN)
    pid = os.fork()
    if pid == 0:
        status = 70
        with suppress(BaseException):
            os.setsid()
            os.close(reading)
            with _silence():
                status = child(lambda text: os.write(writing, text.encode()[:4096] + b"\n"))
        os._exit(status)
    os.close(writing)
    _, status = os.waitpid(pid, 0)
    with suppress(ProcessLookupError):
        os.killpg(pid, signal.SIGKILL)
    with os.fdopen(reading, encoding="utf-8", errors="replace") as pipe:
        first = pipe.readline().strip()
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = ended.ru_utime + ended.ru_stime - started.ru_utime - started.ru_stime
    return Ended(status=status, failed=first, seconds=round(seconds, 2))


def _pytest(arguments: list[str], plugin: object) -> int:
    # One run finds what another has found by chance, and what it shrinks a failure to is not asked for.
    phases = (Phase.explicit, Phase.generate)
    settings.register_profile("mutation", database=None, derandomize=True, phases=phases)
    settings.load_profile("mutation")
    known = ("-W", "ignore::pytest.PytestAssertRewriteWarning")  # what a fork finds imported is meant to be
    return int(pytest.main(["-q", "-p", "no:cacheprovider", *known, *arguments], plugins=[plugin]))


@contextmanager
def _silence() -> Iterator[None]:
    """Nothing written to the standard streams is shown, whoever writes it."""
    kept = [os.dup(number) for number in (1, 2)]
    nowhere = os.open(os.devnull, os.O_WRONLY)
    try:
        for number in (1, 2):
            os.dup2(nowhere, number)
        yield
    finally:
        for number, saved in zip((1, 2), kept, strict=True):
            os.dup2(saved, number)
            os.close(saved)
        os.close(nowhere)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)  # pytest hashes its plugins
class _Record:
    """A plugin of pytest: which test is running, and for how long it did."""

    clean: Clean
    tracer: coverage.Coverage

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        self.tracer.switch_context(item.nodeid)
        started = time.process_time()
        result = yield
        self.clean.seconds[item.nodeid] = time.process_time() - started
        self.tracer.switch_context("")
        return result


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Choose:
    """A plugin of pytest: only some tests, the quickest first; says which failed."""

    seconds: dict[str, float]
    report: Callable[[str], object]

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        chosen = [item for item in items if item.nodeid in self.seconds]
        items[:] = sorted(chosen, key=lambda item: self.seconds[item.nodeid])

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self.report(report.nodeid)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self.report(report.nodeid)


class _Changed(MetaPathFinder):
    """Finds one module, with another text than its file has."""

    def __init__(self, path: str, text: str) -> None:
        name = path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
        self._spec = spec_from_file_location(name, ROOT / path, loader=_Text(name, str(ROOT / path), text))

    def find_spec(self, fullname: str, path: object = None, target: object = None) -> ModuleSpec | None:
        return self._spec if self._spec and self._spec.name == fullname else None


class _Text(SourceFileLoader):
    def __init__(self, name: str, path: str, text: str) -> None:
        super().__init__(name, path)
        self._text = text

    def get_code(self, fullname: str) -> CodeType:  # no .pyc is read or written
        return compile(self._text, self.path, "exec", dont_inherit=True)

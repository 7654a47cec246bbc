"""A plugin of pytest that tries mutants, each in a fork of the process that has everything loaded.

In the fork, the functions that were made from the mutated one's code get the new code; nothing is imported or
collected again, so that a mutant costs little more than the tests until one fails.
"""

from __future__ import annotations

import gc
import os
import resource
import signal
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import _lru_cache_wrapper
from pathlib import Path
from types import CodeType, FunctionType

import coverage
import pytest

from mutation.draw import Mutant

ROOT = Path(__file__).resolve().parents[2]
MEMORY_BYTES = 4 * 2**30
PATIENCE = 3
"""A run that takes this many times the processor time of the same tests on the unchanged code hangs."""

START_S = 2
"""Processor time on top of that: the limit is set in whole seconds."""

IDLE_S = 900
"""Wall time after which a run waits for something, however little of a processor it was given."""

FAILED, UNKNOWN = 1, 70  # exit statuses of a fork


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """What became of a mutant: ``survived``, ``killed``, ``timed out`` or ``not tried``."""

    mutant: Mutant
    verdict: str
    by: str = ""  # the test that failed
    tests: int = 0  # that run the function
    seconds: float = 0.0  # of processor time


@dataclass(slots=True, kw_only=True, eq=False)  # pytest hashes its plugins
class Trials:
    """Runs the tests on the unchanged code, then those that run a mutant's function, the quickest first.

    Attributes:
        texts: the modules by path, unchanged.
        report: is told of each trial as it ends.
    """

    mutants: Sequence[Mutant]
    texts: dict[str, str]
    report: Callable[[Trial], object]
    _seconds: dict[str, float] = field(default_factory=dict)  # of processor time, by test
    _running: dict[tuple[str, int], set[str]] = field(default_factory=lambda: defaultdict(set))
    _functions: dict[tuple[str, str, int], list[FunctionType]] = field(
        default_factory=lambda: defaultdict(list)
    )
    _failed: str = ""

    def pytest_sessionstart(self) -> None:
        """Draw the same examples in each run, and look for no smaller one."""
        from hypothesis import Phase, settings  # pytest has to see it first

        phases = (Phase.explicit, Phase.generate)
        settings.register_profile("mutation", database=None, derandomize=True, phases=phases)
        settings.load_profile("mutation")

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Keep the name of the first test that fails."""
        if report.failed and not self._failed:
            self._failed = report.nodeid

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Try all mutants."""
        if session.testsfailed:
            raise session.Interrupted("the tests cannot be collected")
        _forget_results()  # who is given a remembered result runs nothing
        self._trace(session.items)
        if self._failed:
            raise session.Interrupted(f"the unchanged code fails {self._failed}")
        for one in gc.get_objects():
            if isinstance(one, FunctionType) and one.__code__.co_filename.startswith(str(ROOT / "bot")):
                self._functions[_key(one.__code__)].append(one)
        for mutant in self.mutants:
            self.report(self._try(mutant, session.items))
        return True

    def _trace(self, items: Sequence[pytest.Item]) -> None:
        """Run all, and see which test runs which line, and for how long."""
        tracer = coverage.Coverage(data_file=None, include=[f"{ROOT}/bot/*"], config_file=False)
        tracer.start()
        for item, following in _with_next(items):
            tracer.switch_context(item.nodeid)
            started = time.process_time()
            _run(item, following)
            self._seconds[item.nodeid] = time.process_time() - started
            _forget_results()
        tracer.stop()
        traced = tracer.get_data()
        for file in traced.measured_files():
            for line, tests in traced.contexts_by_lineno(file).items():
                self._running[file, line].update(tests)

    def _try(self, mutant: Mutant, items: Sequence[pytest.Item]) -> Trial:
        """The mutant's end, in a fork."""
        file = str(ROOT / mutant.path)
        functions = self._functions[file, mutant.function, mutant.first]
        code = _code(compile(mutant.apply(self.texts[mutant.path]), file, "exec"), mutant)
        if any(one.__code__.co_freevars != code.co_freevars for one in functions) or not functions:
            return Trial(mutant=mutant, verdict="not tried")
        lines = {line for _, _, line in functions[0].__code__.co_lines() if line}
        chosen = set().union(*(self._running[file, line] for line in lines)) & self._seconds.keys()
        ordered = sorted(
            (item for item in items if item.nodeid in chosen), key=lambda item: self._seconds[item.nodeid]
        )
        if not ordered:
            return Trial(mutant=mutant, verdict="not tried")  # it runs at import, or never
        limit = int(PATIENCE * sum(self._seconds[item.nodeid] for item in ordered) + START_S)
        started = resource.getrusage(resource.RUSAGE_CHILDREN)
        reading, writing = os.pipe()
        pid = os.fork()
        if pid == 0:
            status = UNKNOWN
            with suppress(BaseException):
                _confine(limit)
                for one in functions:
                    one.__code__ = code
                status = self._first_failure(ordered, writing)
            os._exit(status)
        os.close(writing)
        _, status = os.waitpid(pid, 0)
        with suppress(ProcessLookupError):
            os.killpg(pid, signal.SIGKILL)
        with os.fdopen(reading, encoding="utf-8", errors="replace") as pipe:
            failed = pipe.read()
        ended = resource.getrusage(resource.RUSAGE_CHILDREN)
        seconds = ended.ru_utime + ended.ru_stime - started.ru_utime - started.ru_stime
        return Trial(
            mutant=mutant, verdict=_verdict(status), by=failed, tests=len(ordered), seconds=round(seconds, 2)
        )

    def _first_failure(self, items: Sequence[pytest.Item], pipe: int) -> int:
        """The exit status after the tests up to the first that fails."""
        for item, following in _with_next(items):
            _run(item, following)
            if self._failed:
                os.write(pipe, self._failed.encode()[:4096])
                return FAILED
        return 0


def _verdict(status: int) -> str:
    """What a fork's ``status``, as of ``waitpid``, says."""
    if status == 0:
        return "survived"
    late = os.WIFSIGNALED(status) and os.WTERMSIG(status) in {signal.SIGXCPU, signal.SIGALRM}
    return "timed out" if late else "killed"


def _confine(limit_s: int) -> None:
    os.setsid()
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)
    signal.alarm(IDLE_S)
    resource.setrlimit(resource.RLIMIT_CPU, (limit_s, limit_s + 5))
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY_BYTES, MEMORY_BYTES))


def _run(item: pytest.Item, following: pytest.Item | None) -> None:
    item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)


def _with_next(items: Sequence[pytest.Item]) -> Iterator[tuple[pytest.Item, pytest.Item | None]]:
    return zip(items, [*items[1:], None], strict=True)


def _forget_results() -> None:
    for one in gc.get_objects():
        if isinstance(one, _lru_cache_wrapper) and (one.__module__ or "").startswith("bot."):
            one.cache_clear()


def _key(code: CodeType) -> tuple[str, str, int]:
    return code.co_filename, code.co_qualname, code.co_firstlineno


def _code(module: CodeType, mutant: Mutant) -> CodeType:
    """The code of the mutated function."""
    waiting = [module]
    while waiting:
        code = waiting.pop()
        if code.co_qualname == mutant.function and code.co_firstlineno == mutant.first:
            return code
        waiting += [one for one in code.co_consts if isinstance(one, CodeType)]
    raise LookupError(f"{mutant.path} has no {mutant.function} in line {mutant.first}")

"""What is done to a library: its environment, the mutants, and each tool's verdicts on them."""

import os
import time
from collections.abc import Container, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from benchmarks.libraries.catalogue import Item
from benchmarks.libraries.environment import Environment, prepared
from benchmarks.libraries.seeding import executed
from benchmarks.runs.runfile import Row
from benchmarks.runs.tasks import Trial
from benchmarks.runs.tools import environment as tool_environment
from benchmarks.seeded.mutants import TOOL, Mutant, in_covered_lines
from benchmarks.throughput import ours, peers
from benchmarks.throughput.compared import MUTMUT, OURS, differing
from benchmarks.throughput.judged import HUNG, Judged
from benchmarks.throughput.outside import Outside, site_packages
from bot.config import sources
from bot.errors import MachineError
from sandbox import leftovers
from sandbox.command import PytestCommand
from sandbox.reports import TestReport
from sandbox.snapshot import take

# Tests that are traced to see which lines are executed; tests whose verdicts are compared with the limit.
TRACED, AT_THE_LIMIT, ROUNDS = 150, 11, 7
SHORT_S = 1.0  # of a longer test nearly all is its own time
NATIVE_TIMEOUT_S = 600.0
# As much longer than the whole suite may a run of cosmic-ray's take.
PATIENCE, PATIENCE_S = 3.0, 10.0
# Drawn for each that is wanted, and then again: some lie outside of functions, or in ones with decorators.
DRAWN_PER_MUTANT = 3, 15
MEASURED = "measured"
MAX_PROBLEM = 300


@dataclass(frozen=True, slots=True, kw_only=True)
class Measure:
    """``Work``: judge ``count`` mutants of a library, and ``slow`` of them by cosmic-ray.

    cosmic-ray judges those where the two others differ as well. ``options`` are of ``regreen fix``; ``seed``
    draws the mutants.
    """

    options: Mapping[str, Any]
    count: int
    slow: int
    seed: int

    def __call__(self, trial: Trial) -> Row:
        """See ``Work``."""
        item = trial.task
        assert isinstance(item, Item)
        leftovers.sweep()
        started = time.perf_counter()
        with leftovers.directory("bench-") as made:
            directory = Path(made)
            project = item.lay_out(directory / "project" / item.source.directory_name)
            settings = sources.load({**self.options, **item.options, "project": project})
            settings = replace(settings, state_directory=directory / "state", virtual_env="")
            with prepared(settings, take(project)) as environment, one_processor() as load:
                if not isinstance(environment.command, PytestCommand):
                    raise MachineError(f"{item.name}: its tests are not pytest's")
                cache = settings.cache_directory / "benchmarks"
                row = _Library(environment, project, directory, cache).measured(
                    count=self.count, slow=self.slow, seed=f"{item.name} {self.seed}"
                )
                row["load"] = [load, os.getloadavg()[0]]
        seconds = round(time.perf_counter() - started, 3)
        return {**row, "outcome": MEASURED, "plausible": True, "reason": "", "seconds": seconds}


class _Library:
    """One library's measurement, below ``directory``."""

    def __init__(self, environment: Environment, project: Path, directory: Path, cache: Path) -> None:
        self._environment, self._project, self._directory = environment, project, directory
        self._cache = cache
        # mutmut's environment is for the project's version of Python.
        python, tools = str(environment.python), cache / "tools"
        self._mutmut_python = tool_environment(peers.MUTMUT, directory=tools, python=python)
        self._cosmic_ray_python = tool_environment(TOOL, directory=tools)
        self._problems: dict[str, str] = {}

    def measured(self, *, count: int, slow: int, seed: str) -> dict[str, Any]:
        """The row, without its key."""
        with self._environment.beds.open() as bed:
            started = time.perf_counter()
            baseline = bed.run()
            baseline_s = time.perf_counter() - started
            if not baseline.passing or not baseline.complete:
                raise MachineError(f"the suite does not run here: {baseline.problem or 'no test passes'}")
            step = max(1, len(baseline.passing) // TRACED)
            sample = [result.test for result in baseline.passing[::step]]
            lines = executed(bed.run(tests=sample, trace=True), self._environment.snapshot)
        mutants = self._drawn(baseline, lines, count, seed)
        by_mutmut = self._mutmut(mutants, baseline)
        # Those that pass in its copy: all tools judge by these.
        tests = frozenset(by_mutmut.tests or (result.test for result in baseline.passing))
        hung = {one["number"] for one in by_mutmut.verdicts if one["verdict"] == HUNG}
        numbered = [(number, one) for number, one in enumerate(mutants) if number not in hung]
        own, prepared_s = self._ours(tests, numbered)
        # Where two tools differ, the whole suite in a process of its own decides who is right.
        asked = (
            {one["number"] for one, _other in differing(own, by_mutmut.verdicts)[1]} if slow else set[int]()
        )
        chosen = {numbered[place][0] for place in range(min(slow, len(numbered)))}
        slowly = [one for one in numbered if one[0] in asked | chosen]
        by_suite = self._cosmic_ray(slowly, sorted(tests), baseline, baseline_s)
        return {
            OURS: own,
            MUTMUT: by_mutmut.verdicts,
            "prepared": {OURS: round(prepared_s, 3), MUTMUT: by_mutmut.prepared_s},
            "judged_by": len(tests),
            "mutants": [[one.path, one.start, one.operator, one.replacement] for one in mutants],
            "problems": self._problems,
            "cosmic_ray": [one for one in by_suite if one["number"] in chosen],
            "suite_says": {one["number"]: one["verdict"] for one in by_suite if one["number"] in asked},
            "limit": self._limit(baseline, tests, numbered),
            "suite": {"first run": round(baseline_s, 3), "native": self._native_s(baseline)},
        }

    def _drawn(
        self, baseline: TestReport, lines: Mapping[str, Container[int]], count: int, seed: str
    ) -> list[Mutant]:
        """Up to ``count`` mutants for all tools, on ``lines``."""
        snapshot, found, numbers = self._environment.snapshot, list[Mutant](), []
        for factor in DRAWN_PER_MUTANT:
            found = in_covered_lines(snapshot, lines, seed=seed, count=factor * count, cache=self._cache)
            copy = self._copy(f"select-{factor}", baseline)
            packages = [str(site_packages(self._mutmut_python)[0])]
            task = {
                "task": "select",
                "source_paths": ["."],
                "mutants": peers.plain(found),
                "packages": packages,
            }
            # Those that mutmut can have: in bodies of functions that it can wrap.
            numbers = copy.drive("mutmut_judge", self._mutmut_python, task)["fit"]
            if len(numbers) >= count:
                break
        if not numbers:
            raise MachineError("mutmut can have none of the mutants")
        return [found[number] for number in sorted(numbers)[:count]]

    def _mutmut(self, mutants: Sequence[Mutant], baseline: TestReport) -> peers.ByMutmut:
        """Its answer; without tests where it cannot judge the project."""
        copy = self._copy("mutmut", baseline, [result.test for result in baseline.passing])
        try:
            found = peers.by_mutmut(mutants, self._environment, copy, self._mutmut_python)
        except MachineError as error:
            self._problems[MUTMUT] = str(error)[-MAX_PROBLEM:]
            return peers.ByMutmut()
        if not found.tests:
            self._problems[MUTMUT] = "no test passes in mutmut's copy of the project"
        return found

    def _cosmic_ray(
        self,
        numbered: Sequence[tuple[int, Mutant]],
        tests: list[str],
        baseline: TestReport,
        suite_s: float,
    ) -> list[Judged]:
        if not numbered:
            return []
        copy = self._copy("cosmic-ray", baseline, tests)
        timeout_s = PATIENCE * suite_s + PATIENCE_S
        only = [one for _number, one in numbered]
        try:
            found = peers.by_cosmic_ray(
                only, self._environment, copy, self._cosmic_ray_python, timeout_s=timeout_s
            )
        except MachineError as error:
            self._problems["cosmic-ray"] = str(error)[-MAX_PROBLEM:]
            return []
        return [{**one, "number": numbered[one["number"]][0]} for one in found]

    def _ours(
        self, tests: frozenset[str], numbered: Sequence[tuple[int, Mutant]]
    ) -> tuple[list[Judged], float]:
        """The verdicts, and the seconds before them: of the first run, and of loading the tests."""
        with self._environment.beds.open() as bed:
            started = time.perf_counter()
            judge = ours.Judge(bed, self._environment.snapshot, bed.run(), tests)
            judge.prepare([mutant for _number, mutant in numbered])
            prepared_s = time.perf_counter() - started
            return ours.judge_all(judge, numbered), prepared_s

    def _limit(
        self, baseline: TestReport, tests: frozenset[str], numbered: Sequence[tuple[int, Mutant]]
    ) -> dict[str, Any]:
        """The seconds of a bare fork, and for some tests their own and those of a quick verdict."""
        short = [one for one in baseline.passing if one.test in tests and one.seconds <= SHORT_S]
        by_time = sorted(short, key=lambda one: one.seconds)
        places = [round(place * (len(by_time) - 1) / (AT_THE_LIMIT - 1)) for place in range(AT_THE_LIMIT)]
        chosen = [by_time[place].test for place in sorted(set(places))]
        copy, command = self._copy("limit", baseline, chosen), self._environment.command
        assert isinstance(command, PytestCommand)
        task = {"tests": chosen, "arguments": list(command.arguments), "rounds": ROUNDS}
        bare = copy.drive("bare_fork", self._environment.python, task, with_project=True)
        path = numbered[0][1].path
        changes = {path: self._environment.snapshot.files[path]}
        with self._environment.beds.open() as bed:
            bed.run()
            quick = ours.quick_s(bed, chosen, changes, rounds=ROUNDS)
        figures = [[test, round(bare["own"].get(test, 0.0), 6), round(quick[test], 6)] for test in chosen]
        return {"fork": round(bare["fork"], 6), "tests": figures}

    def _native_s(self, baseline: TestReport) -> float:
        """The seconds of the suite as the project's own command runs it, outside of any sandbox."""
        command = self._environment.command
        assert isinstance(command, PytestCommand)
        copy = self._copy("native", baseline)
        argv = [str(self._environment.python), "-m", "pytest", "-q", *command.arguments]
        started = time.perf_counter()
        copy.run(argv, copy.judging_variables(), self._directory / "native.output", NATIVE_TIMEOUT_S)
        return round(time.perf_counter() - started, 3)

    def _copy(self, name: str, baseline: TestReport, tests: Sequence[str] = ()) -> Outside:
        """A copy to judge by ``tests``; it leaves out the files that could not be collected."""
        copy = Outside(self._environment, self._project, self._directory / name)
        copy.judge_by(tests, without={one.test for one in baseline.failing if "::" not in one.test})
        return copy


@contextmanager
def one_processor() -> Iterator[float]:
    """All that starts in here shares one processor: the last; yields the load of the machine before."""
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(before)})
    try:
        yield os.getloadavg()[0]
    finally:
        os.sched_setaffinity(0, before)

"""mutmut on mutants that others drew: ``mutmut_judge.py FILE`` in a copy of the project, by its interpreter.

FILE is JSON: ``task`` says ``select`` or ``judge``; ``mutants`` are [path, start, end, replacement];
``packages`` is where mutmut lies. One line of JSON on ``output`` answers.

mutmut has no option for mutants of others. So its function that makes the mutants of a file is replaced by
one that takes the bodies of functions from here; what makes the trampolines, chooses the tests and runs them
is mutmut's own. Known to work with mutmut 3.8.1.
"""

from __future__ import annotations

import json
import os
import resource
import sys
import time
import traceback
from pathlib import Path
from typing import Any

TASK = json.loads(Path(sys.argv[1]).read_text("utf-8"))
HERE = Path(__file__).resolve().parent
sys.path[:] = [entry for entry in sys.path if entry != str(HERE)] + [*TASK["packages"], TASK["plugins"]]

from mutmut import configuration  # type: ignore[import-not-found]  # noqa: E402

configuration._guess_source_paths = lambda: TASK["source_paths"]  # noqa: SLF001 - see above

import libcst as cst  # type: ignore[import-not-found]  # noqa: E402
from libcst import metadata  # noqa: E402
from mutmut import __main__ as program  # noqa: E402
from mutmut.mutation import file_mutation  # type: ignore[import-not-found]  # noqa: E402

TRIALS = 4


class Bodies:
    """The mutants of one file as mutmut wants them: a function's body, and what replaces it."""

    def __init__(self, path: str, source: str, mutants: list[tuple[int, list[Any]]]) -> None:
        self.names: dict[int, tuple[Any, int]] = {}
        wrapper = metadata.MetadataWrapper(cst.parse_module(source))
        self._spans = wrapper.resolve(metadata.ByteSpanPositionProvider)
        self._source, self._mutants = source, mutants
        self._replaced: dict[Any, list[int]] = {}
        self._bodies = dict(_bodies(wrapper.module))
        ignored = file_mutation.get_ignored_lines(path, source, wrapper, None)
        visitor = file_mutation.MutationVisitor([(cst.IndentedBlock, self._of)], ignored)
        self.module = wrapper.visit(visitor)
        self.mutations = [one for one in visitor.mutations if one.contained_by_top_level_function]
        self.ignored = visitor.ignored_classes, visitor.ignored_functions

    @property
    def numbers(self) -> list[int]:
        """The numbers of the mutants that mutmut can have, as they are in the order of ``mutations``."""
        return [number for one in self.mutations for number in self._replaced[one.mutated_node]]

    def _of(self, body: Any) -> Any:  # noqa: ANN401 - libcst's
        place = self._bodies.get(body)
        if place is None:
            return
        span = self._spans[body]
        for number, (_path, start, end, replacement) in self._mutants:
            first, last = (len(self._source[:index].encode()) for index in (start, end))
            if not (span.start <= first and last <= span.start + span.length):
                continue
            changed = self._source[:start] + replacement + self._source[end:]
            found = {where: changed_body for changed_body, where in _bodies(cst.parse_module(changed))}
            if place in found and not found[place].deep_equals(body):
                self._replaced[found[place]] = [number]
                yield found[place]


def _bodies(module: Any) -> Any:  # noqa: ANN401 - libcst's
    """The bodies of the functions and methods that mutmut could wrap, each with its place in the module."""
    for first, statement in enumerate(module.body):
        inner = statement.body.body if isinstance(statement, cst.ClassDef) else ()
        for second, node in [(-1, statement), *enumerate(inner)]:
            if isinstance(node, cst.FunctionDef) and isinstance(node.body, cst.IndentedBlock):
                yield node.body, (first, second)


def of_file(path: str) -> list[tuple[int, list[Any]]]:
    """The mutants of ``path``, with their numbers."""
    return [(number, mutant) for number, mutant in enumerate(TASK["mutants"]) if mutant[0] == path]


def read(path: str) -> str:
    """A source file as whoever drew the mutants read it."""
    return Path(path).read_bytes().decode("utf-8")


def select() -> dict[str, Any]:
    """Which of the mutants mutmut can have, one at a time."""
    fit: list[int] = []
    for path in sorted({mutant[0] for mutant in TASK["mutants"]}):
        try:
            fit += Bodies(path, read(path), of_file(path)).numbers
        except Exception as error:  # noqa: BLE001 - of libcst, for syntax that it does not know
            print(f"{path}: {error}", file=sys.stderr)
    return {"fit": sorted(fit)}


def mutated(path: str, source: str, *_coverage: Any) -> Any:  # noqa: ANN401 - mutmut's
    """What replaces mutmut's own ``mutate_file_contents``."""
    bodies = Bodies(path, source, of_file(path))
    file = file_mutation.combine_mutations_to_source(bodies.module, bodies.mutations, *bodies.ignored)
    names = Path("mutants.names")
    with names.open("a", encoding="utf-8") as sink:
        for number, name in zip(numbers_in_order(bodies), file.mutant_names, strict=True):
            sink.write(json.dumps([program.get_mutant_name(Path(path), name), number]) + "\n")
    return file


def numbers_in_order(bodies: Bodies) -> list[int]:
    """Their numbers in the order in which mutmut names them: by function, as the functions stand."""
    order = [body for body, _place in _bodies(bodies.module)]
    by_body: dict[Any, list[int]] = {body: [] for body in order}
    for mutation, number in zip(bodies.mutations, bodies.numbers, strict=True):
        by_body[mutation.original_node].append(number)
    return [number for body in order for number in by_body[body]]


def configure() -> None:
    """As a project's configuration of mutmut would say it, with all its files beside the sources."""
    config = configuration.config()
    config.also_copy = [Path(name) for name in TASK["also_copy"]]
    config.only_mutate = sorted({mutant[0] for mutant in TASK["mutants"]})
    config.pytest_add_cli_args = ["-p", "judged_tests"]
    config.pytest_add_cli_args_test_selection = TASK["arguments"]
    program.mutate_file_contents = mutated


def try_out() -> list[str]:
    """Make the mutants, and run the tests until all that are left pass; those that are left."""
    program.makedirs("mutants", exist_ok=True)
    program.set_mutant_under_test("mutant_generation")
    program.copy_src_dir()
    program.copy_also_copy_files()
    program.setup_source_paths()
    program.create_mutants(1)
    judged = Path(os.environ["REGREEN_JUDGED_TESTS"])
    for _ in range(TRIALS):
        passing, status = _trial()
        before = json.loads(judged.read_text("utf-8"))
        left = [test for test in before if test in passing]
        judged.write_text(json.dumps(left), "utf-8")
        if left == before and status == 0:
            break
    return left


def _trial() -> tuple[set[str], int]:
    """The tests that pass with the trampolines and no mutant, in a child process; and pytest's status.

    They have to pass twice in one process: mutmut runs its clean test where it took its statistics.
    """
    record = Path("mutants.passed").absolute()
    pid = os.fork()
    if pid == 0:
        status = 70
        try:
            os.environ["MUTMUT_DEPENDENCY_DEPTH"] = "-1"
            os.chdir("mutants")
            import pytest

            recorder = _Recorder()
            options = ["--rootdir=.", "--tb=native", "-q", "-p", "no:randomly", "-p", "no:random-order"]
            config = configuration.config()
            given = [*config.pytest_add_cli_args_test_selection, *config.pytest_add_cli_args]
            program.set_mutant_under_test("stats")
            status = int(pytest.main([*options, *given], plugins=[recorder]))
            program.set_mutant_under_test("")
            status = status or int(pytest.main([*options, *given], plugins=[recorder]))
            record.write_text(json.dumps(sorted(recorder.passed - recorder.failed)), "utf-8")
        except BaseException:  # noqa: BLE001 - whatever happened, this process must not go on
            traceback.print_exc()
        finally:
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(status)
    status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    return set(json.loads(record.read_text("utf-8"))) if record.exists() else set(), status


class _Recorder:
    def __init__(self) -> None:
        self.passed: set[str] = set()
        self.failed: set[str] = set()

    def pytest_runtest_logreport(self, report: Any) -> None:  # noqa: ANN401 - pytest's
        if report.failed:
            self.failed.add(report.nodeid)
        elif report.when == "call" and report.passed:
            self.passed.add(report.nodeid)


def judge() -> dict[str, Any]:
    """Mutmut's own run, one worker; the seconds and CPU seconds from each verdict to the next.

    ``prepared`` are the seconds before the first: of its statistics, its clean run and its forced failure.
    """
    steps: dict[str, tuple[float, float]] = {}
    started: list[float] = []
    begun, prepared = time.perf_counter(), list[float]()
    make = program.get_mutant_runner

    def watched(*arguments: Any) -> Any:  # noqa: ANN401 - mutmut's
        runner = make(*arguments)
        startup, wait = runner.startup, runner.wait_for_result

        def first() -> None:
            startup()
            prepared.append(time.perf_counter() - begun)
            started[:] = [time.perf_counter(), _cpu_s()]

        def next_result(*given: Any) -> Any:  # noqa: ANN401 - mutmut's
            result = wait(*given)
            now = [time.perf_counter(), _cpu_s()]
            steps[result.mutant_name] = now[0] - started[0], now[1] - started[1]
            started[:] = now
            return result

        runner.startup, runner.wait_for_result = first, next_result
        return runner

    program.get_mutant_runner = watched
    program._run([], 1)  # noqa: SLF001 - what ``mutmut run`` calls
    numbers = dict(map(json.loads, Path("mutants.names").read_text("utf-8").splitlines()))
    statuses: dict[str, int | None] = {}
    for meta in Path("mutants").rglob("*.meta"):
        statuses.update(json.loads(meta.read_text("utf-8"))["exit_code_by_key"])
    chosen = program.state().tests_by_mangled_function_name
    verdicts = [
        {
            "number": numbers[name],
            "verdict": program.status_by_exit_code[status],
            "seconds": steps.get(name, (0.0, 0.0))[0],
            "cpu": steps.get(name, (0.0, 0.0))[1],
            "tests": len(chosen.get(program.mangled_name_from_mutant_name(name), ())),
        }
        for name, status in statuses.items()
    ]
    return {"verdicts": verdicts, "prepared": round(prepared[0], 3) if prepared else None}


def _cpu_s() -> float:
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


def main() -> None:
    """Do what the file says."""
    if TASK["task"] == "select":
        answer = select()
    else:
        configure()
        tests = try_out()
        answer = {"tests": tests, **(judge() if tests else {"verdicts": []})}
    Path(TASK["output"]).write_text(json.dumps(answer), "utf-8")


if __name__ == "__main__":
    main()

"""One whole run of a project's suite: inside of the sandbox, and outside as a plain process."""

import shutil
import time
from collections.abc import Mapping
from pathlib import Path

from benchmarks.libraries.copies import Copy
from benchmarks.libraries.environment import Environment
from benchmarks.libraries.verdicts import Ran, Verdict, collected, read_record, verdict_of
from sandbox.command import PytestCommand, ScriptCommand, ShellCommand
from sandbox.reports import TestReport

OUTPUT_TAIL_BYTES = 6_000
# As in the sandbox, a file that cannot be imported costs its own tests only, and the order is the usual one.
OPTIONS = ("--continue-on-collection-errors", "-p", "no:randomly")
RECORDER = Path(__file__).with_name("recorder.py")


def inside(environment: Environment, *, changes: Mapping[str, bytes] | None = None) -> Ran:
    """One run in a fresh sandbox, with ``changes`` (whole files by path) laid over the project.

    Without changes it is the run by which the environment was chosen, where there was one.

    Raises:
        sandbox.errors.SandboxError: the sandbox failed.
    """
    if environment.report is not None and not changes:
        return ran(environment.report, seconds=environment.report.seconds)
    started = time.perf_counter()
    with environment.beds.open() as bed:
        report = bed.run(changes=changes)
    return ran(report, seconds=time.perf_counter() - started)


def ran(report: TestReport, *, seconds: float) -> Ran:
    """What ``report`` says."""
    return Ran(
        verdicts=collected((result.test, verdict_of(result)) for result in report.results),
        messages={
            result.test: f"{result.exception}: {result.message}".strip(": ") for result in report.failing
        },
        seconds=seconds,
        problem=report.problem or ("" if report.complete else "the run is not complete"),
        output=report.output[-OUTPUT_TAIL_BYTES:],
        cut=report.cut,
    )


def outside(environment: Environment, project: Path, *, directory: Path, timeout_s: float) -> Ran:
    """One run in a copy of ``project`` below ``directory``, with the interpreter and packages of inside."""
    copy = Copy(environment, project, directory)
    record = directory / "verdicts.jsonl"
    started = time.perf_counter()
    status = copy.run(_argv(environment, record), copy.variables(), directory / "output", timeout_s)
    seconds = time.perf_counter() - started
    problem = f"it did not end within {timeout_s:g} s" if status is None else ""
    output = (directory / "output").read_bytes()[-OUTPUT_TAIL_BYTES:].decode("utf-8", "replace")
    if isinstance(environment.command, PytestCommand):
        lines = record.read_text("utf-8").splitlines() if record.exists() else []
        verdicts, messages = read_record(lines)
    else:
        ended = Verdict.FAILED if status else Verdict.PASSED
        verdicts = {} if status is None else {environment.command.text: ended}
        messages = {}
    shutil.rmtree(copy.files, ignore_errors=True)
    return Ran(
        verdicts=verdicts,
        messages=messages,
        seconds=seconds,
        problem=problem or ("" if verdicts else f"no test ran, exit status {status}"),
        output=output,
        cut=status is None,
    )


def _argv(environment: Environment, record: Path) -> list[str]:
    python = str(environment.python)
    match environment.command:
        case PytestCommand() as command:
            options, arguments = command.launch.options, command.arguments
            root = "." if command.add_root_to_path else ""
            return [python, *options, str(RECORDER), str(record), root, *OPTIONS, *arguments]
        case ScriptCommand() as command:
            program = ["-m", command.module] if command.module else [command.path]
            return [python, *command.launch.options, *program, *command.arguments]
        case ShellCommand() as command:
            return ["sh", "-c", command.text]

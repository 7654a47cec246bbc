"""One whole run of a project's suite: inside of the sandbox, and outside as a plain process of this machine.

Outside is no isolation: the project's code runs with the caller's rights. Whoever measures trusts the
libraries.
"""

import os
import secrets
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from benchmarks.libraries.environment import WORKSPACE, Environment
from benchmarks.libraries.verdicts import Ran, Verdict, collected, read_record, verdict_of
from sandbox import owner
from sandbox.command import PytestCommand, ScriptCommand, ShellCommand
from sandbox.machine import caller, scrubbed
from sandbox.reports import TestReport
from sandbox.snapshot import Snapshot

OUTPUT_TAIL_BYTES = 6_000
# As in the sandbox, a file that cannot be imported costs its own tests only, and the order is the usual one.
OPTIONS = ("--continue-on-collection-errors", "-p", "no:randomly")
RECORDER = Path(__file__).with_name("recorder.py")
# In the environment of all that a run outside starts: how they are found again when it ends.
MARK = "REGREEN_BENCH_RUN"


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
        exit_status=report.exit_status,
        problem=report.problem or ("" if report.complete else "the run is not complete"),
        output=report.output[-OUTPUT_TAIL_BYTES:],
        cut=report.cut,
    )


def outside(environment: Environment, project: Path, *, directory: Path, timeout_s: float) -> Ran:
    """One run in a copy of ``project`` below ``directory``, with the environment's interpreter and packages.

    The copy has the project's history, where it has one, and what a build made. Where this process may
    mount, the run finds it at the place that it has in a sandbox, which packages that were built for that
    place need. A run that does not end within ``timeout_s`` seconds is killed with all that it started.
    """
    copy, home = directory / "copy", directory / "home"
    shutil.copytree(project, copy, symlinks=True)
    lay_over(environment.snapshot, copy)
    home.mkdir()
    record = directory / "verdicts.jsonl"
    mount = mounting(copy)
    place = Path(WORKSPACE) if mount else copy
    variables = {
        **scrubbed(
            environment.variables(place),
            home=str(home),
            path=os.environ.get("PATH", os.defpath),
            user=caller(),
        ),
        MARK: owner.mark() + secrets.token_hex(8),
    }
    argv = [*mount, *unprivileged(), *_argv(environment, record)]
    if isinstance(environment.command, PytestCommand) and environment.command.search_path:
        paths = [str(place / path) for path in environment.command.search_path]
        variables["PYTHONPATH"] = ":".join([*paths, *filter(None, [variables.get("PYTHONPATH", "")])])
    started = time.perf_counter()
    status = run(argv, copy, variables, directory / "output", timeout_s)
    seconds = time.perf_counter() - started
    problem = f"it did not end within {timeout_s:g} s" if status is None else ""
    output = (directory / "output").read_bytes()[-OUTPUT_TAIL_BYTES:].decode("utf-8", "replace")
    if isinstance(environment.command, PytestCommand):
        lines = record.read_text("utf-8").splitlines() if record.exists() else []
        verdicts, messages = read_record(lines)
    else:
        verdicts = {} if status is None else {_own_name(environment): _by_status(status)}
        messages = {}
    shutil.rmtree(copy, ignore_errors=True)
    return Ran(
        verdicts=verdicts,
        messages=messages,
        seconds=seconds,
        exit_status=status,
        problem=problem or ("" if verdicts else f"no test ran, exit status {status}"),
        output=output,
        cut=status is None,
    )


def mounting(copy: Path) -> list[str]:
    """What starts a command in a mount namespace where ``copy`` is the sandboxes' workspace; root's alone.

    All else is as outside: files, network, processes. The empty directory stays on this machine.
    """
    program = shutil.which("unshare") if os.geteuid() == 0 else None
    script = f'mkdir -p {WORKSPACE} && mount --bind "$0" {WORKSPACE} && cd {WORKSPACE} && exec "$@"'
    return [program, "--mount", "sh", "-c", script, str(copy)] if program else []


def unprivileged() -> list[str]:
    """What starts a command of root's without root's privileges: few tests are written for who has them."""
    program = shutil.which("setpriv") if os.geteuid() == 0 else None
    return [program, "--bounding-set=-all", "--inh-caps=-all", "--"] if program else []


def _own_name(environment: Environment) -> str:
    assert not isinstance(environment.command, PytestCommand)
    return environment.command.text


def _by_status(status: int) -> Verdict:
    return Verdict.PASSED if status == 0 else Verdict.FAILED


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


def lay_over(snapshot: Snapshot, copy: Path) -> None:
    """Write what a build made beside the project's own files."""
    for entry in snapshot.entries:
        path = copy / entry.path
        if entry.link is None and not path.exists() and not path.is_symlink():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(entry.data)
            path.chmod(0o755 if entry.executable else 0o644)


def run(
    argv: Sequence[str], directory: Path, variables: Mapping[str, str], output: Path, timeout_s: float
) -> int | None:
    """The exit status; None where it was killed, too late."""
    with output.open("wb") as sink:
        process = subprocess.Popen(
            list(argv),
            stdin=subprocess.DEVNULL,
            stdout=sink,
            stderr=subprocess.STDOUT,
            cwd=directory,
            env=dict(variables),
            start_new_session=True,
        )
        try:
            return process.wait(timeout_s)
        except subprocess.TimeoutExpired:
            return None
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            _end(lambda mark: mark == variables[MARK])


def end_strays() -> None:
    """Kill what runs of the suite outside left whose own process was killed."""
    _end(owner.left_by_the_dead)


def _end(is_meant: Callable[[str], bool]) -> None:
    """Kill each process of a run outside whose mark is meant, by the environment it was started with."""
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with suppress(OSError):
                for variable in (entry / "environ").read_bytes().split(b"\0"):
                    name, _, mark = variable.decode("utf-8", "replace").partition("=")
                    if name == MARK and is_meant(mark):
                        os.kill(int(entry.name), signal.SIGKILL)

"""A copy of a project in which programs run outside of any sandbox, as plain processes of this machine.

Outside is no isolation: the project's code runs with the caller's rights. Whoever measures trusts the
libraries.
"""

import os
import secrets
import shutil
import signal
import subprocess
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from benchmarks.libraries.environment import WORKSPACE, Environment
from sandbox import owner
from sandbox.command import PytestCommand
from sandbox.machine import caller, scrubbed
from sandbox.snapshot import Snapshot

# In the environment of all that a run outside starts: how they are found again when it ends.
MARK = "REGREEN_BENCH_RUN"


class Copy:
    """A copy of ``project`` below ``directory``, with its history, where it has one, and what a build made.

    Where this process may mount, what runs finds it at the place that it has in a sandbox, which packages
    that were built for that place need.
    """

    def __init__(self, environment: Environment, project: Path, directory: Path) -> None:
        self._environment, self._directory = environment, directory
        self.files, self._home = directory / "copy", directory / "home"
        shutil.copytree(project, self.files, symlinks=True)
        _lay_over(environment.snapshot, self.files)
        self._home.mkdir()
        self._mount = _mounting(self.files)
        self._place = Path(WORKSPACE) if self._mount else self.files

    def variables(self, *, with_root: bool = False) -> dict[str, str]:
        """What the tests get in their environment; ``with_root`` makes the root a place to import from."""
        given = dict(self._environment.variables(self._place))
        command = self._environment.command
        paths = command.search_path if isinstance(command, PytestCommand) else ()
        found = [str(self._place / path) for path in paths] + [str(self._place)] * with_root
        if found:
            given["PYTHONPATH"] = ":".join([*found, *filter(None, [given.get("PYTHONPATH", "")])])
        return given

    def run(
        self, argv: Sequence[str], given: Mapping[str, str], output: Path, timeout_s: float
    ) -> int | None:
        """Run ``argv`` in the copy with the variables ``given``; the exit status, None where it was killed.

        All that it started ends with it. What it prints goes to ``output``.
        """
        path = os.environ.get("PATH", os.defpath)
        variables = dict(scrubbed(given, home=str(self._home), path=path, user=caller()))
        variables[MARK] = owner.mark() + secrets.token_hex(8)
        return run([*self._mount, *unprivileged(), *argv], self.files, variables, output, timeout_s)


def _mounting(copy: Path) -> list[str]:
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


def _lay_over(snapshot: Snapshot, copy: Path) -> None:
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

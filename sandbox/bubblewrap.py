"""The ``bubblewrap`` provider: Linux namespaces without a daemon or root.

New user, mount, process, network, IPC and host-name namespaces; a read-only root that holds the system's
libraries, the interpreter, the files of ``sandbox.machine`` and nothing of the host beside; the workspace,
``/tmp`` and the like in memory, limited in size. The runner is process 1 of the namespace: when it ends,
the kernel ends all the rest.
"""

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Collection, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from importlib import resources
from pathlib import Path

from sandbox import cgroup, machine
from sandbox.base import MIB, Sandbox, SandboxSpec
from sandbox.devices import protect_nodes
from sandbox.errors import SandboxUnavailable
from sandbox.interpreter import Interpreter, state
from sandbox.machine import scrubbed
from sandbox.pipes import PipeTransport, kept, quiet, runner_process
from sandbox.session import SUPERVISOR_ARGUMENTS, Session

WORKSPACE = "/workspace"
NOBODY = str(machine.UID)
SYSTEM_DIRECTORIES = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")
# As the distribution has them: they decide what a program links and which TLS it speaks, and name nobody.
SYSTEM_FILES = (
    *("/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/alternatives"),
    *("/etc/mime.types", "/etc/ssl/openssl.cnf"),
)
# What container engines hide as well: it describes the host, and nothing in here needs it.
MASKED = (
    *("/proc/kcore", "/proc/keys", "/proc/key-users", "/proc/timer_list", "/proc/sched_debug"),
    "/proc/slabinfo",
    *("/proc/kallsyms", "/proc/kmsg", "/proc/kpagecount", "/proc/kpageflags", "/proc/kpagecgroup"),
    *("/proc/vmallocinfo", "/proc/iomem", "/proc/latency_stats", "/proc/acpi", "/proc/scsi", "/proc/asound"),
)
CHECK_TIMEOUT_S = 20
_working: set[tuple[object, ...]] = set()  # programs that have made a sandbox for this process
SET_UP_PATIENCE_S = 1.0  # once the sandbox is ready; on a busy machine a quarter of it was too short


class BubblewrapProvider:
    """Runs in unprivileged namespaces through ``bwrap``."""

    name = "bubblewrap"
    isolated = True

    def describe(self) -> str:
        """See ``SandboxProvider.describe``."""
        self.check()
        version = _tried(["bwrap", "--version"], "bwrap --version does not answer")
        return version.stdout.decode("utf-8", "replace").strip()

    def sweep(self) -> int:
        """See ``SandboxProvider.sweep``: control groups; all else ends with the process."""
        return cgroup.sweep()

    def check(self) -> None:
        """See ``SandboxProvider.check``."""
        program = shutil.which("bwrap")
        if program is None:
            raise SandboxUnavailable("bubblewrap is not installed: try 'apt install bubblewrap'")
        if (known := (program, *state(program))) in _working:
            return
        argv = [*isolation(), *system_mounts(), "--", shutil.which("true") or "/bin/true"]
        trial = _tried(argv, "bubblewrap cannot be tried here")
        if trial.returncode != 0:
            lines = trial.stderr.decode("utf-8", "replace").strip().splitlines() or ["no reason given"]
            problem = f"bubblewrap cannot make a sandbox here: {lines[-1].partition(' See <')[0].rstrip('.')}"
            advice = "Use Docker, or let this user make namespaces: docs/troubleshooting.md has how"
            raise SandboxUnavailable(f"{problem}. {advice}")
        _working.add(known)

    @contextmanager
    def open(self, spec: SandboxSpec) -> Iterator[Sandbox]:
        """See ``SandboxProvider.open``."""
        interpreter = Interpreter.of(spec.base_python or spec.python)
        size = str(spec.limits.disk_mib * MIB)
        environment = scrubbed(spec.environment, home=machine.HOME)
        places = ["--size", size, "--tmpfs", WORKSPACE]
        for directory in machine.TEMPORARY:
            mode = "0755" if directory == machine.HOME else "1777"
            places += ["--size", size, "--perms", mode, "--tmpfs", directory]
        # After these, for an interpreter that lies below /tmp itself.
        places += interpreter.mounts()
        for directory in spec.readable:
            places += ["--ro-bind", directory, directory]
        places += ["--remount-ro", "/dev", "--remount-ro", "/", "--chdir", "/"]
        for name, value in environment.items():
            places += ["--setenv", name, value]
        places += ["--", interpreter.executable, *SUPERVISOR_ARGUMENTS]
        limits = {**spec.limits.rlimits(), "NPROC": spec.limits.processes}
        settings = {"root": WORKSPACE, "temporary": machine.TEMPORARY, "limits": limits, "confine": True}
        with ExitStack() as opening:
            group = opening.enter_context(cgroup.limited(spec.limits))
            with machine_files() as (files, descriptors):
                argv = [*isolation(), *system_mounts(), *files, *places]
                transport, started = opening.enter_context(kept(_runner(argv, descriptors)))
            try:
                with _set_up(started):
                    group.adopt(started)
                    session = Session(transport, spec, **settings)
                yield session
            finally:
                # Nothing in there has to end in an orderly way, and a runner at work would not hear of it.
                for pid in started:
                    with suppress(ProcessLookupError):
                        os.kill(pid, signal.SIGKILL)


def _tried(argv: Sequence[str], problem: str) -> subprocess.CompletedProcess[bytes]:
    program = [shutil.which(argv[0]) or argv[0], *argv[1:]]
    try:
        return subprocess.run(program, capture_output=True, timeout=CHECK_TIMEOUT_S, check=False, env={})
    except (OSError, subprocess.SubprocessError) as error:
        raise SandboxUnavailable(f"{problem}: {error}") from error


@contextmanager
def _runner(argv: Sequence[str], descriptors: Collection[int]) -> Iterator[PipeTransport]:
    """``runner_process``, for a thread of its own."""
    protect_nodes()
    with runner_process(argv, environment={}, descriptors=descriptors) as transport:
        yield transport


@contextmanager
def _set_up(pids: Collection[int]) -> Iterator[None]:
    """Set up the namespaces that one of ``pids`` is about to make, while the context lasts.

    To the kernel, what is inside belongs to the caller: without limits, code in a sandbox could take all
    inotify instances of the caller's while it runs. A user namespace can have limits of its own
    (namespaces(7)). Without addresses, a look-up with ``AI_ADDRCONFIG`` finds nothing (getaddrinfo(3)): it
    skips each family of which the machine has no address but 127.0.0.1 or ::1. Where the kernel does not
    let us, the limits are a gap, and the addresses are a difference.

    Raises:
        SandboxUnavailable: the program for it cannot be started.
    """
    program = resources.files("sandbox").joinpath("set_up_namespaces.py").read_text("utf-8")
    try:
        process = quiet([sys.executable, "-I", "-S", "-c", program, *map(str, pids)])
    except OSError as error:
        raise SandboxUnavailable(f"cannot start {sys.executable}: {error.strerror}") from error
    try:
        yield
        with suppress(subprocess.TimeoutExpired):
            process.wait(SET_UP_PATIENCE_S)
    finally:
        process.kill()
        process.wait()


def isolation(*, network: bool = False) -> list[str]:
    """The start of every command line: namespaces of its own, no privilege, no variable of the caller's.

    With ``network`` it shares the host's, which only a build of dependencies is given.
    """
    bwrap = shutil.which("bwrap") or "bwrap"
    return [
        bwrap,
        *("--unshare-user", "--unshare-ipc", "--unshare-pid", "--unshare-uts"),
        *(() if network else ("--unshare-net",)),
        *("--unshare-cgroup-try", "--disable-userns"),
        *("--uid", NOBODY, "--gid", NOBODY, "--hostname", machine.HOST_NAME),
        *("--die-with-parent", "--new-session", "--as-pid-1", "--cap-drop", "ALL", "--clearenv"),
    ]


def system_mounts() -> list[str]:
    """The host's libraries and tools, as a distribution lays them out: directories, or links into /usr."""
    argv = ["--dir", "/etc", "--dir", "/etc/ssl"]  # bwrap's parents would be closed to others
    for directory in SYSTEM_DIRECTORIES:
        path = Path(directory)
        if path.is_symlink():
            argv += ["--symlink", os.readlink(directory), directory]
        elif path.is_dir():
            argv += ["--ro-bind", directory, directory]
    for file in SYSTEM_FILES:
        if os.path.exists(file):
            argv += ["--ro-bind", file, file]
    argv += ["--proc", "/proc", "--dev", "/dev"]
    for hidden in MASKED:
        if os.path.isdir(hidden):
            argv += ["--tmpfs", hidden, "--remount-ro", hidden]
        elif os.path.exists(hidden):
            argv += ["--ro-bind", "/dev/null", hidden]
    # To the kernel, root in here is root out there: what it owns in /proc it could write, and from
    # /proc/sys/kernel/core_pattern the way leads out. So nothing in /proc can be written by anybody.
    return [*argv, "--remount-ro", "/proc"]


@contextmanager
def machine_files(*, network: bool = False) -> Iterator[tuple[list[str], tuple[int, ...]]]:
    """The arguments that write the files of ``sandbox.machine``, and the descriptors that they are read from.

    One bwrap can read them. Nothing of it lies on the host's disk. With ``network``, what says how names are
    looked up is left out.
    """
    argv: list[str] = []
    for directory in machine.DIRECTORIES:
        argv += ["--dir", directory]
    for path, target in machine.LINKS.items():
        argv += ["--symlink", target, path]
    texts = {**machine.FILES, **({} if network else machine.LOOK_UP)}
    with ExitStack() as descriptors:
        numbers = []
        for path, text in texts.items():
            number = os.memfd_create(path)
            descriptors.callback(os.close, number)
            os.write(number, text.encode())
            os.lseek(number, 0, os.SEEK_SET)
            argv += ["--perms", "0644", "--file", str(number), path]
            numbers.append(number)
        yield argv, tuple(numbers)

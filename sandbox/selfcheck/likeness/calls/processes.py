"""Processes, threads, signals, limits, terminals."""

from __future__ import annotations

import concurrent.futures
import ctypes
import faulthandler
import multiprocessing
import os
import pty
import resource
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from importlib import import_module  # of what CPython 3.7 has not
from typing import Any, List

from .answers import TRUE, TYPE, VALUE, Call, raised

TIMEOUT_S = 20


def _forked() -> int:
    pid = os.fork()
    if pid == 0:
        os._exit(7)
    return os.waitpid(pid, 0)[1] >> 8


def _output(*argv: str) -> str:
    return subprocess.run(argv, stdout=subprocess.PIPE, timeout=TIMEOUT_S, check=True).stdout.decode().strip()


def _tool(name: str) -> str:
    return raised(lambda: _output(name, "--version"))


def _pool() -> List[int]:
    with multiprocessing.get_context("fork").Pool(2) as pool:
        return pool.map(abs, [-1, -2])


def _spawned(method: str) -> Any:
    process = multiprocessing.get_context(method).Process(target=time.sleep, args=(0,))  # type: ignore[attr-defined]
    process.start()
    process.join(TIMEOUT_S)
    return process.exitcode


def _queue() -> int:
    queue: Any = multiprocessing.get_context("fork").Queue()
    queue.put(7)
    return int(queue.get(timeout=TIMEOUT_S))


def _shared_memory() -> bytes:
    block = import_module("multiprocessing.shared_memory").SharedMemory(create=True, size=10)
    try:
        memory: Any = block.buf
        memory[:1] = b"x"
        return bytes(memory[:1])
    finally:
        block.close()
        block.unlink()


def _thread() -> List[int]:
    found: List[int] = []
    threads = [threading.Thread(target=found.append, args=(7,)) for _ in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return found


def _futures() -> List[int]:
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        return list(pool.map(abs, [-1, -2]))


def _alarm() -> bool:
    heard: List[int] = []
    before = signal.signal(signal.SIGALRM, lambda number, _frame: heard.append(number))
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.01)
        deadline = time.monotonic() + TIMEOUT_S
        while not heard and time.monotonic() < deadline:
            time.sleep(0.01)
    finally:
        signal.signal(signal.SIGALRM, before)
    return heard == [signal.SIGALRM]


def _waited_for() -> int:
    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGUSR1])
    try:
        os.kill(os.getpid(), signal.SIGUSR1)
        return int(signal.sigwait([signal.SIGUSR1]))
    finally:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGUSR1])


def _group_killed() -> int:
    process = subprocess.Popen(["sleep", "30"], start_new_session=True)
    os.killpg(process.pid, signal.SIGTERM)
    return process.wait(TIMEOUT_S)


def _interrupted() -> int:
    process = subprocess.Popen(
        [sys.executable, "-c", "import time; print(1, flush=True); time.sleep(30)"],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    with process:
        assert process.stdout is not None
        process.stdout.readline()
        process.send_signal(signal.SIGINT)
        return process.wait(TIMEOUT_S)


def _pseudo_terminal() -> bytes:
    ours, theirs = pty.openpty()
    try:
        assert os.isatty(theirs)
        os.write(theirs, b"x\n")
        return os.read(ours, 10)
    finally:
        os.close(ours)
        os.close(theirs)


def _terminal_of_a_child() -> bytes:
    pid, descriptor = pty.fork()
    if pid == 0:
        os.execvp("sh", ["sh", "-c", "test -t 0 && echo yes"])
    try:
        select.select([descriptor], [], [], TIMEOUT_S)
        return os.read(descriptor, 10)
    finally:
        os.close(descriptor)
        os.waitpid(pid, 0)


def _inotify() -> bool:
    descriptor = ctypes.CDLL(None).inotify_init()
    if descriptor < 0:
        return False
    os.close(descriptor)
    return True


def _crash() -> int:
    return subprocess.run(
        [sys.executable, "-c", "import os; os.abort()"], stderr=subprocess.DEVNULL
    ).returncode


def _lowered() -> bool:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (64, hard))
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    return True


def _many_files() -> int:
    with tempfile.TemporaryFile() as handle:
        copies = [os.dup(handle.fileno()) for _ in range(2000)]
        for copy in copies:
            os.close(copy)
        return len(copies)


def _pid_descriptor() -> bool:
    descriptor = os.pidfd_open(os.getpid())
    os.close(descriptor)
    return True


def _no_memory_limit() -> bool:
    return resource.getrlimit(resource.RLIMIT_AS)[0] == resource.RLIM_INFINITY


CALLS: List[Call] = [
    ("os.fork and os.waitpid", VALUE, _forked),
    ("sh -c 'echo hello'", VALUE, lambda: _output("sh", "-c", "echo hello")),
    ("ls /tmp", TYPE, lambda: _output("ls", "/tmp")),
    ("subprocess with shell=True", VALUE, lambda: subprocess.check_output("echo $0", shell=True)),
    ("os.system", VALUE, lambda: os.system("exit 3")),
    ("git --version", VALUE, lambda: _tool("git")),
    ("bash --version", VALUE, lambda: _tool("bash")),
    ("sys.executable runs", VALUE, lambda: _output(sys.executable, "-c", "print(7)")),
    ("shutil.which('sh')", TYPE, lambda: shutil.which("sh")),
    ("multiprocessing: fork, a pool", VALUE, _pool),
    ("multiprocessing: spawn", VALUE, lambda: _spawned("spawn")),
    ("multiprocessing: forkserver", VALUE, lambda: _spawned("forkserver")),
    ("multiprocessing.Queue", VALUE, _queue),
    ("multiprocessing.Semaphore", VALUE, lambda: multiprocessing.Semaphore(1).acquire()),
    ("multiprocessing.shared_memory", VALUE, _shared_memory),
    ("twenty threads", VALUE, _thread),
    ("concurrent.futures", VALUE, _futures),
    ("SIGALRM by a timer", VALUE, _alarm),
    ("signal.sigwait", VALUE, _waited_for),
    ("os.killpg", VALUE, _group_killed),
    ("SIGINT to a child", VALUE, _interrupted),
    ("SIGINT's handler", VALUE, lambda: signal.getsignal(signal.SIGINT) is signal.default_int_handler),
    ("SIGPIPE is ignored", VALUE, lambda: signal.getsignal(signal.SIGPIPE) == signal.SIG_IGN),
    ("os.abort() in a child", VALUE, _crash),
    ("pty.openpty()", VALUE, _pseudo_terminal),
    ("pty.fork()", VALUE, _terminal_of_a_child),
    ("select.select", VALUE, lambda: select.select([], [], [], 0)),
    ("ctypes.CDLL(None).getpid()", VALUE, lambda: ctypes.CDLL(None).getpid() == os.getpid()),
    ("inotify", VALUE, _inotify),
    ("os.pidfd_open", VALUE, _pid_descriptor),
    ("os.memfd_create", VALUE, lambda: raised(lambda: os.close(os.memfd_create("x")))),
    ("faulthandler", VALUE, lambda: raised(faulthandler.enable)),
    ("os.sched_getaffinity(0)", TYPE, lambda: os.sched_getaffinity(0)),
    ("os.cpu_count()", TYPE, lambda: os.cpu_count()),
    ("os.getloadavg()", TYPE, lambda: os.getloadavg()),
    ("resource.getrusage", TYPE, lambda: resource.getrusage(resource.RUSAGE_SELF)),
    ("4096 open files", TRUE, lambda: resource.getrlimit(resource.RLIMIT_NOFILE)[0] >= 4096),
    ("two thousand descriptors", VALUE, _many_files),
    ("resource.setrlimit", VALUE, _lowered),
    ("memory without a limit", VALUE, _no_memory_limit),
    ("os.nice(0)", TYPE, lambda: os.nice(0)),
    ("os.getsid(0)", TYPE, lambda: os.getsid(0)),
    ("/proc/self/status", VALUE, lambda: os.path.exists("/proc/self/status")),
    ("/proc/meminfo", VALUE, lambda: os.access("/proc/meminfo", os.R_OK)),
    ("/proc/cpuinfo", VALUE, lambda: os.access("/proc/cpuinfo", os.R_OK)),
    ("/proc/self/fd", TYPE, lambda: os.listdir("/proc/self/fd")),
]

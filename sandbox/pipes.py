"""A child process as a sandbox: its transport, and the thread that starts it.

bubblewrap's ``--die-with-parent`` means the thread that started it, and so does the kernel when it lists
children: a worker that opens a sandbox and ends would take the sandbox with it, and leave its children to
another thread. So that thread lives exactly as long as the sandbox.
"""

import os
import select
import subprocess
import time
from collections.abc import Collection, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, ExitStack, contextmanager
from typing import TypeVar

from sandbox import cgroup
from sandbox.errors import SandboxUnavailable

STOP_TIMEOUT_S = 10.0
Entered = TypeVar("Entered")


class PipeTransport:
    """Speaks to ``process`` through its standard input and output; see ``session.RunnerTransport``."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        self._process = process
        self._input = process.stdin
        self._output = process.stdout

    def send(self, data: bytes) -> None:
        """Write all of ``data``."""
        if self._input.closed:
            raise BrokenPipeError("closed")
        view = memoryview(data)
        while view:
            view = view[os.write(self._input.fileno(), view) :]

    def receive(self, count: int, *, deadline: float) -> bytes:
        """Exactly ``count`` bytes."""
        if self._output.closed:
            raise EOFError
        data = bytearray()
        waiting = select.poll()  # which, unlike ``select``, takes descriptors of any number
        waiting.register(self._output, select.POLLIN)
        while len(data) < count:
            remaining = deadline - time.monotonic()
            if remaining <= 0 or not waiting.poll(remaining * 1000):
                raise TimeoutError
            chunk = os.read(self._output.fileno(), min(count - len(data), 1 << 20))
            if not chunk:
                raise EOFError
            data += chunk
        return bytes(data)

    def diagnosis(self) -> str:
        """The end of the process's own error output."""
        self._process.kill()
        self._process.wait()
        assert self._process.stderr is not None
        if self._process.stderr.closed:
            return "it was closed"
        text = self._process.stderr.read().decode("utf-8", "replace").strip()
        return text.splitlines()[-1][:300] if text else f"exit status {self._process.returncode}"


@contextmanager
def runner_process(
    argv: Sequence[str], *, environment: Mapping[str, str], descriptors: Collection[int] = ()
) -> Iterator[PipeTransport]:
    """Start ``argv``, which waits for its program; the end of the context is the end of the process.

    ``descriptors`` of ours are handed to it.

    The process sees end-of-file on its input when we die, and then ends by itself.

    Raises:
        SandboxUnavailable: ``argv`` cannot be started.
    """
    try:
        process = subprocess.Popen(
            list(argv),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            env=dict(environment),
            pass_fds=descriptors,
            start_new_session=True,
            cwd="/",
        )
    except OSError as error:
        raise SandboxUnavailable(f"cannot start {argv[0]}: {error.strerror}") from error
    with process:
        transport = PipeTransport(process)
        try:
            yield transport
        finally:
            _stop(process)


def quiet(argv: Sequence[str], descriptors: Collection[int] = ()) -> subprocess.Popen[bytes]:
    """Start ``argv`` with none of our streams and variables, and with ``descriptors`` of ours."""
    nothing = subprocess.DEVNULL
    return subprocess.Popen(
        list(argv),
        stdin=nothing,
        stdout=nothing,
        stderr=nothing,
        pass_fds=descriptors,
        env={},
        cwd="/",
        start_new_session=True,
    )


def _stop(process: subprocess.Popen[bytes]) -> None:
    assert process.stdin is not None
    process.stdin.close()
    try:
        process.wait(STOP_TIMEOUT_S)
    except subprocess.TimeoutExpired:
        process.kill()


@contextmanager
def kept(context: AbstractContextManager[Entered]) -> Iterator[tuple[Entered, set[int]]]:
    """``context``, entered by a thread of its own, and the processes that entering it has started."""

    def enter() -> tuple[Entered, set[int]]:
        others = cgroup.children()
        return context.__enter__(), cgroup.children() - others

    with ExitStack() as resources:
        thread = resources.enter_context(ThreadPoolExecutor(1, thread_name_prefix="regreen-sandbox"))
        entered = thread.submit(enter).result()
        resources.push(context)
        yield entered

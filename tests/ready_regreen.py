"""``regreen`` as a process of its own, without the two seconds in which its libraries load.

One process has loaded them. For each command it forks a copy, which gets the arguments, the environment, the
directory and the outputs that the command is to have, runs ``bot.cli.main`` and ends as Python ends. Only
what comes before ``main`` is not as a user has it; ``test_kill_and_resume.py`` and ``test_crash_safety.py``
start ``python -m bot`` itself.
"""

import json
import os
import random
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
LONGEST_ORDER = 1 << 20
# What the commands load when they are called.
LOADED = (
    "bot.agent.graph",
    "bot.compose",
    "bot.config.sources",
    "bot.commands.doctor.diagnose",
    "bot.config.options.values",
    "rich.console",
    "sandbox.docker",
    "sandbox.environment.prepare",
)


class Regreen:
    """Runs ``regreen`` with some arguments, as ``subprocess.run`` would; one command at a time."""

    def __init__(self, orders: socket.socket) -> None:
        self._orders = orders

    def __call__(
        self,
        *arguments: str | Path,
        environment: Mapping[str, str] | None = None,
        directory: str | Path = "/",
        timeout_s: float = 120,
    ) -> subprocess.CompletedProcess[bytes]:
        """The status and the outputs, as bytes; ``environment`` is this process's where none is given.

        Raises:
            subprocess.TimeoutExpired: it was killed after ``timeout_s`` seconds.
        """
        command = ["regreen", *map(str, arguments)]
        order = {
            "command": command,
            "environment": dict(environment or os.environ),
            "directory": str(directory),
        }
        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as error:
            socket.send_fds(self._orders, [json.dumps(order).encode()], [out.fileno(), error.fileno()])
            pid = self._answer()
            try:
                status = self._answer(timeout_s)
            except TimeoutError:
                os.kill(pid, signal.SIGKILL)
                self._answer()
                raise subprocess.TimeoutExpired(command, timeout_s) from None
            out.seek(0)
            error.seek(0)
            return subprocess.CompletedProcess(command, status, out.read(), error.read())

    def _answer(self, timeout_s: float | None = None) -> int:
        self._orders.settimeout(timeout_s)
        answer = self._orders.recv(32)
        assert answer, "the process that forks has ended; it said why on standard error"
        return int(answer)


@contextmanager
def ready() -> Iterator[Regreen]:
    """A process that has everything loaded, until the block ends."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    ours.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, LONGEST_ORDER)
    with ours:
        with theirs:
            argv = [sys.executable, __file__, str(theirs.fileno())]
            process = subprocess.Popen(
                argv,
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                cwd=ROOT,
            )
        try:
            yield Regreen(ours)
        finally:
            ours.close()  # no order will come
            process.wait()


def _serve(orders: socket.socket) -> bool:
    """Fork for each order; True in the copies, which have become what was ordered."""
    while True:
        message, outputs, *_ = socket.recv_fds(orders, LONGEST_ORDER, 2)
        if not message:
            return False
        pid = os.fork()
        if not pid:
            orders.close()
            _become(json.loads(message), outputs)
            return True
        for output in outputs:
            os.close(output)
        orders.send(str(pid).encode())
        orders.send(str(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])).encode())


def _become(order: dict, outputs: list[int]) -> None:
    for number, output in enumerate(outputs, start=1):
        os.dup2(output, number)
        os.close(output)
    os.environ.clear()
    os.environ.update(order["environment"])
    os.chdir(order["directory"])
    sys.argv = order["command"]
    random.seed()  # or all copies draw the same numbers


if __name__ == "__main__":
    sys.path[:1] = [str(ROOT)]  # this file's own directory stays out, as it does for a user
    for name in LOADED:
        import_module(name)
    from bot.cli import main

    if _serve(socket.socket(fileno=int(sys.argv[1]))):
        main()

"""The runner's main loop: one order at a time from the host, one answer each.

Orders (header key ``op``), their other keys and their answers:

``codes``     → ``magic`` (hexadecimal), ``lengths``; body: the runner's modules as compiled in here
``unpack``    body: a tar archive → ``members``
``exec``      ``argv``, ``timeout_s``, ``output_limit`` (bytes of each output: the first, with ``keep_end``
              the last), ``env``, ``changes`` + body → ``exit_status``, ``timed_out``, ``truncated``,
              ``seconds``, ``stdout_length``; body: stdout then stderr
``prepare``   ``arguments``, ``environment``, ``options`` (of the interpreter), ``search_path`` (directories
              for ``sys.path``), ``processor`` (the number of the sandbox's own, if it has one), and either
              ``name_patterns`` (``unittest -k``), for pytest, or ``script``, for a program: its ``name`` as
              a test, its ``path`` or ``module`` → ``ready`` or ``problem``
``tests``     ``tests``, ``trace``, ``stop_at_first_failure``, ``timeout_s``, ``timeouts_s`` (by test),
              ``collect_timeout_s``, ``suite_timeout_s`` (for all that the order makes necessary), ``grace_s``
              (for what does not hear that its time is over), ``adaptive`` (limits follow from what other
              tests take), ``first`` (files whose tests go first), ``quick``, ``ahead``, ``calls`` (say which
              functions each test calls), ``changes`` + body → the report

``probe``     ``tests``, ``timeout_s``, ``timeouts_s``, ``collect_timeout_s``, ``suite_timeout_s``, and
              ``probe``: ``targets`` (path and name), ``versions`` (texts by path), ``examples``,
              ``seconds`` → ``inputs``, ``versions``, ``problem``, ``seconds``

``changes`` maps relative paths to lengths; the body holds their contents one after the other. While an
order is worked on, ``{"alive": …}`` messages show the host that the runner lives. An order that fails
is answered with ``error``. At the end of its input the runner ends itself and everything below it.
"""

from __future__ import annotations

import os
import select
import shutil
import signal
import time

from . import frames
from .kept import Head, Tail
from .processes import (
    Child,
    become_child,
    end_descendants,
    exit_code,
    has_children,
    protect_supervisor,
    supervise,
)
from .workspace import Workspace

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Dict, Tuple

    Answer = Tuple[Dict[str, Any], bytes]


class HostGone(Exception):
    """The host closed its end."""


class Server:
    """Works off orders until the input ends."""

    def __init__(self, input_fd: int, output_fd: int, payload: Dict[str, Any]) -> None:
        settings = payload["settings"]
        self._payload = payload
        self._input, self._output = input_fd, output_fd
        # No alarm: a signal handler of process 1 is something that the code inside could trigger.
        self._end = time.monotonic() + settings["lifetime_s"]
        # As process 1 we own the whole sandbox, its temporary directories too.
        own = tuple(settings.get("temporary", ())) if os.getpid() == 1 else ()
        home = os.path.realpath(os.path.expanduser("~"))
        if settings.get("remove") and home.startswith(os.path.realpath(settings["remove"]) + os.sep):
            own = (*own, home)
        self.workspace = Workspace(settings["root"], tuple(filter(os.path.isdir, own)), home)
        self.limits: Dict[str, int] = settings["limits"]
        self._runs: Any = None

    def serve(self) -> None:
        """Answer orders; returns at the end of the input."""
        while select.select([self._input], [], [], max(0.0, self._end - time.monotonic()))[0]:
            message = frames.receive(self._input)
            if message is None:
                return
            order, body = message
            try:
                self._tidy()
                answer, answer_body = getattr(self, "do_" + order["op"])(order, body)
            except HostGone:
                return
            except Exception as error:  # the host gets every failure as an answer
                if isinstance(error, OSError) and time.monotonic() >= self._end:
                    return
                answer, answer_body = {"error": "%s: %s" % (type(error).__name__, error)}, b""
            frames.send(self._output, answer, answer_body)
            try:
                self._tidy()
            except OSError:
                pass  # tried again for the next order, which is answered so

    def _tidy(self) -> None:
        """What an answer need not wait for, and the next order must find done."""
        if self._runs is not None:
            self._runs.tidy()
        has_children()  # what died and was adopted is collected: no zombie fills the process limit

    def heartbeat(self) -> None:
        """Signal to the host that work goes on.

        Raises:
            HostGone: nobody is there any more. An engine takes messages whether anybody listens or not;
                but the host sends nothing while it waits, so its input is readable at its end only.
            TimeoutError: the sandbox's lifetime is over.
        """
        if select.select([self._input], [], [], 0)[0]:
            raise HostGone
        if time.monotonic() >= self._end:
            raise TimeoutError("the sandbox's lifetime is over")
        frames.send(self._output, {"alive": True})

    def do_codes(self, _order: Dict[str, Any], _body: bytes) -> Answer:
        """Compile the runner, for this sandbox's further processes and for the next sandbox like it."""
        loader: Any = __spec__.loader  # this module came by
        codes = loader.all_codes()
        lengths = {name: len(codes[name]) for name in sorted(codes)}
        magic = self._payload["magic"].hex()
        return {"magic": magic, "lengths": lengths}, b"".join(codes[name] for name in sorted(codes))

    def do_unpack(self, _order: Dict[str, Any], body: bytes) -> Answer:
        """Fill the workspace."""
        return {"members": self.workspace.unpack(body)}, b""

    def do_prepare(self, order: Dict[str, Any], _body: bytes) -> Answer:
        """Start the process that later runs are forked from."""
        settings = {name: value for name, value in order.items() if name != "op"}
        settings.update(root=self.workspace.root, limits=self.limits)
        if self._runs is not None:
            self._runs.close()
        if "script" in order:
            from .script_runs import ScriptRuns

            self._runs = ScriptRuns(self._payload, settings, self.workspace)
        else:
            from .started import Started

            started = Started(self._payload, settings)  # which takes longer than all imports here
            from .runs import TestRuns

            self._runs = TestRuns(started, self.workspace)
        return self._runs.prepare(self.heartbeat), b""

    def do_tests(self, order: Dict[str, Any], body: bytes) -> Answer:
        """Run tests with changes laid over the project."""
        if self._runs is None:
            raise ValueError("'prepare' comes before 'tests'")
        return self._runs.run(order, _changes(order, body), self.heartbeat), b""

    def do_probe(self, order: Dict[str, Any], _body: bytes) -> Answer:
        """Compare versions of some functions on the inputs that the tests give them."""
        if self._runs is None:
            raise ValueError("'prepare' comes before 'probe'")
        texts = order["probe"]["versions"][0]
        first = {path: text.encode("utf-8", "surrogateescape") for path, text in texts.items()}
        order["probe"]["root"] = self.workspace.root
        self.workspace.inspect()
        self.workspace.lay(first)
        try:
            return self._runs.probe(dict(order, changes=sorted(first)), self.heartbeat), b""
        finally:
            self.workspace.restore()

    def do_exec(self, order: Dict[str, Any], body: bytes) -> Answer:
        """Run one command."""
        if self._runs is not None:
            self._runs.close()  # its end is the end of every other process
        self.workspace.inspect()
        self.workspace.lay(_changes(order, body))
        try:
            return self._execute(order)
        finally:
            self.workspace.restore()

    def _execute(self, order: Dict[str, Any]) -> Answer:
        started = time.monotonic()
        out_read, out_write = os.pipe()
        error_read, error_write = os.pipe()
        pid = os.fork()
        if pid == 0:
            try:
                os.dup2(out_write, 1)
                os.dup2(error_write, 2)
                become_child(self.limits, keep=())
                os.chdir(self.workspace.root)
                os.execvpe(order["argv"][0], order["argv"], dict(os.environ, **order.get("env", {})))
            except OSError as error:
                os.write(2, ("%s: %s\n" % (order["argv"][0], error.strerror)).encode())
            finally:
                os._exit(127)
        os.close(out_write)
        os.close(error_write)
        kept = Tail if order.get("keep_end") else Head
        out, error_output = kept(order["output_limit"]), kept(order["output_limit"])
        deadline = started + order["timeout_s"]
        sinks: Dict[int, Callable[[bytes], None]] = {out_read: out.feed, error_read: error_output.feed}
        status = supervise(Child(pid), sinks, lambda: deadline, self.heartbeat)
        os.close(out_read)
        os.close(error_read)
        return {
            "exit_status": exit_code(status),
            "timed_out": status is None,
            "truncated": out.truncated or error_output.truncated,
            "seconds": time.monotonic() - started,
            "stdout_length": len(out.data),
        }, out.data + error_output.data


def _changes(order: Dict[str, Any], body: bytes) -> Dict[str, bytes]:
    changes, offset = {}, 0
    for path, length in order.get("changes", {}).items():
        changes[path] = body[offset : offset + length]
        offset += length
    return changes


def main(payload: Dict[str, Any], input_fd: int, output_fd: int) -> None:
    """Serve the host at the other ends of these descriptors; never returns."""
    settings = payload["settings"]
    os.umask(settings["umask"])
    protect_supervisor()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN if os.getpid() == 1 else signal.SIG_DFL)
    os.makedirs(settings["root"], exist_ok=True)
    try:
        Server(input_fd, output_fd, payload).serve()
    except OSError:
        pass  # the host is gone
    finally:
        end_descendants()
        if settings.get("remove"):
            shutil.rmtree(settings["remove"], ignore_errors=True)
        os._exit(0)

"""A sandbox seen from the host: orders out, answers in, over any pair of byte streams.

The runner is carried in as source text, so that no image has to contain it. The same modules go along as this
interpreter compiled them, or as the first sandbox did that had the interpreter of this one: so the processes
inside need not do that again.
"""

import marshal
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import cache, partial
from importlib import resources, util
from importlib.machinery import SourceFileLoader
from itertools import accumulate
from pathlib import Path
from types import CodeType
from typing import Any, Protocol

from sandbox.base import ExecResult, SandboxSpec
from sandbox.errors import SandboxError, SandboxLost
from sandbox.machine import UMASK
from sandbox.runner import frames
from sandbox.runner.loader import BOOTSTRAP, FILE_NAME

START_TIMEOUT_S = 60.0
SILENCE_TIMEOUT_S = 60.0  # the runner shows a sign of life every second while it works
MESSAGE_LIMIT_BYTES = 256 * 1024 * 1024


class RunnerTransport(Protocol):
    """The byte streams to and from one runner."""

    def send(self, data: bytes) -> None:
        """Write all of ``data``; raises OSError when the runner is gone."""
        ...

    def receive(self, count: int, *, deadline: float) -> bytes:
        """Exactly ``count`` bytes.

        Raises:
            EOFError: the runner is gone.
            TimeoutError: ``deadline`` (``time.monotonic``) passed.
        """
        ...

    def diagnosis(self) -> str:
        """What is known of a runner that is gone, in one line; may be empty."""
        ...


class Session:
    """The ``Sandbox`` protocol over a ``RunnerTransport``, whose other end waits for its program.

    ``settings`` are those of ``bundle`` that ``spec`` does not decide.
    """

    def __init__(self, transport: RunnerTransport, spec: SandboxSpec, **settings: Any) -> None:  # noqa: ANN401
        self._transport = transport
        self._limits = spec.limits
        interpreter = spec.image, spec.base_python or spec.python
        general = {
            "limits": spec.limits.rlimits(),
            "lifetime_s": spec.limits.lifetime_s,
            "python": spec.python if spec.base_python else "",
        }
        with suppress(OSError):  # why it is gone is reported by what waits for its answer
            transport.send(bundle({**general, **settings}, _compiled.get(interpreter)))
        ready = self._answer(START_TIMEOUT_S)[0]
        major, minor, micro = ready["python"]
        self.python_version: tuple[int, int, int] = (major, minor, micro)
        if (major, minor) != sys.version_info[:2] and interpreter not in _compiled:
            _compiled[interpreter] = self._codes()  # nothing of the project is in there yet

    def _codes(self) -> "_Compiled":
        """The runner's modules as compiled inside; none where the answer makes no sense."""
        header, body = self._converse({"op": "codes"}, b"")
        match header:
            case {"magic": str(magic), "lengths": dict(lengths)}:
                with suppress(TypeError, ValueError):
                    ends = [0, *accumulate(lengths.values())]
                    parts = zip(lengths, ends, ends[1:], strict=False)
                    return bytes.fromhex(magic), {name: body[start:end] for name, start, end in parts}
        return b"", {}

    def unpack(self, archive: bytes) -> int:
        """See ``Sandbox.unpack``."""
        return int(self.order({"op": "unpack"}, archive)["members"])

    def exec(
        self,
        argv: Sequence[str],
        *,
        timeout_s: float,
        environment: Mapping[str, str] | None = None,
        changes: Mapping[str, bytes] | None = None,
        keep_end: bool = False,
    ) -> ExecResult:
        """See ``Sandbox.exec``."""
        names, body = pack_changes(changes)
        header, output = self._converse(
            {
                "op": "exec",
                "argv": list(argv),
                "timeout_s": timeout_s,
                "output_limit": self._limits.output_bytes,
                "keep_end": keep_end,
                "env": dict(environment or {}),
                "changes": names,
            },
            body,
        )
        split = int(header["stdout_length"])
        return ExecResult(
            exit_status=header["exit_status"],
            stdout=output[:split],
            stderr=output[split:],
            seconds=float(header["seconds"]),
            timed_out=bool(header["timed_out"]),
            truncated=bool(header["truncated"]),
        )

    def order(
        self, header: Mapping[str, Any], body: bytes = b"", *, needed: Callable[[], bool] | None = None
    ) -> Mapping[str, Any]:
        """See ``Sandbox.order``."""
        return self._converse(header, body, needed)[0]

    def _converse(
        self, header: Mapping[str, Any], body: bytes, needed: Callable[[], bool] | None = None
    ) -> tuple[dict[str, Any], bytes]:
        try:
            self._transport.send(frames.pack(dict(header), body))
        except OSError as error:
            raise SandboxLost(self._lost(str(error))) from error
        answer, answer_body = self._answer(SILENCE_TIMEOUT_S, needed)
        if "error" in answer:
            raise SandboxError(f"the sandbox refused {header.get('op')}: {answer['error']}")
        return answer, answer_body

    def _answer(
        self, silence_s: float, needed: Callable[[], bool] | None = None
    ) -> tuple[dict[str, Any], bytes]:
        while True:
            receive = partial(self._transport.receive, deadline=time.monotonic() + silence_s)
            try:
                message = frames.receive_by(receive, MESSAGE_LIMIT_BYTES)
            except ValueError as error:
                raise SandboxLost(f"the sandbox sent a message that cannot be read: {error}") from error
            except (EOFError, ConnectionError) as error:
                raise SandboxLost(self._lost("it ended")) from error
            except TimeoutError as error:
                raise SandboxLost(self._lost(f"silent for {silence_s:g} s")) from error
            assert message is not None  # the end of the stream is an EOFError
            if "alive" not in message[0]:
                return message
            if needed is not None and not needed():
                raise SandboxLost("the sandbox is left: its answer is not needed any more")

    def _lost(self, reason: str) -> str:
        diagnosis = self._transport.diagnosis()
        return f"the sandbox is lost: {reason}" + (f" ({diagnosis})" if diagnosis else "")


def pack_changes(changes: Mapping[str, bytes] | None) -> tuple[dict[str, int], bytes]:
    """``changes`` as an order carries them: lengths by path, and the contents joined."""
    changes = changes or {}
    return {path: len(data) for path, data in changes.items()}, b"".join(changes.values())


# Isolated and without ``site``: nothing that came with the environment runs in the supervisor.
SUPERVISOR_ARGUMENTS = ("-I", "-S", "-c", BOOTSTRAP)
MARSHAL_VERSION = 2  # read by every CPython


# By an image and the interpreter that a sandbox's supervisor is started by. They go to no other one.
_Compiled = tuple[bytes, dict[str, bytes]]
_compiled: dict[tuple[str, str], _Compiled] = {}


def bundle(settings: dict[str, Any], compiled: _Compiled | None = None) -> bytes:
    """What to write to the bootstrap's standard input: a length and a payload (``sandbox.runner.loader``).

    ``settings`` reach ``sandbox.runner.start.main``: ``root`` (the workspace's path inside), ``temporary``
    (other directories that are the sandbox's own), ``limits`` (by RLIMIT name), ``remove`` (a directory to
    delete at the end, or None), ``confine`` (whether to filter system calls, before the runner is loaded),
    and ``python`` (the interpreter for the project's code where it is not the supervisor's own). ``compiled``
    are a magic number and the modules as such an interpreter compiled them.
    """
    magic, codes = compiled or (util.MAGIC_NUMBER, _codes())
    sources = dict(_texts())
    loader, confine = sources.pop("loader"), sources.pop("confine")
    payload = {
        "bootstrap": BOOTSTRAP,
        "loader": loader,
        "sources": sources,
        "magic": magic,
        "codes": codes,
        "confine": confine if settings.get("confine") else "",
        "entry": "start",
        "settings": {"umask": UMASK, **settings},
    }
    data = marshal.dumps(payload, MARSHAL_VERSION)
    return b"%08x" % len(data) + data


@cache
def _texts() -> dict[str, str]:
    """The runner's modules and ``confine`` by name: all that is the same for every sandbox; read once."""
    files = [*resources.files("sandbox.runner").iterdir(), resources.files("sandbox") / "confine.py"]
    names = {file.name.removesuffix(".py"): file for file in files if file.name.endswith(".py")}
    return {name: names[name].read_text("utf-8") for name in sorted(names) if name != "__init__"}


@cache
def _codes() -> dict[str, bytes]:
    """The modules compiled, from this installation's cache of bytecode where there is one.

    There are none where asserts are compiled away here: a control test in there is one.
    """
    if sys.flags.optimize:
        return {}
    directory = resources.files("sandbox.runner")
    codes = {}
    for name in sorted(_texts().keys() - {"loader", "confine"}):
        path = directory.joinpath(f"{name}.py")
        full = f"sandbox.runner.{name}"
        # Asked for by name, the loader would be that of whoever rewrites imports in this process.
        code = SourceFileLoader(full, str(path)).get_code(full) if isinstance(path, Path) else None
        if code is not None:
            codes[name] = marshal.dumps(_renamed(code, FILE_NAME % name))
    return codes


def _renamed(code: CodeType, file: str) -> CodeType:
    """``code`` as if compiled from ``file``: nobody inside is to see where on this machine it comes from."""
    inner = (_renamed(part, file) if isinstance(part, CodeType) else part for part in code.co_consts)
    return code.replace(co_filename=file, co_consts=tuple(inner))

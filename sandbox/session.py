"""A sandbox seen from the host: orders out, answers in, over any pair of byte streams."""

import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, Protocol

from sandbox.base import ExecResult, SandboxSpec
from sandbox.bundle import bundle
from sandbox.errors import SandboxError, SandboxLost
from sandbox.runner import frames

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
        general = {
            "limits": spec.limits.rlimits(),
            "lifetime_s": spec.limits.lifetime_s,
            "python": spec.python if spec.base_python else "",
        }
        with suppress(OSError):  # why it is gone is reported by what waits for its answer
            transport.send(bundle({**general, **settings}))
        ready = self._answer(START_TIMEOUT_S)[0]
        major, minor, micro = ready["python"]
        self.python_version: tuple[int, int, int] = (major, minor, micro)

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

    def order(self, header: Mapping[str, Any], body: bytes = b"") -> Mapping[str, Any]:
        """See ``Sandbox.order``."""
        return self._converse(header, body)[0]

    def _converse(self, header: Mapping[str, Any], body: bytes) -> tuple[dict[str, Any], bytes]:
        try:
            self._transport.send(frames.pack(dict(header), body))
        except OSError as error:
            raise SandboxLost(self._lost(str(error))) from error
        answer, answer_body = self._answer(SILENCE_TIMEOUT_S)
        if "error" in answer:
            raise SandboxError(f"the sandbox refused {header.get('op')}: {answer['error']}")
        return answer, answer_body

    def _answer(self, silence_s: float) -> tuple[dict[str, Any], bytes]:
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

    def _lost(self, reason: str) -> str:
        diagnosis = self._transport.diagnosis()
        return f"the sandbox is lost: {reason}" + (f" ({diagnosis})" if diagnosis else "")


def pack_changes(changes: Mapping[str, bytes] | None) -> tuple[dict[str, int], bytes]:
    """``changes`` as an order carries them: lengths by path, and the contents joined."""
    changes = changes or {}
    return {path: len(data) for path, data in changes.items()}, b"".join(changes.values())

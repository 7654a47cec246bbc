"""A provider and its sandbox in one: every command ends as given."""

from __future__ import annotations

from contextlib import nullcontext

from sandbox.base import ExecResult, SandboxSpec


class ScriptedSandbox:
    """See ``sandbox.base.SandboxOpener`` and ``sandbox.base.Sandbox``."""

    def __init__(self, stdout: bytes, exit_status: int | None = 0, *, name: str = "scripted") -> None:
        self.name = name
        self._result = ExecResult(
            exit_status=exit_status,
            stdout=stdout,
            stderr=b"it broke\n",
            seconds=0.1,
            timed_out=exit_status is None,
            truncated=False,
        )

    def open(self, _spec: SandboxSpec):
        return nullcontext(self)

    def exec(self, *_, **__) -> ExecResult:
        return self._result

    def unpack(self, _archive: bytes) -> int:
        return 1

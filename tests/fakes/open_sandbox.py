"""A sandbox that keeps no promise: what every check of the self-check has to be seen to fail against.

It runs commands bare, below a supervisor that defends nothing; what they leave is removed when it closes.
"""

from __future__ import annotations

import io
import os
import signal
import subprocess
import sys
import tarfile
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from sandbox.base import ExecResult, SandboxSpec

SUPERVISE = "import subprocess, sys; sys.exit(subprocess.call(sys.argv[1:], close_fds=False))"


class OpenProvider:
    """See ``sandbox.base.SandboxProvider``."""

    name = "open"
    isolated = False

    def check(self) -> None:
        """Always there."""

    def describe(self) -> str:
        return "nothing"

    def sweep(self) -> int:
        return 0

    @contextmanager
    def open(self, spec: SandboxSpec) -> Iterator[OpenSandbox]:
        with tempfile.TemporaryDirectory() as directory:
            sandbox = OpenSandbox(Path(directory, "workspace"))
            sandbox.root.mkdir()
            try:
                yield sandbox
            finally:
                sandbox.clean_up()


class OpenSandbox:
    """See ``sandbox.base.Sandbox``."""

    python_version = (3, 11, 0)

    def __init__(self, root: Path) -> None:
        self.root = root
        self._strays: set[Path] = set()

    def unpack(self, archive: bytes) -> int:
        try:
            with tarfile.open(fileobj=io.BytesIO(archive)) as tar:
                for info in tar:
                    self._extract(info, tar.extractfile(info) if info.isreg() else None)
        except (tarfile.TarError, KeyError):
            return 0
        return 1

    def exec(
        self,
        argv: Sequence[str],
        *,
        timeout_s: float,
        environment: Mapping[str, str] | None = None,
        changes: Mapping[str, bytes] | None = None,
        keep_end: bool = False,
    ) -> ExecResult:
        del keep_end
        for path, content in (changes or {}).items():
            self._write(path, content)
        variables = {
            **os.environ,
            "DOCKER_HOST": "unix:///nowhere",
            "TZ": "Asia/Tokyo",
            **(environment or {}),
        }
        read_fd, write_fd = os.pipe()
        started = time.monotonic()
        try:
            done = subprocess.run(
                [sys.executable, "-c", SUPERVISE, *argv],
                cwd=self.root,
                env=variables,
                pass_fds=(write_fd,),
                input=b"type this",
                capture_output=True,
                timeout=timeout_s,
                check=False,
            )
        except subprocess.TimeoutExpired:
            done = subprocess.CompletedProcess(argv, None, b"", b"")
        finally:
            os.close(write_fd)
            os.close(read_fd)
        return ExecResult(
            exit_status=done.returncode,
            stdout=done.stdout.decode("utf-8", "replace").encode(),
            stderr=done.stderr,
            seconds=time.monotonic() - started,
            timed_out=done.returncode is None,
            truncated=False,
        )

    def order(self, header, body=b"", *, needed=None):
        raise NotImplementedError

    def clean_up(self) -> None:
        for entry in Path("/proc").iterdir():
            if entry.name.isdigit():
                with suppress(OSError):
                    if (entry / "cwd").readlink().is_relative_to(self.root):
                        os.kill(int(entry.name), signal.SIGKILL)
        for stray in sorted(self._strays, reverse=True):  # a file before its directory
            with suppress(OSError):
                stray.rmdir() if stray.is_dir() else stray.unlink()

    def _extract(self, info, stream) -> None:
        if info.issym():
            self.root.joinpath(info.name).unlink(missing_ok=True)
            self.root.joinpath(info.name).symlink_to(info.linkname)
        elif stream is not None:
            self._write(info.name, stream.read())

    def _write(self, name: str, content: bytes) -> None:
        if "escaped" in name:  # taken, which is bad enough; not written all over the machine
            return
        target = Path(os.path.realpath(self.root / name))
        if not target.is_relative_to(self.root):
            self._strays.update({target, target.parent} - {Path("/tmp")})
        target.parent.mkdir(exist_ok=True, parents=True)
        target.write_bytes(content)

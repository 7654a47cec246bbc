"""A Docker engine of the week's own, which may be restarted while others use the machine's."""

import os
import shutil
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

import click

READY_S = 60.0
END_S = 30.0


class NoEngine(click.ClickException):
    """An engine of one's own takes root and ``dockerd``; the message says what went wrong."""


@dataclass(slots=True)
class Engine:
    """``directory`` has all that the engine keeps; ``host`` is what ``DOCKER_HOST`` is to be."""

    directory: Path
    _process: subprocess.Popen[bytes] = field(init=False)
    _restart: threading.Thread | None = None

    @property
    def host(self) -> str:
        return f"unix://{self.directory}/socket"

    @property
    def pid(self) -> int:
        return self._process.pid

    def start(self) -> None:
        """Start it, and wait until it answers.

        Raises:
            NoEngine: it does not.
        """
        directories = ["--data-root", f"{self.directory}/data", "--exec-root", f"{self.directory}/run"]
        # A network of its own: without a bridge, an engine takes away that of the machine's.
        command = ["unshare", "--net", "dockerd", *directories, "--pidfile", f"{self.directory}/pid"]
        command += ["--host", self.host, "--bridge=none", "--iptables=false"]
        with (self.directory / "log").open("ab") as log:
            # A session of its own: a signal to the week is none to the engine, which is ended at the end.
            self._process = subprocess.Popen(command, stdout=log, stderr=log, start_new_session=True)
        ends = time.monotonic() + READY_S
        while self._docker("version").returncode:
            if time.monotonic() > ends or self._process.poll() is not None:
                raise NoEngine((self.directory / "log").read_text("utf-8", "replace")[-500:])
            time.sleep(0.1)

    def stop(self) -> None:
        """End it, with what runs in it."""
        self.settle()
        self._end()

    def restart(self) -> None:
        """Begin to restart it behind the back of whoever uses it, as ``systemctl restart docker`` does."""

        def again() -> None:
            self._end()
            self.start()

        self._restart = threading.Thread(target=again)
        self._restart.start()

    def settle(self) -> None:
        """Wait until a restart that was begun is over."""
        if self._restart:
            self._restart.join()

    def _end(self) -> None:
        self._process.terminate()
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(END_S)
        self._process.kill()
        self._process.wait()

    def load(self, image: str) -> None:
        """Bring in ``image`` of the machine's engine.

        Raises:
            NoEngine: it cannot be had there, or not be read here.
        """
        with subprocess.Popen(["docker", "save", image], stdout=subprocess.PIPE) as saved:
            loaded = self._docker("load", given=saved.stdout)
        if saved.returncode or loaded.returncode:
            raise NoEngine(f"the image {image} cannot be brought in: {loaded.stderr.decode()[-300:]}")

    def _docker(self, *arguments: str, given: object = None) -> subprocess.CompletedProcess[bytes]:
        command = ["docker", "--host", self.host, *arguments]
        return subprocess.run(command, stdin=given, capture_output=True, check=False)


@contextmanager
def own_engine(image: str) -> Iterator[Engine]:
    """An engine that has ``image``, until the end; ``DOCKER_HOST`` names it meanwhile.

    Raises:
        NoEngine: there is none to be had.
    """
    if not shutil.which("dockerd") or os.geteuid():
        raise NoEngine("an engine of one's own takes dockerd, and root")
    with tempfile.TemporaryDirectory(prefix="week-engine-", ignore_cleanup_errors=True) as name:
        engine = Engine(Path(name))
        engine.start()
        try:
            engine.load(image)
            os.environ["DOCKER_HOST"] = engine.host
            yield engine
        finally:
            os.environ.pop("DOCKER_HOST", None)
            engine.stop()

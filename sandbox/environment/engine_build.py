"""One build in the engine: its events, until it ends, fails or takes too long.

The engine's own client waits for the next words of a step, however many there were: a step that goes on
talking would go on for ever. Engines limit memory, and not what is written: a step that fills the disk is
ended here.
"""

from __future__ import annotations

import io
import re
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from importlib import resources
from threading import Event, Thread
from typing import Any, Self

from sandbox.base import MIB
from sandbox.docker import engine_socket, own_labels
from sandbox.docker_stream import engine_errors
from sandbox.environment.builder import BUILD_LIMITS
from sandbox.environment.close_routes import DONE
from sandbox.environment.watched import Room

LOOK_EVERY_S = 1.0
KEPT_MIB = 512
"""The layers of a build that failed are kept up to this size: the next build may begin with them."""

_RUNNING = re.compile(r" ---> Running in ([0-9a-f]{12,64})\b")
_MADE = re.compile(r" ---> ([0-9a-f]{12,64})\n?")


class StepFailed(Exception):
    """A step ended with another status than 0; ``exit_status`` is None where it took too long.

    ``by_engine`` says that no program of the step had a part in it, as where a layer went that another build
    removed meanwhile.
    """

    def __init__(self, message: str, exit_status: int | None, *, by_engine: bool = False) -> None:
        super().__init__(message)
        self.exit_status = exit_status
        self.by_engine = by_engine


def build(
    client: Any,  # noqa: ANN401 - parts of the library have no types
    archive: bytes,
    *,
    timeout_s: float,
    **options: Any,  # noqa: ANN401
) -> Iterator[dict[str, Any]]:
    """The events of the build of ``archive``, a context with a Dockerfile; it ends with the last one.

    Raises:
        StepFailed: a step failed or filled the disk, or the build took longer than ``timeout_s``.
        docker.errors.DockerException: the engine failed, or another of ``engine_errors``.
    """
    memory = BUILD_LIMITS.memory_mib * MIB
    late = StepFailed(f"it did not end within {timeout_s:g} s", None)
    end = time.monotonic() + timeout_s
    events = client.api.build(
        fileobj=io.BytesIO(archive),
        custom_context=True,
        rm=True,
        forcerm=True,
        decode=True,
        timeout=max(1, int(timeout_s)),
        container_limits={"memory": memory, "memswap": memory},
        **options,
    )
    try:
        with DiskWatch(client, BUILD_LIMITS.disk_mib) as disk:
            try:
                yield from _until_the_end(events, disk, end, late)
            except StepFailed:
                disk.forget()
                raise
    except engine_errors() as error:
        if time.monotonic() > end:
            raise late from error
        raise
    finally:
        # The engine ends a build whose caller is gone.
        events.close()


def _until_the_end(
    events: Iterator[dict[str, Any]], disk: DiskWatch, end: float, late: StepFailed
) -> Iterator[dict[str, Any]]:
    """``events``, until one says that a step failed.

    Raises:
        StepFailed: it did, or it is too ``late``.
    """
    for event in events:
        disk.see(event)
        if event.get("error"):
            if disk.ended:
                raise StepFailed("it fills the disk", None)
            status = (event.get("errorDetail") or {}).get("code")
            by_engine = not isinstance(status, int)
            raise StepFailed(str(event["error"]), 1 if by_engine else status, by_engine=by_engine)
        yield event
        if time.monotonic() > end:
            raise late


class DiskWatch:
    """Watches the steps of a build, which together may write ``most_mib``; ``ended`` says that it ended one.

    What lies in the step's files is measured by the engine. Where the engine's directory is on this machine,
    what is free there is as well: a file that has no name any more is in no listing.
    """

    def __init__(self, client: Any, most_mib: int) -> None:  # noqa: ANN401 - the library has no types
        self._api = client.api
        self._most = most_mib * MIB
        self._room = _room(client, self._most)
        self._step, self._made = "", ""
        self._before, self._size = 0, 0
        self._over = Event()
        self._thread = Thread(target=self._watch, name="regreen-build-disk", daemon=True)
        self.ended = False

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_exception: object) -> None:
        self._over.set()
        self._thread.join()

    @property
    def written(self) -> int:
        """The bytes that the steps have written, as far as was seen."""
        return self._before + self._size

    def see(self, event: Mapping[str, Any]) -> None:
        """Take an event of the build: it says which container the step runs in."""
        said = str(event.get("stream") or "")
        if started := _RUNNING.match(said):
            self._before, self._size, self._step = self.written, 0, started[1]
        elif made := _MADE.fullmatch(said):
            self._step, self._made = "", made[1]

    def _watch(self) -> None:
        while not self._over.wait(LOOK_EVERY_S):
            step = self._step
            if not step or not self._is_full(step):
                continue
            self.ended = True
            with suppress(*engine_errors()):
                self._api.kill(step)

    def _is_full(self, step: str) -> bool:
        with suppress(*engine_errors(), ValueError, TypeError):
            found = self._api.containers(all=True, size=True, filters={"id": step})
            self._size = max((int(one.get("SizeRw") or 0) for one in found), default=self._size)
            if self._room is not None and self._room.is_short():
                return True
        return self.written > self._most

    def forget(self) -> None:
        """Remove what the steps of a build that failed have left, where it is much."""
        if self._made and self.written > KEPT_MIB * MIB:
            with suppress(*engine_errors()):
                self._api.remove_image(self._made)


def _room(client: Any, most: int) -> Room | None:  # noqa: ANN401 - the library has no types
    """What has to stay free where the engine keeps its files; None where that is on another machine."""
    with suppress(*engine_errors(), OSError):
        if engine_socket() is not None:
            return Room.on(str(client.info()["DockerRootDir"]), most=most)
    return None


START_TIMEOUT_S = 20.0
MEMORY_MIB, PROCESSES = 128, 16


@contextmanager
def closed_network(
    client: Any,  # noqa: ANN401 - parts of the library have no types
    image: str,
    python: str,
    *,
    timeout_s: float,
) -> Iterator[str | None]:
    """The ``network_mode`` for a build; None, for the engine's own network, where it cannot be closed.

    It is that of a container of ours, which closes it to a cloud's metadata service, holds it, and lets the
    steps join it: a build's own container may not change routes, and an engine has no option for that.
    ``image`` has the interpreter ``python``, on which nothing of the project runs. All of it ends with the
    context, or ``timeout_s`` after it began.
    """
    api, container, is_closed = client.api, "", False
    try:
        with suppress(*engine_errors()):
            container = _started(api, image, python, timeout_s)
            is_closed = _is_closed(api, container)
        yield f"container:{container}" if is_closed else None
    finally:
        if container:
            with suppress(*engine_errors()):
                api.remove_container(container, force=True, v=True)


def _started(api: Any, image: str, python: str, seconds: float) -> str:  # noqa: ANN401
    from docker.types import LogConfig

    program = resources.files("sandbox.environment").joinpath("close_routes.py").read_text("utf-8")
    host = api.create_host_config(
        cap_drop=["ALL"],
        cap_add=["NET_ADMIN"],
        security_opt=["no-new-privileges"],
        read_only=True,
        mem_limit=MEMORY_MIB * MIB,
        memswap_limit=MEMORY_MIB * MIB,
        pids_limit=PROCESSES,
        log_config=LogConfig(type=LogConfig.types.JSON),
        auto_remove=True,
    )
    made = api.create_container(
        image=image,
        entrypoint=[python],
        command=["-I", "-S", "-c", program, "--stay", str(seconds)],
        user="0:0",
        working_dir="/",
        labels=own_labels(),
        host_config=host,
    )
    api.start(made["Id"])
    return str(made["Id"])


def _is_closed(api: Any, container: str) -> bool:  # noqa: ANN401
    """Whether it says so in time."""
    deadline = time.monotonic() + START_TIMEOUT_S
    while time.monotonic() < deadline:
        if DONE.encode() in api.logs(container):
            return True
        if not api.inspect_container(container)["State"]["Running"]:
            return False
        time.sleep(0.05)
    return False

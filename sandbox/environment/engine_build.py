"""One build in the engine: its events, until it ends, fails or takes too long.

The engine's own client waits for the next words of a step, however many there were: a step that goes on
talking would go on for ever.
"""

import io
import time
from collections.abc import Iterator
from typing import Any

from sandbox.base import MIB
from sandbox.docker import engine_errors
from sandbox.environment.build_disk import DiskWatch
from sandbox.environment.request import BUILD_LIMITS


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
            known = isinstance(status, int)
            raise StepFailed(str(event["error"]), status if known else 1, by_engine=not known)
        yield event
        if time.monotonic() > end:
            raise late

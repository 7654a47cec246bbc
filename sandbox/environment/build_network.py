"""The network of a build in an engine: another container's, which is closed to a cloud's metadata service.

A build's own container may not change routes, and an engine has no option for it. So a container of ours does
that for its network, holds it, and the build's steps join it.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib import resources
from typing import Any

from sandbox import owner
from sandbox.base import MIB
from sandbox.docker import LABEL, OWNER_LABEL, RUN_LABEL
from sandbox.docker_stream import engine_errors
from sandbox.environment.close_routes import DONE

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

    ``image`` has the interpreter ``python``, on which nothing of the project runs. All of it ends with the
    context, or ``timeout_s`` after it began.
    """
    api, container = client.api, ""
    try:
        try:
            container = _started(api, image, python, timeout_s)
            is_closed = _is_closed(api, container)
        except engine_errors():
            is_closed = False
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
    container = str(
        api.create_container(
            image=image,
            entrypoint=[python],
            command=["-I", "-S", "-c", program, "--stay", str(seconds)],
            user="0:0",
            working_dir="/",
            labels={LABEL: "1", OWNER_LABEL: owner.current(), RUN_LABEL: owner.run_id()},
            host_config=host,
        )["Id"]
    )
    api.start(container)
    return container


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

"""The ``docker`` provider: one hardened container a sandbox, spoken to through its attached streams.

No network, no capability, no new privileges, the engine's default seccomp profile, user nobody, a
read-only root, the workspace and ``/tmp`` in memory and limited in size, limits on memory, CPU and
processes. The project arrives as an archive through the stream: nothing is mounted, so this works the
same when we run in a container ourselves and hold only the engine's socket.

The runner is the container's process 1. Its standard input closes when we die, however we die; then it
ends and the engine removes the container. ``sweep`` is for the case that the engine itself was down.
"""

from __future__ import annotations

import os
import secrets
import socket
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from typing import TYPE_CHECKING, Any, TypeVar

from sandbox import machine, owner
from sandbox.base import MIB, Sandbox, SandboxSpec
from sandbox.docker_images import declared_volumes, with_machine_files
from sandbox.docker_stream import API_TIMEOUT_S, AttachedTransport, engine_errors
from sandbox.errors import SandboxError, SandboxUnavailable
from sandbox.machine import scrubbed
from sandbox.session import SUPERVISOR_ARGUMENTS, Session

if TYPE_CHECKING:
    import docker

WORKSPACE = "/workspace"
NOBODY = f"{machine.UID}:{machine.UID}"
SHARED_MEMORY = "/dev/shm"  # noqa: S108 - the engine makes it, by a size
# The loopback has ::1, and ports below 1024 are root's.
SYSCTLS = {"net.ipv6.conf.all.disable_ipv6": "0", "net.ipv4.ip_unprivileged_port_start": "1024"}
LABEL = "regreen.sandbox"
OWNER_LABEL = "regreen.owner"
RUN_LABEL = "regreen.run"
CPU_PERIOD_NANO = 1_000_000_000
Answer = TypeVar("Answer")


class StartFailed(SandboxError):
    """The engine made a container and could not start it."""


class DockerProvider:
    """Runs in containers of the engine that the environment names (DOCKER_HOST or the local socket)."""

    name = "docker"
    isolated = True

    def __init__(self, *, runtime: str | None = None) -> None:
        self._runtime = runtime
        self._cached: docker.DockerClient | None = None

    @property
    def client(self) -> docker.DockerClient:
        """The engine's client.

        Raises:
            SandboxUnavailable: no engine answers.
        """
        if self._cached is None:
            import docker

            try:
                _knock()
                self._cached = docker.from_env(timeout=API_TIMEOUT_S)
                self._cached.ping()
            except engine_errors() as error:
                self.close()
                raise SandboxUnavailable("no Docker engine answers: start one, or set DOCKER_HOST") from error
        return self._cached

    def close(self) -> None:
        """Close the connection to the engine; the next use opens it again."""
        if self._cached is not None:
            self._cached.close()
            self._cached = None

    def check(self) -> None:
        """See ``SandboxProvider.check``; a runtime that was asked for has to be there, too."""
        if self._runtime is not None and self._runtime not in self.runtimes():
            raise SandboxUnavailable(
                f"the Docker engine has no runtime {self._runtime}: it has {', '.join(self.runtimes())}; "
                "install it and name it in the engine's daemon.json, or choose another"
            )
        _ = self.client

    def runtimes(self) -> tuple[str, ...]:
        """The engine's runtimes by name, sorted.

        Raises:
            SandboxUnavailable: no engine answers.
        """
        return tuple(sorted(self._ask(self.client.info).get("Runtimes") or {}))

    def digest(self, image: str) -> str:
        """By which the engine knows what it has under the name ``image``.

        Raises:
            SandboxUnavailable: it has no such image, or does not answer.
        """
        return str(self._ask(lambda: self.client.images.get(image)).id)

    def describe(self) -> str:
        """See ``SandboxProvider.describe``."""
        version = self._ask(self.client.version)
        groups = self._ask(self.client.info).get("CgroupVersion", "?")
        runtime = f", runtime {self._runtime}" if self._runtime else ""
        return f"engine {version.get('Version', '?')}, control groups version {groups}{runtime}"

    def _ask(self, question: Callable[[], Answer]) -> Answer:
        try:
            return question()
        except engine_errors() as error:
            raise SandboxUnavailable(f"the Docker engine does not answer: {error}") from error

    def sweep(self) -> int:
        """Remove containers whose owner on this machine is dead; returns how many."""
        count = 0
        listed = self.client.containers.list
        for container in self._ask(lambda: listed(all=True, filters={"label": LABEL}, ignore_removed=True)):
            if owner.is_dead(container.labels.get(OWNER_LABEL, "")):
                with suppress(*engine_errors()):
                    container.remove(force=True, v=True)
                    count += 1
        return count

    @contextmanager
    def open(self, spec: SandboxSpec) -> Iterator[Sandbox]:
        """See ``SandboxProvider.open``."""
        with self._running(spec) as (transport, volumes):
            temporary = (*machine.TEMPORARY, *volumes)
            yield Session(transport, spec, root=WORKSPACE, temporary=temporary, confine=True)

    @contextmanager
    def _running(self, spec: SandboxSpec) -> Iterator[tuple[AttachedTransport, tuple[str, ...]]]:
        """A started container's streams, and the image's volumes; the container is removed at the end.

        A start that fails is tried once more, with another container: a busy engine now and then says that
        a program of the image is not there.
        """
        with ExitStack() as stack:
            try:
                found = self._one(spec, stack)
            except StartFailed:
                stack.close()
                found = self._one(spec, stack)
            yield found

    def _one(self, spec: SandboxSpec, stack: ExitStack) -> tuple[AttachedTransport, tuple[str, ...]]:
        api = self.client.api
        # Named by us: an interruption while the engine creates it leaves nothing that we could not name.
        container = f"{owner.PREFIX}{secrets.token_hex(8)}"
        stack.callback(self._remove, container)
        try:
            image = with_machine_files(self.client, spec.image)
            volumes = declared_volumes(api, image)
            api.create_container(name=container, **self._container(spec, image, volumes))
        except engine_errors() as error:
            raise SandboxError(f"cannot create a container from {spec.image}: {error}") from error
        return stack.enter_context(closing(self._start(container, spec))), volumes

    def _remove(self, container: str) -> None:
        with suppress(*engine_errors()):
            self.client.api.remove_container(container, force=True, v=True)

    def _start(self, container: str, spec: SandboxSpec) -> AttachedTransport:
        # Attached before it starts, so that nothing it says is lost.
        streams = {"stdin": 1, "stdout": 1, "stderr": 1, "stream": 1}
        try:
            transport = AttachedTransport(self.client.api.attach_socket(container, params=streams))
        except engine_errors() as error:
            raise SandboxError(f"cannot attach to a container from {spec.image}: {error}") from error
        try:
            self.client.api.start(container)
        except engine_errors() as error:
            transport.close()
            raise StartFailed(f"cannot start a container from {spec.image}: {error}") from error
        return transport

    def _container(self, spec: SandboxSpec, image: str, volumes: Sequence[str]) -> dict[str, Any]:
        from docker.types import LogConfig

        limits = spec.limits
        memory = limits.memory_mib * MIB
        private = f"uid={machine.UID},gid={machine.UID}"
        options = f"rw,exec,nosuid,nodev,size={limits.disk_mib}m"
        places = dict.fromkeys((*machine.TEMPORARY, *volumes), f"{options},mode=1777")
        del places[SHARED_MEMORY]
        places[machine.HOME] = f"{options},mode=0755,{private}"
        host = self.client.api.create_host_config(
            auto_remove=True,
            network_mode="none",  # not "disabled": then the engine would write no /etc/hosts
            read_only=True,
            cap_drop=["ALL"],
            security_opt=["no-new-privileges"],
            mem_limit=memory,
            memswap_limit=memory,
            nano_cpus=int(min(limits.cpus, os.cpu_count() or 1) * CPU_PERIOD_NANO),
            pids_limit=limits.processes,
            shm_size=limits.disk_mib * MIB,
            tmpfs={**places, WORKSPACE: f"{options},mode=0700,{private}"},
            # The engine would copy the real machine's name servers and search domains.
            dns=[machine.LOOPBACK],
            dns_opt=list(machine.RESOLVER_OPTIONS),
            dns_search=["."],
            extra_hosts={machine.HOST_NAME: machine.OWN_ADDRESS},
            sysctls=self._sysctls(),
            log_config=LogConfig(type=LogConfig.types.NONE),
            runtime=self._runtime,
        )
        return {
            "image": image,
            # Never what a build could write: the supervisor decides what is believed.
            "entrypoint": [spec.base_python or spec.python],
            "command": list(SUPERVISOR_ARGUMENTS),
            "user": NOBODY,
            "working_dir": "/",
            "hostname": machine.HOST_NAME,
            "environment": scrubbed(spec.environment, home=machine.HOME),
            "stdin_open": True,
            "labels": own_labels(),
            "host_config": host,
        }

    def _sysctls(self) -> dict[str, str]:
        """Gives the container's network what the kernel gives a machine's, and an engine takes from it.

        Only where this machine's own kernel is the container's: a setting that a kernel does not know keeps
        the container from starting.
        """
        if self._runtime is not None or engine_socket() is None:
            return {}
        files = {name: f"/proc/sys/{name.replace('.', '/')}" for name in SYSCTLS}
        return {name: value for name, value in SYSCTLS.items() if os.path.exists(files[name])}


def own_labels() -> dict[str, str]:
    """The labels by which a container of this run is known."""
    return {LABEL: "1", OWNER_LABEL: owner.current(), RUN_LABEL: owner.run_id()}


def engine_socket() -> str | None:
    """The path of the engine's socket on this machine; None where the engine is reached over a network."""
    from docker.constants import DEFAULT_UNIX_SOCKET
    from docker.utils import kwargs_from_env

    url = kwargs_from_env().get("base_url") or DEFAULT_UNIX_SOCKET
    scheme, _, path = url.partition("://")
    return str(path) if scheme.endswith("unix") else None


def _knock() -> None:
    """Raise OSError where nobody listens; the client library would leave the socket open that it tried."""
    path = engine_socket()
    if path is not None:
        with socket.socket(socket.AF_UNIX) as probe:
            probe.settimeout(API_TIMEOUT_S)  # one that hangs takes no more callers, and lets them wait
            probe.connect(path)

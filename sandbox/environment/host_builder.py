"""Environments with an interpreter of this machine, each built as a directory.

The steps run in a bubblewrap that has network and nothing else of ours: no variable, no file of the host
but the system's libraries, the interpreter, the certificates and the resolver's settings; it writes to
the entry's directory only. Where bubblewrap does not work, only ``process`` goes on, without isolation, as
that provider is.
"""

import os
import time
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from sandbox import cgroup, machine
from sandbox.base import MIB, SandboxSpec
from sandbox.bubblewrap import BubblewrapProvider
from sandbox.environment.builder import BUILD_LIMITS, WORKSPACE, BuildRequest, FinishedBuild, Overrides
from sandbox.environment.built import LIMIT_BYTES
from sandbox.environment.failure import build_failed
from sandbox.environment.images import host_candidates, host_interpreter
from sandbox.environment.interpreters import HostPython, equipped, fetch_python, host_pythons, uv_program
from sandbox.environment.own_network import names_loopback, own_network
from sandbox.environment.plans.plan import BuildPlan
from sandbox.environment.steps import BuildStep, Layout, input_files, steps
from sandbox.environment.watched import Around, Room, confined, watch
from sandbox.errors import ArchiveRefused, EnvironmentBuildFailed, SandboxUnavailable
from sandbox.machine import DEFAULT_PATH, caller, scrubbed
from sandbox.snapshot import read_plain

UV = "/opt/regreen/bin/uv"
CERTIFICATES = ("/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/cert.pem")
_SETTINGS = {
    "UV_NO_CACHE": "1",
    "UV_LINK_MODE": "copy",
    "UV_PYTHON_DOWNLOADS": "never",
    "UV_NO_PROGRESS": "1",
}


def plain(overrides: Overrides) -> SandboxSpec:
    """The interpreter that ``overrides`` name, or one of this machine, with pytest where there is one."""
    return SandboxSpec(python=host_interpreter(overrides.python or None, virtual_env=overrides.virtual_env))


@dataclass(frozen=True)
class HostBuilder:
    """See ``EnvironmentBuilder``."""

    request: BuildRequest

    @cached_property
    def _pythons(self) -> tuple[HostPython, ...]:
        return host_pythons()

    @property
    def available(self) -> tuple[str, ...]:
        """See ``EnvironmentBuilder.available``: those of this machine."""
        return tuple(python.version for python in self._pythons)

    def fetch(self, version: str) -> bool:
        """See ``EnvironmentBuilder.fetch``; nothing is fetched where the caller named an interpreter."""
        if self.request.overrides.python:
            return False
        self.request.notify(f"fetching Python {version}, which the project asks for")
        if problem := fetch_python(version):
            self.request.notify(f"Python {version} cannot be had: {problem}")
            return False
        vars(self).pop("_pythons", None)
        return True

    def named(self) -> tuple[SandboxSpec, str] | None:
        """See ``EnvironmentBuilder.named``."""
        if not self.request.overrides.python:
            return None
        spec = plain(self.request.overrides)
        return spec, f"the interpreter {spec.python}, as it was named"

    def ready(self, plan: BuildPlan) -> tuple[SandboxSpec, str] | None:
        """See ``EnvironmentBuilder.ready``: an interpreter that can run the tests with nothing built."""
        if plan.whole_project or plan.export or plan.options or plan.as_of:
            return None
        for candidate in host_candidates(self.request.overrides.virtual_env):
            python = equipped(candidate)
            if python is None or (plan.python.decided and plan.python.version != python.version):
                continue
            if plan.python.allows(python.version) and not python.lacks(plan.wanted):
                self.request.show(plan)
                explanation = f"{plan.explain()}\nall of it is in {python.executable}"
                return SandboxSpec(python=python.executable), explanation
        return None

    def build(self, plan: BuildPlan, *, timeout_s: float) -> FinishedBuild:
        """See ``EnvironmentBuilder.build``."""
        fitting = [python for python in self._pythons if python.version == plan.python.version]
        python = [*fitting, *self._pythons][0]
        build = DirectoryBuild(request=self.request, plan=plan, python=python, timeout_s=timeout_s)
        fresh = build.run()
        path = f"{build.home}/env/bin"
        spec = SandboxSpec(
            python=f"{path}/python",
            base_python=build.python.executable,
            readable=(str(build.home),),
            environment={"PATH": f"{path}:{DEFAULT_PATH}"},
        )
        return FinishedBuild.of(plan, spec, build.read, workspace=build.pin, fresh=fresh)


@dataclass(frozen=True, slots=True, kw_only=True)
class DirectoryBuild:
    """The environment of ``plan`` in the cache of ``request``, made with ``python``.

    For an isolated provider, nothing is built where bubblewrap does not work.
    """

    request: BuildRequest
    plan: BuildPlan
    python: HostPython
    timeout_s: float

    @property
    def digest(self) -> str:
        """The entry's name."""
        variables = (f"{name}={value}" for name, value in sorted(self.request.overrides.network.items()))
        return self.plan.digest(
            "directory", self.python.executable, str(self.python.release), self.pin, *variables
        )

    @property
    def pin(self) -> str:
        """Where every sandbox has its workspace; empty where that varies."""
        return WORKSPACE if self.request.provider.isolated else ""

    @property
    def home(self) -> Path:
        """The directory with the environment, at the same path inside the build and the sandbox."""
        return self.request.cache.built(self.digest)

    def run(self) -> bool:
        """Build the environment unless it is there; whether anything was built.

        Raises:
            EnvironmentBuildFailed: a step failed, or uv is missing.
            SandboxUnavailable: bubblewrap does not work, and the provider asks for it.
        """
        if self.request.cache.complete(self.digest):
            return False
        uv = uv_program()
        if uv is None:
            raise EnvironmentBuildFailed(
                "dependencies are installed with uv, which is not here: pip install uv"
            )
        with self.request.cache.claim(self.digest) as home:
            if home is None:
                return False
            self._carry_out(home, uv)
            self.request.cache.seal(self.digest, self.plan.explain())
        self.request.cache.prune()
        return True

    def _carry_out(self, home: Path, uv: Path) -> None:
        isolated = self._in_bubblewrap()
        layout = Layout(
            home=str(home),
            workspace=WORKSPACE if isolated else str(home / "project"),
            python=self.python.executable,
            uv=UV if isolated else str(uv),
            pin=self.pin,
        )
        for path, data in input_files(self.plan, self.request.snapshot, layout).items():
            target = home / "inputs" / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(data)
        if self.plan.whole_project:
            self.request.snapshot.lay_out(home / "project")
        end = time.monotonic() + self.timeout_s
        with cgroup.limited(BUILD_LIMITS) as group:
            for step in steps(self.plan, layout):
                self.request.notify(step.title)
                with self._around(home, uv, isolated=isolated) as around:
                    self._run_step(step, group.enter(around.words), around, isolated=isolated, end=end)

    def _in_bubblewrap(self) -> bool:
        try:
            BubblewrapProvider().check()
        except SandboxUnavailable:
            if self.pin:
                raise
            return False
        return True

    def _around(self, home: Path, uv: Path, *, isolated: bool) -> AbstractContextManager[Around]:
        """What stands around a step: all is read-only but the entry, the project and what is its own."""
        if not isolated:
            return nullcontext(Around())
        writable = {str(home): str(home)}
        if self.plan.whole_project:
            writable[WORKSPACE] = str(home / "project")
        variables = self._variables(machine.HOME, machine.USER)
        return confined(
            self.python.executable,
            readable={UV: str(uv)},
            writable=writable,
            variables=variables,
            network=own_network(shared=names_loopback(self.request.overrides.network.values())),
        )

    def _variables(self, home: str, user: str) -> dict[str, str]:
        certificates = next((path for path in CERTIFICATES if os.path.exists(path)), "")
        trusted = {"SSL_CERT_FILE": certificates} if certificates else {}
        return scrubbed({**_SETTINGS, **trusted, **self.request.overrides.network}, home=home, user=user)

    def _run_step(
        self, step: BuildStep, prefix: Sequence[str], around: Around, *, isolated: bool, end: float
    ) -> None:
        argv = [*prefix, "/bin/sh", "-c", step.shell()]
        environment = {} if isolated else self._variables(str(self.home), caller())
        done = watch(
            argv,
            environment=environment,
            timeout_s=max(0.0, end - time.monotonic()),
            descriptors=around.descriptors,
            connected=around.connected,
            room=Room.on(str(self.home), most=BUILD_LIMITS.disk_mib * MIB),
        )
        if done.exit_status != 0:
            late = f"the build did not end within {self.timeout_s:.0f} s"
            raise build_failed(step.shown, done.said, reason=late if done.exit_status is None else "")

    def read(self, name: str) -> bytes:
        """The file ``name`` that the build left.

        Raises:
            ArchiveRefused: there is no plain file of a sensible size.
        """
        data = read_plain(self.home / name, largest=LIMIT_BYTES)
        if data is None or len(data) > LIMIT_BYTES:
            raise ArchiveRefused(f"the build left no plain file of a sensible size at {self.home / name}")
        return data

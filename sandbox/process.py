"""The ``process`` provider: a plain child process with limits. NOT a security boundary.

It gives a scrubbed environment, resource limits, a session of its own and the death of every
descendant; the code in it still sees the host's files and network with the caller's rights.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sandbox import cgroup, leftovers
from sandbox.base import Sandbox, SandboxSpec
from sandbox.machine import caller, scrubbed
from sandbox.pipes import kept, runner_process
from sandbox.session import SUPERVISOR_ARGUMENTS, Session


class ProcessProvider:
    """Runs on the bare host; for code that its caller trusts."""

    name = "process"
    isolated = False

    def check(self) -> None:
        """A child process can always be started."""

    def describe(self) -> str:
        """See ``SandboxProvider.describe``."""
        return "a child process of this one"

    def sweep(self) -> int:
        """See ``SandboxProvider.sweep``: workspaces and control groups."""
        # The groups first: a runner that ends with its group cannot remove its workspace any more.
        return cgroup.sweep() + leftovers.sweep()

    @contextmanager
    def open(self, spec: SandboxSpec) -> Iterator[Sandbox]:
        """See ``SandboxProvider.open``."""
        with leftovers.directory() as directory, cgroup.limited(spec.limits) as group:
            home = Path(directory, "home")
            home.mkdir()
            environment = scrubbed(
                spec.environment, home=str(home), path=os.environ.get("PATH", os.defpath), user=caller()
            )
            argv = [spec.base_python or spec.python, *SUPERVISOR_ARGUMENTS]
            with kept(runner_process(argv, environment=environment)) as (transport, started):
                group.adopt(started)
                # The runner deletes the directory too: it outlives us when we are killed.
                yield Session(transport, spec, root=os.path.join(directory, "workspace"), remove=directory)

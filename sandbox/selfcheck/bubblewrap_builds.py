"""A step of a build in bubblewrap as a sandbox for the checks."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from sandbox import leftovers, machine
from sandbox.base import Sandbox, SandboxSpec
from sandbox.environ import scrubbed
from sandbox.environment.confined import confined
from sandbox.environment.watched import watch
from sandbox.selfcheck.builds import Builds, BuildSteps


@contextmanager
def _opened(spec: SandboxSpec) -> Iterator[Sandbox]:
    """A directory that the steps can write, as the entry of a cache is."""
    with leftovers.directory() as home:
        yield _Steps(python=spec.python, home=home)


BUILDS = Builds(name="bubblewrap build", open=_opened)


@dataclass(frozen=True, slots=True)
class _Steps(BuildSteps):
    python: str
    home: str

    def step(
        self, argv: Sequence[str], variables: Mapping[str, str], timeout_s: float
    ) -> tuple[int | None, str]:
        """See ``BuildSteps.step``; the end of what it says is kept."""
        variables = scrubbed(variables, home=machine.HOME)
        writable = {self.home: self.home}
        with confined(self.python, readable={}, writable=writable, variables=variables) as around:
            step = ["/bin/sh", "-c", f"cd {shlex.quote(self.home)} && {shlex.join(argv)}"]
            done = watch(
                [*around.words, *step],
                environment={},
                timeout_s=timeout_s,
                descriptors=around.descriptors,
                connected=around.connected,
            )
        return done.exit_status, done.said

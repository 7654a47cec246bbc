"""Testbeds on the nodes of a Ray cluster, for workers beyond this machine.

An actor on a node holds a sandbox there, and answers as a testbed here does. It is sent what the project's
own code may read: the files, the command, the sandbox's description. A node is used where it has the same
environment.
"""

from __future__ import annotations

import logging
import os
import random
import signal
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, chdir, closing, contextmanager, suppress
from dataclasses import dataclass, field
from functools import cached_property, partial
from operator import itemgetter
from tempfile import TemporaryDirectory
from typing import Any, Unpack

from sandbox.base import SandboxSpec
from sandbox.environment.contents import contents, difference
from sandbox.errors import NodeLost, SandboxError, SandboxUnavailable
from sandbox.lasting import LastingTestbed
from sandbox.probes import ProbeReport, ProbeRequest
from sandbox.providers import KINDS
from sandbox.reports import RunOptions, TestReport
from sandbox.testing import SandboxTestbeds

ADDRESS = "RAY_ADDRESS"
START_S, OPEN_S, CLOSE_S, GRACE_S = 20.0, 60.0, 10.0, 60.0
"""How long a node may take to start an actor, to open a testbed, to close it, and beyond a run's limit."""

LONGEST = 300
"""So many characters of a message from a node are shown."""


@contextmanager
def connected() -> Iterator[None]:
    """Connected to the cluster that RAY_ADDRESS names, or else to the one that this machine belongs to.

    Raises:
        SandboxUnavailable: Ray is not installed, or no cluster answers.
    """
    # Ray would print what it has to say of nodes to the standard output, which is for the diff.
    os.environ["RAY_DEDUP_LOGS_SKIP_REGEX"] = "."
    try:
        import ray
    except ImportError as error:
        raise SandboxUnavailable("executor: ray needs Ray: pip install 'regreen[ray]'") from error
    if ray.is_initialized():  # by whoever calls us, and theirs to end
        yield
        return
    where = os.environ.get(ADDRESS, "this machine")
    if "://" in where:
        raise SandboxUnavailable(f"{ADDRESS} must be HOST:PORT, and this machine a node of that cluster")
    ended_by = signal.getsignal(signal.SIGTERM)
    try:
        # Nodes look for modules in what is the current directory now; that must not be the project's.
        with TemporaryDirectory() as empty, chdir(empty):
            ray.init(address="auto", log_to_driver=False, logging_level=logging.ERROR)
    except (OSError, ValueError, RuntimeError) as error:
        raise SandboxUnavailable(f"no Ray cluster answers at {where}: {_line(error)}") from error
    try:
        with suppress(ValueError):  # of a thread that is not the first; there Ray takes none either
            signal.signal(signal.SIGTERM, ended_by)
        yield
    finally:
        ray.shutdown()


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeRequest:
    """All that a node is sent to open a testbed: nothing of it is secret.

    ``make`` makes testbeds with a provider of the ``kind``; ``wanted`` are the contents of the environment.
    """

    kind: str
    runtime: str
    spec: SandboxSpec
    wanted: frozenset[str]
    make: Callable[..., SandboxTestbeds]


class NodeWorker:
    """Holds a testbed on a node; Ray runs it there."""

    def __init__(self) -> None:
        self._held = ExitStack()

    def ready(self) -> None:
        """Answer, which it does as soon as a processor of the node is its own."""

    def open(self, request: NodeRequest) -> None:
        """Open the testbed, where the environment is the one of the machine that asks.

        Raises:
            SandboxError: it is another one, or the sandbox does not work here.
        """
        provider = KINDS[request.kind].make(self._held, runtime=request.runtime)
        provider.check()
        provider.sweep()
        if other := difference(contents(provider, request.spec), request.wanted):
            raise SandboxUnavailable(f"its environment is another one: {other}")
        self._bed = self._held.enter_context(request.make(provider=provider).open())

    def run(self, options: RunOptions) -> TestReport:
        """See ``ports.Testbed.run``."""
        return self._bed.run(**options)

    def probe(self, request: ProbeRequest) -> ProbeReport:
        """See ``ports.Testbed.probe``."""
        return self._bed.probe(request)

    def close(self) -> None:
        """End the sandbox."""
        self._held.close()


@dataclass(kw_only=True)
class NodeTestbed:
    """A testbed on ``node``: ``ports.Testbed``. ``actor`` is Ray's handle of a ``NodeWorker``.

    Whatever is asked raises ``NodeLost`` where no answer comes in time.
    """

    actor: Any
    node: str
    name: str
    limit_s: float
    is_open: bool = False
    is_lost: bool = False

    def open(self, request: object) -> None:
        """Open it, by a ``NodeRequest`` in Ray's store."""
        self._answer(self.actor.ready.remote(), START_S)
        self._answer(self.actor.open.remote(request), OPEN_S)
        self.is_open = True

    def run(self, **options: Unpack[RunOptions]) -> TestReport:
        """See ``ports.Testbed.run``."""
        report: TestReport = self._answer(self.actor.run.remote(options), self.limit_s)
        return report

    def probe(self, request: ProbeRequest) -> ProbeReport:
        """See ``ports.Testbed.probe``."""
        report: ProbeReport = self._answer(self.actor.probe.remote(request), self.limit_s)
        return report

    def close(self) -> None:
        """End it; one that does not answer is killed."""
        import ray

        if self.is_open and not self.is_lost:
            with suppress(NodeLost):
                self._answer(self.actor.close.remote(), CLOSE_S)
        ray.kill(self.actor)  # what has ended already is no error

    def _answer(self, reference: Any, seconds: float) -> Any:  # noqa: ANN401 - Ray's, and what was asked for
        import ray
        from ray.exceptions import GetTimeoutError, RayError

        try:
            return ray.get(reference, timeout=seconds)
        except RayError as error:
            self.is_lost = True
            ray.kill(self.actor)
            why = f"silent for {seconds:g} s" if isinstance(error, GetTimeoutError) else _line(error)
            raise NodeLost(f"{self.name}: {why}") from error


@dataclass(kw_only=True)
class NodeTestbeds:
    """``ports.TestbedFactory``: on other nodes, one for each processor, then as many as ``beds_here`` here.

    A node that cannot be used, or lost a testbed, gets no further one; ``notify`` hears why, in a line.
    """

    beds: SandboxTestbeds
    runtime: str
    beds_here: int
    notify: Callable[[str], None]
    _made: list[NodeTestbed] = field(default_factory=list, init=False)
    _cancelled: bool = field(default=False, init=False)

    @property
    def name(self) -> str:
        """The provider's name."""
        return self.beds.name

    @property
    def isolated(self) -> bool:
        """Whether the provider is a security boundary."""
        return self.beds.isolated

    @property
    def room(self) -> int:
        """How many more testbeds the other nodes have room for."""
        return sum(room for room, _node in self._nodes())

    @contextmanager
    def open(self) -> Iterator[NodeTestbed | LastingTestbed]:
        """See ``ports.TestbedFactory.open``."""
        if bed := self._opened():
            with closing(bed):
                yield bed
        elif self._cancelled or not self.beds_here:
            raise SandboxError("neither a node nor a processor of this machine is left")
        else:
            self.beds_here -= 1
            with self.beds.open() as here:
                yield here

    def cancel(self) -> None:
        """Open no more, and give up what is being opened."""
        self._cancelled = True
        for bed in self._made:
            if not bed.is_open:
                bed.close()

    def _opened(self) -> NodeTestbed | None:
        """A testbed on the node that has the most room; None where none can be used, or is free."""
        import ray

        free: Any = ray.available_resources  # which is not typed
        while not self._cancelled and (nodes := self._nodes()) and free().get("CPU", 0) >= 1:
            random.shuffle(nodes)  # other repairs choose, too
            bed = self._started(max(nodes, key=itemgetter(0))[1])
            try:
                bed.open(self._request)
            except NodeLost as error:
                bed.close()
                if not self._cancelled:
                    self.notify(f"not used: {error}")
            else:
                return bed
        return None

    def _nodes(self) -> list[tuple[int, Mapping[str, Any]]]:
        """The other nodes that may be used, as Ray describes them, each with the room that it has."""
        import ray

        held = Counter(bed.node for bed in self._made)
        excepted = {bed.node for bed in self._made if bed.is_lost}
        excepted.add(ray.get_runtime_context().get_node_id())
        listed: Any = ray.nodes  # which is not typed
        nodes = [node for node in listed() if node["Alive"] and node["NodeID"] not in excepted]
        rooms = ((int(node["Resources"].get("CPU", 0)) - held[node["NodeID"]], node) for node in nodes)
        return [(room, node) for room, node in rooms if room > 0]

    def _started(self, node: Mapping[str, Any]) -> NodeTestbed:
        import ray
        from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

        name, times = node["NodeID"], self.beds.times
        there = NodeAffinitySchedulingStrategy(name, soft=False)
        bed = NodeTestbed(
            actor=ray.remote(NodeWorker).options(num_cpus=1, scheduling_strategy=there).remote(),
            node=name,
            name=f"node {node['NodeManagerAddress']} ({name[:8]})",
            limit_s=times.collect_s + times.suite_s + GRACE_S,
        )
        self._made.append(bed)
        return bed

    @cached_property
    def _request(self) -> object:
        """What is sent to each node once, in Ray's store."""
        import ray

        beds = self.beds
        request = NodeRequest(
            kind=beds.provider.name,
            runtime=self.runtime,
            spec=beds.spec,
            wanted=contents(beds.provider, beds.spec),
            make=partial(
                SandboxTestbeds,
                spec=beds.spec,
                snapshot=beds.snapshot,
                command=beds.command,
                environment=dict(beds.environment),
                times=beds.times,
            ),
        )
        return ray.put(request)


def _line(error: BaseException) -> str:
    """What ``error`` says, in a line; of one on a node, what that was."""
    from ray.exceptions import RayActorError

    cause = getattr(error, "cause", None) or error
    lines = [line.strip() for line in str(cause).splitlines() if line.strip()] or [""]
    said = lines[0]
    if isinstance(error, RayActorError):
        # Of one that could not begin, Ray gives the traceback.
        said = lines[-1] if "creation task" in said else "it ended, or cannot be reached"
    elif not isinstance(cause, SandboxError):
        said = f"{type(cause).__name__}: {said}"
    return "".join(one if one.isprintable() else "?" for one in said[:LONGEST])

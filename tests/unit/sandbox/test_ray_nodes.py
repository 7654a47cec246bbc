"""Which nodes get testbeds, and what becomes of a lost one. Ray is a fake that calls in this process."""

import pickle
import sys
from contextlib import ExitStack
from types import SimpleNamespace

import pytest
from fakes.testbed import FakeTestbeds
from ray import exceptions
from ray.util import scheduling_strategies

from sandbox import ray_nodes
from sandbox.base import SandboxSpec
from sandbox.command import PytestCommand
from sandbox.errors import NodeLost, SandboxError, SandboxUnavailable
from sandbox.ray_nodes import NodeTestbeds
from sandbox.reports import TestTimes
from sandbox.snapshot import Entry, Snapshot

FILES = {"test_a.py": "def test_a():\n    assert True\n"}
SENT = Snapshot(entries=(Entry(path="a.py", data=b"x = 1\n"),))


class FakeRay:
    """``ray`` with nodes that are ``gone``, ``dead``, ``unfit`` or ``busy``."""

    def __init__(self, **processors):
        self.processors = {"here": 2, **processors}
        self.gone, self.dead, self.unfit, self.busy = set(), set(), set(), set()
        self.free = 100
        self.put_there, self.killed, self.sent = [], [], []

    def nodes(self):
        return [
            {
                "NodeID": name,
                "Alive": name not in self.gone,
                "Resources": {"CPU": count} if count else {},
                "NodeManagerAddress": f"10.0.0.{len(name)}",
            }
            for name, count in self.processors.items()
        ]

    def available_resources(self):
        return {"CPU": self.free}

    def get_runtime_context(self):
        return SimpleNamespace(get_node_id=lambda: "here")

    def put(self, value):
        self.sent.append(pickle.dumps(value))
        return value

    def remote(self, _kind):
        return SimpleNamespace(options=self._options)

    def _options(self, *, num_cpus, scheduling_strategy):
        assert num_cpus == 1
        assert not scheduling_strategy.soft
        return SimpleNamespace(remote=lambda: self._actor(scheduling_strategy.node_id))

    def _actor(self, node):
        self.put_there.append(node)
        bed = FakeTestbeds.of(FILES).make(1)

        def opened(_request):
            if node in self.unfit:
                raise SandboxUnavailable("its environment is another one: it lacks six")

        methods = {
            "ready": lambda: None,
            "open": opened,
            "close": lambda: None,
            "run": lambda options: bed.run(**options),
        }
        remote = {
            name: SimpleNamespace(remote=lambda *given, does=does: (node, does, given))
            for name, does in methods.items()
        }
        return SimpleNamespace(node=node, **remote)

    def get(self, asked, *, timeout):
        assert timeout > 0
        node, does, given = asked
        if node in self.busy:
            raise exceptions.GetTimeoutError
        if node in self.dead:
            raise exceptions.ActorDiedError
        try:
            return does(*given)
        except SandboxError as error:
            raise exceptions.RayTaskError("open", "", error, "ray", 1, "10.0.0.5") from error

    def kill(self, actor):
        self.killed.append(actor.node)


@pytest.fixture
def cluster(monkeypatch):
    """Makes testbeds of a cluster with so many processors on each node, and what was said."""
    monkeypatch.setattr(ray_nodes, "contents", lambda *_given: frozenset({"Python 3"}))
    monkeypatch.setattr(
        scheduling_strategies,
        "NodeAffinitySchedulingStrategy",
        lambda node, *, soft: SimpleNamespace(node_id=node, soft=soft),
    )

    def make(beds_here=0, **processors):
        ray, said = FakeRay(**processors), []
        monkeypatch.setitem(sys.modules, "ray", ray)
        here = FakeTestbeds.of(FILES)
        here.provider, here.spec = SimpleNamespace(name="process"), SandboxSpec(python="python")
        here.snapshot, here.environment, here.times = SENT, {}, TestTimes()
        here.command = PytestCommand(arguments=())
        return ray, NodeTestbeds(beds=here, runtime="", beds_here=beds_here, notify=said.append), said

    return make


def opened(testbeds, count):
    with ExitStack() as held:
        return [held.enter_context(testbeds.open()) for _ in range(count)]


def test_testbeds_are_spread_over_the_other_nodes_by_their_processors(cluster):
    ray, testbeds, said = cluster(one=1, two=2, none=0, half=0.5)
    assert testbeds.room == 3
    opened(testbeds, 3)
    assert sorted(ray.put_there) == ["one", "two", "two"]
    assert ray.killed == ray.put_there[::-1], "what is closed is ended"
    assert said == []
    assert len(ray.sent) == 1, "the project is sent once"


def test_where_no_node_is_left_this_machine_takes_over_as_far_as_it_can(cluster):
    _ray, testbeds, _said = cluster(beds_here=2, one=1)
    opened(testbeds, 3)
    assert len(testbeds.beds.opened) == 2
    with pytest.raises(SandboxError, match="neither a node nor a processor"):
        opened(testbeds, 1)


def test_a_node_with_another_environment_is_refused_by_its_name_once(cluster):
    ray, testbeds, said = cluster(one=1, three=4)
    ray.unfit.add("three")
    opened(testbeds, 1)
    assert ray.put_there == ["three", "one"]
    assert said == ["not used: node 10.0.0.5 (three): its environment is another one: it lacks six"]


def test_a_node_that_does_not_answer_is_refused(cluster):
    ray, testbeds, said = cluster(beds_here=1, one=1, gone=1)
    ray.busy.add("one")
    ray.gone.add("gone")
    opened(testbeds, 1)
    assert said == ["not used: node 10.0.0.3 (one): silent for 20 s"]
    assert ray.killed
    assert len(testbeds.beds.opened) == 1


def test_a_cluster_without_a_free_processor_is_not_waited_for(cluster):
    ray, testbeds, _said = cluster(beds_here=1, one=1)
    ray.free = 0.5
    opened(testbeds, 1)
    assert not ray.put_there
    assert len(testbeds.beds.opened) == 1


def test_a_node_that_lost_a_testbed_gets_no_other_one(cluster):
    ray, testbeds, _said = cluster(one=1, two=2)
    with testbeds.open() as bed:
        assert bed.run(tests=["test_a.py::test_a"]).passing
        ray.dead.add("two")
        with pytest.raises(NodeLost, match=r"node 10\.0\.0\.3 \(two\): it ended, or cannot be reached"):
            bed.run()
        opened(testbeds, 1)
    assert ray.put_there == ["two", "one"]


def test_what_is_cancelled_opens_nothing_more(cluster):
    ray, testbeds, said = cluster(beds_here=1, one=1)
    testbeds.cancel()
    with pytest.raises(SandboxError):
        opened(testbeds, 1)
    assert ray.put_there == testbeds.beds.opened == said == []


def test_nothing_of_the_environment_of_this_process_is_sent(cluster, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "hunter2-hunter2")
    ray, testbeds, _said = cluster(one=1)
    testbeds.notify = lambda _line: "hunter2-hunter2"
    opened(testbeds, 1)
    (sent,) = ray.sent
    assert b"x = 1" in sent
    assert b"hunter2" not in sent

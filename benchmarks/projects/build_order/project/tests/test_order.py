import pytest

from buildplan.graph import CycleError, TargetGraph
from buildplan.order import stages, steps


@pytest.fixture
def graph():
    return TargetGraph().add("app", "ui", "core").add("ui", "core", "icons").add("docs")


def test_needs_come_first():
    chain = TargetGraph().add("c", "b").add("b", "a")
    assert list(steps(chain, "c")) == ["a", "b", "c"]


def test_each_target_once(graph):
    assert list(steps(graph, "app")) == ["core", "icons", "ui", "app"]


def test_all_targets_without_goal(graph):
    assert list(steps(graph)) == ["core", "icons", "ui", "app", "docs"]


def test_only_what_is_needed(graph):
    assert "app" not in list(steps(graph, "ui"))


def test_cycle():
    graph = TargetGraph().add("a", "b").add("b", "c").add("c", "b")
    with pytest.raises(CycleError) as caught:
        list(steps(graph, "a"))
    assert caught.value.path == ["b", "c", "b"]


def test_stages(graph):
    assert stages(graph, "app") == [["core", "icons"], ["ui"], ["app"]]

from buildplan.graph import TargetGraph
from buildplan.order import stages, steps


def test_diamond_of_diamonds():
    graph = TargetGraph()
    for number in range(1, 12):
        graph.add(f"t{number}", f"l{number}", f"r{number}")
        graph.add(f"l{number}", f"t{number - 1}").add(f"r{number}", f"t{number - 1}")
    order = list(steps(graph, "t11"))
    assert len(order) == len(set(order)) == 34
    assert order[0] == "t0"
    assert order[-1] == "t11"


def test_goal_named_twice():
    graph = TargetGraph().add("a", "b")
    assert list(steps(graph, "a", "b", "a")) == ["b", "a"]
    assert stages(graph) == [["b"], ["a"]]

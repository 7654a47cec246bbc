from roster.draw import draw
from roster.team import Team


def test_two_teams():
    reds, blues = Team("r"), Team("b")
    reds.join("ann", 2)
    blues.join("bob", 1)
    assert [member.name for member in reds.members] == ["ann"]
    assert [member.name for member in blues.members] == ["bob"]
    assert (reds.captain.name, blues.captain.name) == ("ann", "bob")


def test_draw():
    teams = draw([("a", 9), ("b", 5), ("c", 5), ("d", 1)], ["x", "y"])
    assert [[member.name for member in team.members] for team in teams] == [["a", "d"], ["b", "c"]]


def test_limits():
    assert Team("x").limit == 3
    assert Team("y", limit=0).limit == 0

import pytest

from roster.draw import draw
from roster.team import Team, TeamFull


@pytest.fixture
def team():
    return Team("Reds", limit=2)


def test_join(team):
    team.join("ann", 5)
    assert [member.name for member in team.members] == ["ann"]


def test_captain(team):
    team.join("bob", 3)
    team.join("eve", 7)
    assert team.captain.name == "eve"


def test_leave(team):
    team.join("bob", 3)
    team.leave("bob")
    assert team.members == []
    assert team.captain is None


def test_strength(team):
    team.join("bob", 3)
    team.join("ann", 4)
    assert team.strength == 7


def test_full():
    team = Team("Blues", limit=1)
    team.join("x")
    with pytest.raises(TeamFull):
        team.join("y")


def test_empty_draw():
    assert [team.name for team in draw([], ["A", "B"])] == ["A", "B"]

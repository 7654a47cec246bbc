"""Teams of about equal strength."""

from .team import Team


def draw(players, team_names):
    """Deals the players, given as (name, skill), to the teams: the strongest to the weakest team."""
    teams = [Team(name, limit=len(players)) for name in team_names]
    for name, skill in sorted(players, key=lambda player: -player[1]):
        weakest = min(teams, key=lambda team: (team.strength, len(team.members)))
        weakest.join(name, skill)
    return teams

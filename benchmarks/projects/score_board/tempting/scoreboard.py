"""Who leads, and by how much."""

from dataclasses import dataclass, field


@dataclass
class Player:
    name: str
    points: int = 0
    games: int = 0


@dataclass
class Board:
    players: dict = field(default_factory=dict)

    def record(self, **points):
        """The points of one game by the players' names."""
        for name, scored in points.items():
            player = self.players.setdefault(name, Player(name))
            player.points += scored
            player.games += 1

    def ranking(self):
        """Most points first, then the fewest games, then by name."""
        return sorted(
            self.players.values(), key=lambda player: (player.points, player.games, player.name), reverse=True
        )

    def places(self):
        """Places by name; equal points share a place, and the next place is left out."""
        places, previous = {}, None
        for position, player in enumerate(self.ranking(), start=1):
            if previous is not None and player.points == previous.points:
                places[player.name] = places[previous.name]
            else:
                places[player.name] = position
            previous = player
        return places

    def leader(self):
        ranking = self.ranking()
        return ranking[0].name if ranking else None

    def average(self, name):
        player = self.players[name]
        return player.points / player.games

"""The stream that a repair draws its candidates from, as far as it was drawn."""

from dataclasses import dataclass

from bot.search.stream import Stream


@dataclass(slots=True)
class Drawn:
    """The ``stream`` of one repair, from which ``count`` candidates were taken; never saved."""

    stream: Stream | None = None
    count: int = 0

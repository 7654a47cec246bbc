"""Boxes on the map, in degrees; west may be greater than east where a box crosses the date line."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Box:
    south: float
    west: float
    north: float
    east: float

    def __post_init__(self):
        if self.south > self.north:
            raise ValueError("south lies above north")

    @property
    def crosses_date_line(self):
        return self.west > self.east

    @property
    def width(self):
        return (self.east - self.west) % 360

    def contains(self, latitude, longitude):
        if not self.south <= latitude <= self.north:
            return False
        if self.crosses_date_line:
            return longitude >= self.west or longitude <= self.east
        return self.west <= longitude <= self.east

    def parts(self):
        """One box, or two that do not cross the date line."""
        if not self.crosses_date_line:
            return (self,)
        return (
            Box(self.south, self.west, self.north, 180.0),
            Box(self.south, -180.0, self.north, self.east),
        )

    @classmethod
    def around(cls, latitude, longitude, reach):
        def wrapped(degrees):
            return (degrees + 180) % 360 - 180

        return cls(
            max(-90, latitude - reach),
            wrapped(longitude - reach),
            min(90, latitude + reach),
            wrapped(longitude + reach),
        )


def within(box, places):
    return sorted(name for name, (latitude, longitude) in places.items() if box.contains(latitude, longitude))

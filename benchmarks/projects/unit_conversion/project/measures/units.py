"""Units, each with its size in the base unit of its kind."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Unit:
    symbol: str
    kind: str
    size: float


UNITS = {
    unit.symbol: unit
    for unit in (
        Unit("m", "length", 1),
        Unit("km", "length", 1000),
        Unit("cm", "length", 0.01),
        Unit("g", "mass", 1),
        Unit("kg", "mass", 1000),
        Unit("s", "time", 1),
        Unit("h", "time", 3600),
    )
}

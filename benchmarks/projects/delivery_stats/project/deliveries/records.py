"""Deliveries, read from CSV."""

import csv
import io
from dataclasses import dataclass
from datetime import date


@dataclass(frozen=True)
class Delivery:
    region: str
    ordered: date
    arrived: date | None

    @property
    def days(self):
        return (self.arrived - self.ordered).days if self.arrived else None


def read(text):
    return [
        Delivery(
            row["region"],
            date.fromisoformat(row["ordered"]),
            date.fromisoformat(row["arrived"]) if row["arrived"] else None,
        )
        for row in csv.DictReader(io.StringIO(text))
    ]

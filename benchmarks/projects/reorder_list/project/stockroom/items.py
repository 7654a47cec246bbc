"""What can be stocked."""

from dataclasses import dataclass


@dataclass
class Item:
    """An article with its count; it is ordered again once the count falls to the reorder level."""

    sku: str
    count: int
    reorder_level: int = 0
    pack_size: int = 1

    @property
    def is_low(self):
        return self.count < self.reorder_level

"""The stock as a whole."""

from .items import Item


class UnknownItem(KeyError):
    """No such article."""


class Stock:
    def __init__(self):
        self._items = {}

    def add(self, item: Item):
        self._items[item.sku] = item

    def take(self, sku, count):
        item = self._find(sku)
        if count > item.count:
            raise ValueError(f"only {item.count} of {sku} left")
        item.count -= count
        return item.count

    def to_order(self):
        """Pairs of article and number of packs that bring it above its level again."""
        orders = []
        for item in self._items.values():
            if item.is_low:
                missing = item.reorder_level - item.count + 1
                packs = -(-missing // item.pack_size)
                orders.append((item.sku, packs))
        return sorted(orders)

    def _find(self, sku):
        try:
            return self._items[sku]
        except KeyError:
            raise UnknownItem(sku) from None

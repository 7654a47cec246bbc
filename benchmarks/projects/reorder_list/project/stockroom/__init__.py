"""Keeps count of what lies on the shelves."""

from .items import Item
from .stock import Stock

__all__ = ["Item", "Stock"]

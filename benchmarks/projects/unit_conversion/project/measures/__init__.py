from .quantity import IncompatibleUnits, Quantity
from .units import UNITS, Unit

__all__ = ["UNITS", "IncompatibleUnits", "Quantity", "Unit"]

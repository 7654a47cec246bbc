from .invoice import Invoice, Position

__all__ = ["Invoice", "Position"]

from .cells import Sheet
from .errors import CircularReference, SheetError

__all__ = ["CircularReference", "Sheet", "SheetError"]

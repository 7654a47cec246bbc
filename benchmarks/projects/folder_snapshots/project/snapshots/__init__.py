from .compare import Difference, compare
from .take import take

__all__ = ["Difference", "compare", "take"]

from .batch import run_all
from .gate import Closed, Gate

__all__ = ["Closed", "Gate", "run_all"]

from .decorator import steady
from .stats import Stats

__all__ = ["Stats", "steady"]

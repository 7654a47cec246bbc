from .policy import Backoff
from .retrying import GaveUp, retry

__all__ = ["Backoff", "GaveUp", "retry"]

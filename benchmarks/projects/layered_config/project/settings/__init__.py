from .layers import merge
from .store import Config

__all__ = ["Config", "merge"]

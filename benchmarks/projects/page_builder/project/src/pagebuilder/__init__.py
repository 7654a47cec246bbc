from .builder import Builder
from .element import Element

__all__ = ["Builder", "Element"]

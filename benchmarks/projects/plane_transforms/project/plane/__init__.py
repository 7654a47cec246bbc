from .affine import Affine
from .shapes import Polygon

__all__ = ["Affine", "Polygon"]

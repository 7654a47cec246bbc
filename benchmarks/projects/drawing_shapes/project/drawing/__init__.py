from .group import Group
from .shapes import Circle, Rectangle, Square

__all__ = ["Circle", "Group", "Rectangle", "Square"]

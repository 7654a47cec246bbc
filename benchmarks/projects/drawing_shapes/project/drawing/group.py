"""Shapes that belong together."""

from .base import Shape


class Group(Shape):
    def __init__(self, *shapes):
        super().__init__()
        self.shapes = list(shapes)

    @property
    def area(self):
        return sum(shape.area for shape in self.shapes)

    @property
    def bounds(self):
        lefts, bottoms, rights, tops = zip(*(shape.bounds for shape in self.shapes))
        return (min(lefts), min(bottoms), max(rights), max(tops))

    def move(self, dx, dy):
        for shape in self.shapes:
            shape.move(dx, dy)

    def contains(self, x, y):
        return any(shape.contains(x, y) for shape in self.shapes)

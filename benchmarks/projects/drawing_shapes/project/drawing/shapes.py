"""Plain shapes; x and y are the lower left corner, of circles the centre."""

import math

from .base import Shape


class Rectangle(Shape):
    def __init__(self, width, height, **place):
        super().__init__(**place)
        self.width = width
        self.height = height

    @property
    def area(self):
        return self.width * self.height

    @property
    def bounds(self):
        return (self.x, self.y, self.x + self.width, self.y + self.height)


class Square(Rectangle):
    def __init__(self, side, **place):
        super().__init__(side, side, **place)


class Circle(Shape):
    def __init__(self, radius, **place):
        super().__init__(**place)
        self.radius = radius

    @property
    def area(self):
        return math.pi * self.radius**2

    @property
    def bounds(self):
        r = self.radius
        return (self.x - r, self.y - r, self.x + r, self.y + r)

    def contains(self, x, y):
        return (x - self.x) ** 2 * (y - self.y) ** 2 <= self.radius**2

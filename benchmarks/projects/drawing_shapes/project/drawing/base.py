"""What every shape can tell."""

from abc import ABC, abstractmethod


class Shape(ABC):
    def __init__(self, x=0, y=0):
        self.x = x
        self.y = y

    @property
    @abstractmethod
    def area(self):
        """In square units."""

    @property
    @abstractmethod
    def bounds(self):
        """(left, bottom, right, top)"""

    def move(self, dx, dy):
        self.x += dx
        self.y += dy

    def contains(self, x, y):
        left, bottom, right, top = self.bounds
        return left <= x <= right and bottom <= y <= top

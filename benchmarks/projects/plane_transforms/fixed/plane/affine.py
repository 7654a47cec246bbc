"""Affine maps of the plane: (x, y) to (a x + b y + e, c x + d y + f)."""

import math


class Affine:
    def __init__(self, a=1.0, b=0.0, c=0.0, d=1.0, e=0.0, f=0.0):
        self.a, self.b, self.c, self.d, self.e, self.f = a, b, c, d, e, f

    @classmethod
    def shift(cls, x, y):
        return cls(e=x, f=y)

    @classmethod
    def scale(cls, x, y=None):
        return cls(a=x, d=x if y is None else y)

    @classmethod
    def turn(cls, degrees):
        """Counter-clockwise around the origin."""
        angle = math.radians(degrees)
        return cls(math.cos(angle), -math.sin(angle), math.sin(angle), math.cos(angle))

    def __call__(self, point):
        x, y = point
        return (self.a * x + self.b * y + self.e, self.c * x + self.d * y + self.f)

    def __matmul__(self, first):
        """`self @ first` does `first` first."""
        return Affine(
            self.a * first.a + self.b * first.c,
            self.a * first.b + self.b * first.d,
            self.c * first.a + self.d * first.c,
            self.c * first.b + self.d * first.d,
            *self((first.e, first.f)),
        )

    def then(self, following):
        return following @ self

    @property
    def determinant(self):
        return self.a * self.d - self.b * self.c

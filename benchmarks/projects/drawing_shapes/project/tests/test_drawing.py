import pytest

from drawing import Circle, Group, Rectangle, Square
from drawing.base import Shape


def test_area():
    assert Rectangle(2, 3).area == 6
    assert Circle(1).area == pytest.approx(3.14159, abs=1e-5)


def test_square():
    assert Square(4, x=1).bounds == (1, 0, 5, 4)


def test_rectangle_contains():
    assert Rectangle(2, 1).contains(2, 1)
    assert not Rectangle(2, 1).contains(2, 1.5)


def test_circle_contains():
    circle = Circle(5, x=10, y=10)
    assert circle.contains(13, 14)
    assert not circle.contains(16, 10)


def test_group():
    group = Group(Square(1), Circle(1, x=5, y=5))
    assert group.bounds == (0, 0, 6, 6)
    assert group.contains(5.5, 5)
    assert not group.contains(5, 3)


def test_move():
    group = Group(Square(1))
    group.move(2, 2)
    assert group.bounds == (2, 2, 3, 3)


def test_abstract():
    with pytest.raises(TypeError):
        Shape()

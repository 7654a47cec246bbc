import pytest

from plane import Affine, Polygon


def near(pair):
    return pytest.approx(pair, abs=1e-9)


def test_shift():
    assert Affine.shift(2, 3)((1, 1)) == (3, 4)


def test_turn():
    assert Affine.turn(90)((2, 0)) == near((0, 2))


def test_product_does_the_right_one_first():
    assert (Affine.scale(2) @ Affine.shift(1, 0))((1, 1)) == (4, 2)


def test_then():
    assert Affine.shift(1, 0).then(Affine.scale(2))((1, 1)) == (4, 2)


def test_area():
    assert Polygon((0, 0), (2, 0), (2, 1), (0, 1)).area() == 2


def test_area_of_a_moved_shape():
    square = Polygon((0, 0), (1, 0), (1, 1), (0, 1))
    assert square.moved(Affine.scale(2, 3), Affine.turn(30)).area() == pytest.approx(6)


def test_too_few_corners():
    with pytest.raises(ValueError, match="three corners"):
        Polygon((0, 0), (1, 1))

import pytest

from plane import Affine, Polygon


def test_turn_then_shift():
    assert Affine.turn(90).then(Affine.shift(5, 0))((1, 0)) == pytest.approx((5, 1))


def test_three_in_a_row():
    triangle = Polygon((0, 0), (1, 0), (0, 1)).moved(Affine.shift(1, 0), Affine.turn(90), Affine.scale(2, 3))
    assert triangle.corners[0] == pytest.approx((0, 3))
    assert triangle.corners[2] == pytest.approx((-2, 3))


def test_product_is_as_it_was():
    assert (Affine.turn(90) @ Affine.scale(2, 1))((1, 1)) == pytest.approx((-1, 2))

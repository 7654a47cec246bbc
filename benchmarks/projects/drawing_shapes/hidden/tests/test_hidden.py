import pytest

from drawing import Circle


@pytest.mark.parametrize(
    ("x", "y", "inside"),
    [
        (0, 2, True),
        (2, 0, True),
        (1.9, 1.9, False),
        (-1.5, -1.5, False),
        (1.4, -1.4, True),
        (0, 0, True),
        (0, 9, False),
        (1, 1.8, False),
    ],
)
def test_circle_of_two(x, y, inside):
    assert Circle(2).contains(x, y) is inside

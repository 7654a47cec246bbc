import pytest

from bounds import Box


@pytest.mark.parametrize(
    ("longitude", "inside"),
    [
        (175, True),
        (174.9, False),
        (180, True),
        (-180, True),
        (-170, True),
        (-169.9, False),
        (-60, False),
        (0, False),
    ],
)
def test_longitudes(longitude, inside):
    assert Box(-25, 175, -10, -170).contains(-20, longitude) is inside


def test_latitude_counts_there_too():
    assert not Box(-25, 175, -10, -170).contains(0, 179)


def test_plain_boxes_stay_closed():
    assert not Box(0, 10, 1, 20).contains(0.5, 25)
    assert not Box(0, 10, 1, 20).contains(0.5, 5)

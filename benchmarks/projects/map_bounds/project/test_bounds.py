import pytest

from bounds import Box, within

PLACES = {"Suva": (-18.1, 178.4), "Apia": (-13.8, -171.8), "Lagos": (6.5, 3.4)}
FIJI = Box(-25, 175, -10, -170)


@pytest.mark.parametrize(
    ("latitude", "longitude", "inside"), [(50, 5, True), (50, 11, False), (61, 5, False)]
)
def test_contains(latitude, longitude, inside):
    assert Box(40, 0, 60, 10).contains(latitude, longitude) is inside


def test_across_the_date_line():
    assert within(FIJI, PLACES) == ["Apia", "Suva"]


def test_far_from_the_date_line():
    assert not FIJI.contains(-15, 10)


def test_width():
    assert FIJI.width == 15


def test_parts():
    assert FIJI.parts() == (Box(-25, 175, -10, 180), Box(-25, -180, -10, -170))


def test_around():
    assert Box.around(0, 178, 5) == Box(-5, 173, 5, -177)


def test_upside_down():
    with pytest.raises(ValueError, match="above north"):
        Box(10, 0, 5, 1)

import pytest

from flags import Flag, Flags


@pytest.fixture
def flags():
    return Flags(Flag("search", users={"ann"}), Flag("export", percent=100), Flag("beta"))


def test_off_at_first():
    assert not Flag("x").is_on("ann")


def test_everyone():
    assert all(Flag("x", percent=100).is_on(str(number)) for number in range(50))


def test_about_half():
    on = sum(Flag("x", percent=50).is_on(f"user{number}") for number in range(1000))
    assert 430 < on < 570


def test_on_for(flags):
    assert flags.on_for("ann") == ["export", "search"]


def test_allow(flags):
    flags.allow("beta", "bob")
    assert flags.checks["beta"]("bob")


def test_what_was_asked(flags):
    flags.checks["search"]("eve")
    assert flags.asked == [("search", "eve")]


def test_parse():
    assert Flags.parse("a 100%\nb ann bob").on_for("bob") == ["a", "b"]

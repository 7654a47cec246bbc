import pytest

from pins import NoVersion, Version, choose

AVAILABLE = ["1.2", "1.9.1", "1.10", "2.0rc1"]


def test_no_version():
    with pytest.raises(ValueError, match="no version: 1.x"):
        Version("1.x")


def test_candidates_come_before():
    assert Version("2.0rc2") < Version("2.0")
    assert Version("2.0rc1") < Version("2.0rc2")


def test_highest():
    assert choose(AVAILABLE) == "1.10"


@pytest.mark.parametrize(
    ("conditions", "chosen"),
    [("<1.9", "1.2"), (">=1.2, <1.10", "1.9.1"), ("==1.2", "1.2"), ("!=1.10", "1.9.1")],
)
def test_conditions(conditions, chosen):
    assert choose(AVAILABLE, conditions) == chosen


def test_candidates_if_wanted():
    assert choose(AVAILABLE, ">1.5", allow_candidates=True) == "2.0rc1"


def test_nothing_fits():
    with pytest.raises(NoVersion):
        choose(AVAILABLE, ">=3")

import pytest

from pipeline import Pipeline, compute, first, share, where


@pytest.fixture
def rows():
    return [{"kind": "a", "n": 1}, {"kind": "b", "n": 2}, {"kind": "a", "n": 3}]


def test_no_stage(rows):
    assert list(Pipeline()(rows)) == rows


def test_where(rows):
    assert [row["n"] for row in Pipeline(where(kind="a"))(rows)] == [1, 3]


def test_compute(rows):
    assert [row["m"] for row in Pipeline(compute("m", lambda row: row["n"] * 10))(rows)] == [10, 20, 30]


def test_first(rows):
    assert list(Pipeline(first(1))(rows)) == rows[:1]


def test_two_stages(rows):
    pipeline = Pipeline() | where(kind="a") | compute("m", lambda row: -row["n"])
    assert [row["m"] for row in pipeline(rows)] == [-1, -3]


def test_share(rows):
    assert [row["part"] for row in Pipeline(share("part", of="n"))(rows[1:])] == [0.4, 0.6]


def test_share_of_what_is_left(rows):
    pipeline = Pipeline(where(kind="a"), share("part", of="n"))
    assert [row["part"] for row in pipeline(rows)] == [0.25, 0.75]

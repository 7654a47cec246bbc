"""What a failed assert compared, found out afterwards."""

import linecache

import pytest
from sections import sections

from sandbox.runner.compared_values import ComparedValues

SOURCES = sections("sources/runner_compared_values.txt")[0].parts
MODULE = SOURCES["MODULE"]


@pytest.fixture
def sides(tmp_path):
    path = tmp_path / "module.py"
    path.write_text(MODULE)
    namespace = {}
    exec(compile(MODULE, str(path), "exec"), namespace)
    known = ComparedValues()
    known.remember(str(path))
    known.remember(str(path))

    def of(name):
        with pytest.raises(AssertionError) as caught:
            namespace[name]()
        return known.of(caught.value)

    yield of
    linecache.clearcache()


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("plain", ["==", "[1, 3]", "[1, 2]"]),
        ("elsewhere", ["==", "[1, 3]", "[1, 2]"]),
        ("local", ["in", "[1, 3]", "[{2}]"]),
        ("chained", None),
        ("truth", None),
        ("raised", None),
        ("shared", ["==", "1", "2"]),
        ("two", None),
        ("gone", None),
    ],
)
def test_the_sides_are_evaluated_where_the_assert_failed(sides, name, expected):
    assert sides(name) == expected


def test_what_cannot_be_evaluated_twice_raises_as_it_likes(sides):
    with pytest.raises(StopIteration):
        sides("once")


@pytest.mark.parametrize("content", [b"def f(:\n", b"\xff\xfe", b"\x00", None])
def test_a_file_that_cannot_be_read_has_no_asserts(tmp_path, content):
    path = tmp_path / "odd.py"
    if content is not None:
        path.write_bytes(content)
    known = ComparedValues()
    known.remember(str(path))
    with pytest.raises(AssertionError) as caught:
        exec(compile("assert 1 == 2", str(path), "exec"), {})
    assert known.of(caught.value) is None

import asyncio

from drain import Stream, averages, drain


def test_first_reading():
    assert asyncio.run(Stream([7, 8]).read()) == 7


def test_the_end():
    assert asyncio.run(Stream([]).read()) is None


def test_none():
    assert averages([]) == []


def test_some():
    assert asyncio.run(drain(Stream([4, 5]))) == [4, 5]


def test_several():
    assert averages([Stream([2, 4]), Stream([]), Stream([10])]) == [3, None, 10]

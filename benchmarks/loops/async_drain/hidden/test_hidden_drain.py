import asyncio

from drain import Stream, drain


def test_order():
    assert asyncio.run(asyncio.wait_for(drain(Stream(range(20))), 5)) == list(range(20))

import asyncio

from fetching.pages import fetch_all, sizes
from fetching.pool import Pool

SITE = {"/": "home", "/a": "page a", "/b": ""}


async def fetch(address):
    await asyncio.sleep(0)
    return SITE[address]


def test_nothing_to_do():
    assert asyncio.run(fetch_all(fetch, [])) == ({}, {})


def test_results():
    results, errors = asyncio.run(fetch_all(fetch, ["/", "/a"]))
    assert results == {"/": "home", "/a": "page a"}
    assert errors == {}


def test_errors_are_kept():
    results, errors = asyncio.run(fetch_all(fetch, ["/", "/nowhere"]))
    assert list(results) == ["/"]
    assert isinstance(errors["/nowhere"], KeyError)


def test_sizes():
    assert asyncio.run(sizes(fetch, SITE)) == {"/": 4, "/a": 6, "/b": 0}


def test_limits_are_kept():
    assert len(Pool(fetch, workers=3)._tasks) == 0

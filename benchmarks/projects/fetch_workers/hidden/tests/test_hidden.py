import asyncio

from fetching.pages import fetch_all


def test_no_more_at_once_than_workers():
    running, most = 0, 0

    async def fetch(address):
        nonlocal running, most
        running += 1
        most = max(most, running)
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        running -= 1
        return address

    results, _ = asyncio.run(fetch_all(fetch, range(7), workers=3))
    assert results == {number: number for number in range(7)}
    assert most == 3


def test_late_error():
    async def fetch(address):
        await asyncio.sleep(0)
        raise OSError(address)

    results, errors = asyncio.run(fetch_all(fetch, ["x"]))
    assert results == {}
    assert str(errors["x"]) == "x"

import asyncio

import pytest

from gate import Closed, Gate, run_all


def settled(coroutine, turns=50):
    """The result of what needs no more than so many turns of the loop."""

    async def main():
        task = asyncio.create_task(coroutine)
        for _ in range(turns):
            await asyncio.sleep(0)
        if not task.done():
            task.cancel()
            pytest.fail("still waiting")
        return task.result()

    return asyncio.run(main())


async def half(number):
    await asyncio.sleep(0)
    if number % 2:
        raise ValueError(number)
    return number // 2


def test_results_in_order():
    assert asyncio.run(run_all(half, [8, 2, 4])) == [4, 1, 2]


def test_closed():
    async def main():
        gate = Gate(1)
        gate.close()
        await gate.run(half, 2)

    with pytest.raises(Closed):
        asyncio.run(main())


def test_the_gate_is_empty_after_a_failure():
    async def main():
        gate = Gate(1)
        with pytest.raises(ValueError):
            await gate.run(half, 3)
        return gate.inside

    assert asyncio.run(main()) == 0


def test_failures_do_not_block_what_comes_later():
    results = settled(run_all(half, [1, 3, 5, 10]))
    assert [isinstance(result, ValueError) for result in results] == [True, True, True, False]


def test_more_places_than_work():
    assert asyncio.run(run_all(half, [2], places=9)) == [1]

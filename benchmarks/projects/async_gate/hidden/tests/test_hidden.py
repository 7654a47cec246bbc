import asyncio

import pytest

from gate import Gate, run_all


def settled(coroutine, turns=50):
    async def main():
        task = asyncio.create_task(coroutine)
        for _ in range(turns):
            await asyncio.sleep(0)
        if not task.done():
            task.cancel()
            pytest.fail("still waiting")
        return task.result()

    return asyncio.run(main())


def test_any_failure():
    async def work(kind):
        if kind:
            raise kind("x")
        return "done"

    results = settled(run_all(work, [OSError, KeyError, None], places=1))
    assert results[2] == "done"


def test_cancelled_work_leaves():
    async def main():
        gate = Gate(1)
        task = asyncio.create_task(gate.run(asyncio.sleep, 60))
        await asyncio.sleep(0)
        assert gate.inside == 1
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        assert gate.inside == 0
        return await gate.run(asyncio.sleep, 0, "through")

    assert settled(main()) == "through"


def test_never_more_than_places():
    async def main():
        gate, most = Gate(2), []

        async def work(number):
            most.append(gate.inside)
            await asyncio.sleep(0)
            if number == 1:
                raise ValueError

        await asyncio.gather(*(gate.run(work, number) for number in range(6)), return_exceptions=True)
        return max(most), gate.inside

    assert asyncio.run(main()) == (2, 0)

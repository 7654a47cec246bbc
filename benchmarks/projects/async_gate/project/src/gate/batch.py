"""Many pieces of work through one gate."""

import asyncio

from .gate import Gate


async def run_all(work, items, places=2, timeout=None):
    """Results in the order of the items; an exception stands for the result of what failed."""
    gate = Gate(places)
    calls = (gate.run(work, item) for item in items)
    return await asyncio.wait_for(asyncio.gather(*calls, return_exceptions=True), timeout)

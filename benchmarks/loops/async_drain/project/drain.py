"""Drain a stream of readings with asyncio."""

import asyncio


class Stream:
    """Readings that come one by one, then None."""

    def __init__(self, readings):
        self._readings = list(readings)

    async def read(self):
        """The next reading, None at the end."""
        await asyncio.sleep(0)
        return self._readings.pop(0) if self._readings else None


async def drain(stream):
    """All readings of ``stream`` up to its end."""
    found = []
    while True:
        reading = await stream.read()
        if reading is None:
            continue
        found.append(reading)
    return found


async def average(stream):
    """The mean of the readings; None where there is none."""
    found = await drain(stream)
    return sum(found) / len(found) if found else None


def averages(streams):
    """The means of several streams, drained at the same time."""

    async def run():
        return await asyncio.gather(*(average(stream) for stream in streams))

    return asyncio.run(run())

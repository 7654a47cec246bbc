"""Lets a limited number of coroutines through at a time."""

import asyncio


class Closed(Exception):
    pass


class Gate:
    def __init__(self, places):
        self._places = asyncio.Semaphore(places)
        self.inside = 0
        self.closed = False

    async def run(self, work, *args):
        if self.closed:
            raise Closed
        await self._places.acquire()
        self.inside += 1
        try:
            return await work(*args)
        finally:
            self.inside -= 1
            self._places.release()

    def close(self):
        self.closed = True

"""A limited number of workers that empty a queue."""

import asyncio


class Pool:
    def __init__(self, work, workers=2):
        self._work = work
        self._workers = workers
        self._queue = None
        self._tasks = []
        self.results = {}
        self.errors = {}

    async def __aenter__(self):
        self._queue = asyncio.Queue()
        self._tasks = [asyncio.create_task(self._run()) for _ in range(self._workers)]
        return self

    async def __aexit__(self, *exc):
        await self._queue.join()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def submit(self, item):
        self._queue.put_nowait(item)

    async def _run(self):
        while True:
            item = await self._queue.get()
            try:
                self.results[item] = self._work(item)
            except Exception as error:
                self.errors[item] = error
            finally:
                self._queue.task_done()

"""The most urgent job first; equally urgent ones in the order of their arrival."""

import heapq
import itertools


class JobQueue:
    def __init__(self):
        self._heap = []
        self._arrivals = itertools.count()

    def __len__(self):
        return len(self._heap)

    def push(self, job):
        heapq.heappush(self._heap, (-job.urgency, next(self._arrivals), job))

    def pop(self):
        if not self._heap:
            raise LookupError("no job is waiting")
        return heapq.heappop(self._heap)[-1]

    def drain(self, tag=None):
        """All jobs, or those with the tag; the others stay."""
        taken, kept = [], []
        while self._heap:
            job = self.pop()
            (taken if tag is None or tag in job.tags else kept).append(job)
        for job in kept:
            self.push(job)
        return taken

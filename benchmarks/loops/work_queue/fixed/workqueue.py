"""Work off jobs, which may bring further jobs."""

from collections import deque


class Board:
    """Jobs that wait, and jobs that are done."""

    def __init__(self, needs):
        self.needs = needs
        self.waiting = deque()
        self.done = []

    def add(self, job):
        """Queue ``job`` unless it waits already or is done."""
        if job not in self.waiting and job not in self.done:
            self.waiting.append(job)

    def work(self):
        """Work until nothing waits; the jobs in the order in which they were done."""
        while self.waiting:
            job = self.waiting.popleft()
            self.done.append(job)
            for follower in self.needs.get(job, ()):
                self.add(follower)
        return self.done


def order(needs, *first):
    """The order in which the jobs are done that ``first`` bring with them."""
    board = Board(needs)
    for job in first:
        board.add(job)
    return board.work()

import pytest

from jobs.model import Job
from jobs.queue import JobQueue


def names(jobs):
    return [job.name for job in jobs]


def test_most_urgent_first():
    queue = JobQueue()
    queue.push(Job("sweep", 1))
    queue.push(Job("alarm", 9))
    assert queue.pop().name == "alarm"


def test_equal_urgency_keeps_the_order():
    queue = JobQueue()
    for name in ("first", "second", "third"):
        queue.push(Job(name, 4))
    assert names(queue.drain()) == ["first", "second", "third"]


def test_nothing_waiting():
    with pytest.raises(LookupError):
        JobQueue().pop()


def test_drain_by_tag():
    queue = JobQueue()
    queue.push(Job("a", 1, {"mail"}))
    queue.push(Job("b", 2))
    assert names(queue.drain("mail")) == ["a"]
    assert len(queue) == 1


def test_from_dict():
    job = Job.from_dict({"name": "x", "urgency": "3", "tags": ["mail"]})
    assert (job.urgency, job.tags) == (3, {"mail"})

from jobs.model import Job
from jobs.queue import JobQueue


def test_arrival_order_not_name_order():
    queue = JobQueue()
    for raw in (
        {"name": "z", "urgency": 2},
        {"name": "a", "urgency": 2},
        {"name": "m", "urgency": 5},
        {"name": "b"},
    ):
        queue.push(Job.from_dict(raw))
    assert [queue.pop().name for _ in range(4)] == ["m", "z", "a", "b"]


def test_kept_jobs_stay_in_order():
    queue = JobQueue()
    for name, tags in (("c", set()), ("b", {"t"}), ("a", set())):
        queue.push(Job(name, 0, tags))
    queue.drain("t")
    assert [job.name for job in queue.drain()] == ["c", "a"]

"""What a failure itself runs is little suspect."""

from bot.domain import Suspicion
from bot.search.after_failure import weakened
from sandbox.reports import TestResult, TestStatus

SOURCE = """\
class FullError(ValueError):
    def __init__(self, room):
        super().__init__(f"{room} is full")


class Room:
    def __init__(self, size):
        self.size = size

    def __repr__(self):
        return f"Room({self.size})"


def enter(room):
    return room
"""
FAILING = (TestResult(test="test_m.py::test_one", status=TestStatus.FAILED, seconds=0.0),)


def weak(tests):
    found = tuple(Suspicion(path="m.py", line=line, score=1.0 - line / 100) for line in (3, 8, 11, 15))
    after = weakened(found, {"m.py": SOURCE, "test_m.py": tests}, FAILING)
    return [one.line for one in after]


def test_what_shows_values_and_makes_errors_comes_last():
    assert weak("def test_one(): assert enter(Room(1)) is None") == [8, 15, 3, 11]


def test_what_a_test_asks_for_stays_where_it_is():
    assert weak("def test_one(): assert repr(Room(1)) == 'Room 1'") == [8, 11, 15, 3]


def test_what_cannot_be_read_is_left_alone():
    suspicions = (Suspicion(path="m.py", line=1, score=1.0),)
    assert weakened(suspicions, {"m.py": "def f(:"}, FAILING) == suspicions
    assert weakened(suspicions, {}, FAILING) == suspicions

"""What is loaded ahead is used where it will do, and costs nothing where it will not."""

import pytest

from sandbox.runner.loading import Ahead, Loading
from sandbox.runner.zygote import ZygoteLost

FILES = {"test_a.py"}
READY = {"direct": {}, "path": []}
PASSED = {"problem": "", "results": [{"id": "test_a.py::test", "status": "passed"}]}
CRASHED = {"problem": "", "results": [{"id": "test_a.py::test", "status": "crashed"}]}


class FakeZygote:
    """Says ``answer`` when it is loaded, or is lost where that is None."""

    def __init__(self, answer):
        self._answer, self.asked, self.closed = answer, 0, False

    def receive(self, _heartbeat):
        self.asked += 1
        if self._answer is None:
            raise ZygoteLost("it ended")
        return self._answer

    def close(self):
        self.closed = True


class Starts:
    """Makes zygotes, whose answers are taken in turn, and keeps them."""

    def __init__(self, *answers):
        self._answers, self.made = list(answers), []

    def __call__(self, entry, settings):
        assert (entry, settings) == ("project_zygote", {"files": sorted(FILES)})
        answer = self._answers.pop(0)
        if isinstance(answer, OSError):
            raise answer
        self.made.append(FakeZygote(answer))
        return self.made[-1]


def beside(ahead, *reports):
    """The report of a run that gives ``reports`` in turn, and how often it was asked for."""
    left = list(reports)
    report = ahead.beside(lambda: left.pop(0), {}, FILES, lambda: None)
    return report, len(reports) - len(left)


def test_what_was_loaded_beside_a_run_is_taken_once():
    start = Starts(READY, READY)
    ahead = Ahead(start)
    assert beside(ahead, PASSED) == (PASSED, 1)
    assert start.made[0].asked == 1, "the run's end waits for it: files are put back then"
    taken = ahead.taken(FILES)
    assert taken.project is start.made[0]
    assert taken.ready(lambda: None) == READY
    assert start.made[0].asked == 1
    assert ahead.taken(FILES).project is start.made[1]
    assert not any(one.closed for one in start.made)


@pytest.mark.parametrize("answer", [None, {"problem": "the tests could not be collected"}])
def test_what_the_run_was_in_the_way_of_is_loaded_anew(answer):
    start = Starts(answer, READY)
    ahead = Ahead(start)
    assert beside(ahead, PASSED) == (PASSED, 1)
    assert start.made[0].closed
    assert ahead.taken(FILES).project is start.made[1]


@pytest.mark.parametrize("report", [CRASHED, {**PASSED, "problem": "the run was lost"}])
def test_a_run_that_it_may_have_been_in_the_way_of_is_asked_for_again(report):
    start = Starts(READY)
    assert beside(Ahead(start), report, PASSED) == (PASSED, 2)
    assert start.made[0].closed


def test_where_it_cannot_start_the_run_is_as_ever():
    assert beside(Ahead(Starts(OSError(11, "no process is left"))), PASSED) == (PASSED, 1)


def test_it_does_not_outlive_a_run_that_fails():
    start = Starts(READY)
    with pytest.raises(TimeoutError):
        Ahead(start).beside(lambda: (_ for _ in ()).throw(TimeoutError), {}, FILES, lambda: None)
    assert start.made[0].closed


def test_what_was_loaded_for_other_files_is_not_taken():
    start, other = Starts(READY), Loading({"test_b.py"}, lambda *_: FakeZygote(READY))
    ahead = Ahead(start)
    ahead._begun = other
    assert ahead.taken(FILES).project is start.made[0]
    assert other.project.closed

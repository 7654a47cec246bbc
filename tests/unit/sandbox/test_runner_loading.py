"""Zygotes that were begun ahead are used where they will do, and cost nothing where they will not."""

import pytest

from sandbox.runner.loading import Loading, loaded
from sandbox.runner.zygote import ZygoteLost

FILES = {"test_a.py"}
READY = {"direct": {}, "path": []}


class FakeZygote:
    """Says ``answer`` once it is asked, or is lost where that is None."""

    def __init__(self, entry, answer, at_once):
        self.entry, self._answer, self.delivered, self.closed = entry, answer, at_once, False

    def deliver(self):
        self.delivered = True

    def receive(self, _heartbeat):
        if self._answer is None:
            raise ZygoteLost("it ended")
        return self._answer

    def close(self):
        self.closed = True


class Starts:
    """Makes zygotes, whose answers are taken in turn, and keeps them."""

    def __init__(self, *answers):
        self._answers, self.made = list(answers), []

    def __call__(self, entry, settings, at_once=True):
        answer = self._answers.pop(0) if entry == "project_zygote" else {}
        assert settings == ({"files": sorted(FILES)} if entry == "project_zygote" else {})
        self.made.append(FakeZygote(entry, answer, at_once))
        return self.made[-1]


def asked(begun, start, **more):
    return loaded(begun, FILES, start, heartbeat=lambda: None, **{"light": True, **more})


def test_what_was_begun_is_taken_and_the_light_one_gets_its_work_then():
    start = Starts(READY)
    begun = Loading(FILES, start, light=True, at_once=False)
    assert [one.delivered for one in start.made] == [True, False]
    loading, ready = asked(begun, start)
    assert (loading, ready) == (begun, READY)
    assert [one.delivered for one in start.made] == [True, True]
    assert not any(one.closed for one in start.made)


@pytest.mark.parametrize("answer", [None, {"problem": "the tests could not be collected"}])
def test_what_was_disturbed_is_begun_anew(answer):
    start = Starts(answer, READY)
    begun = Loading(FILES, start, light=True, at_once=False)
    loading, ready = asked(begun, start)
    assert loading is not begun
    assert ready == READY
    assert [one.closed for one in start.made] == [True, True, False, False]


def test_what_was_begun_for_other_files_or_with_a_light_one_in_vain_is_not_taken():
    for files, light in [({"test_b.py"}, True), (FILES, False)]:
        start = Starts(READY)
        begun = Loading(FILES, Starts(READY), light=True, at_once=False)
        begun.files = files
        loading, ready = asked(begun, start, light=light)
        assert ready == READY
        assert begun.project.closed
        assert begun.light.closed
        assert [one.entry for one in start.made] == ["project_zygote", "direct_zygote"][: 1 + light]
        assert loading.light is (start.made[1] if light else None)


def test_where_it_is_lost_again_nothing_stays_behind():
    start = Starts(None)
    with pytest.raises(ZygoteLost):
        asked(None, start)
    assert all(one.closed for one in start.made)

"""What the runs of tests begin with is started once, and what was copied for later is given away once."""

from typing import ClassVar

import pytest

from sandbox.runner import started
from sandbox.runner.zygote import ZygoteLost

READY = {"pytest": "9.0"}


class FakeZygote:
    """Answers that it is ready; ``made`` lists all that were started."""

    made: ClassVar[list["FakeZygote"]] = []

    def __init__(self, _payload, entry, settings, parent=None):
        self.entry, self.settings, self.parent, self.alive = entry, settings, parent, True
        self.closed = False
        self.made.append(self)

    def receive(self, _heartbeat):
        return READY

    def close(self):
        self.alive, self.closed = False, True


@pytest.fixture
def zygotes(monkeypatch):
    monkeypatch.setattr(FakeZygote, "made", [])
    monkeypatch.setattr(started, "Zygote", FakeZygote)
    return started.Started({}, {})


def load(zygotes):
    return zygotes.load_pytest(lambda: None)


def test_pytest_begins_to_load_before_anyone_asks_and_is_loaded_once(zygotes):
    assert [one.entry for one in FakeZygote.made] == ["pytest_zygote"]
    assert load(zygotes) == READY
    pytests, light = FakeZygote.made
    assert (light.entry, light.parent) == ("direct_zygote", pytests)
    assert zygotes.pytest() is pytests


def test_the_copy_without_pytest_is_given_away_once(zygotes):
    load(zygotes)
    _, light = FakeZygote.made
    assert zygotes.start("direct_zygote", {}) is light
    further = zygotes.start("direct_zygote", {})
    assert further is not light
    assert further.parent is None


def test_a_copy_that_a_test_has_ended_is_not_given_away(zygotes):
    load(zygotes)
    _, light = FakeZygote.made
    light.alive = False
    assert zygotes.start("direct_zygote", {}) is not light


def test_those_that_ended_are_let_go_of(zygotes):
    load(zygotes)
    pytests, light = FakeZygote.made
    light.alive = False
    zygotes.tidy()
    assert (pytests.closed, light.closed) == (False, True)
    assert zygotes.pytest() is pytests


def test_the_project_is_loaded_by_a_copy_of_what_has_pytest_where_that_lives(zygotes):
    load(zygotes)
    assert zygotes.start("project_zygote", {}).parent is zygotes.pytest()
    zygotes.pytest().close()
    assert zygotes.pytest() is None
    assert zygotes.start("project_zygote", {}).parent is None


def test_pytest_is_loaded_anew_when_it_was_lost_and_all_are_ended_at_the_end(zygotes):
    load(zygotes)
    zygotes.pytest().close()
    load(zygotes)
    empty = zygotes.empty(lambda: None)
    assert zygotes.empty(lambda: None) is empty
    assert [one.entry for one in FakeZygote.made if one.alive] == [
        *("pytest_zygote", "direct_zygote", "empty_zygote")
    ]
    zygotes.close()
    assert not any(one.alive for one in FakeZygote.made)


@pytest.mark.parametrize("error", [ZygoteLost("it made none"), OSError(24, "too many open files")])
def test_where_no_copy_can_be_made_pytest_is_loaded_without_one(zygotes, monkeypatch, error):
    class Alone(FakeZygote):
        def __init__(self, payload, entry, settings, parent=None):
            if parent is not None:
                parent.close()
                raise error
            super().__init__(payload, entry, settings)

    monkeypatch.setattr(started, "Zygote", Alone)
    assert load(zygotes) == READY
    first, pytests = FakeZygote.made
    assert zygotes.pytest() is pytests
    assert (first.alive, first.settings, pytests.settings) == (False, {}, {"alone": True})
    assert zygotes.start("direct_zygote", {}).parent is None

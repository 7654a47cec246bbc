"""Which failed jobs are tried, for how long, and what is reported of them."""

from dataclasses import replace
from types import SimpleNamespace

import log_support
import pytest
from delivery_cases import AFTER, BEFORE, PATH, result, vain

from bot import compose
from bot.action.attempts import LEAST_SHARE, MAX_NAMED, MAX_TRIED, first_patch
from bot.action.version import Version
from bot.config.sources import load
from bot.errors import ConfigurationError, DeliveryError, NoTestsFound
from bot.result import Outcome
from bot.triage import CauseKind
from sandbox.errors import EnvironmentBuildFailed, SandboxUnavailable
from sandbox.snapshot import Entry, Snapshot

HEAD = Version(snapshot=Snapshot(entries=(Entry(path=PATH, data=BEFORE),)), as_of="2023-01-01T00:00:00Z")
MERGE = Version(
    snapshot=Snapshot(entries=(Entry(path=PATH, data=BEFORE), Entry(path="rates.py", data=b"1\n"))),
    frozen=("rates.py",),
    note="the tests ran on the merge with the base `main`, as CI does",
)


def log(name, *, kind=CauseKind.CODE, tests=None):
    return log_support.log(name, kind, (f"t.py::{name}",) if tests is None else tests)


def patched(**changes):
    return result(seconds=20.0, **changes)


def without(outcome, **changes):
    return vain(outcome, f"it is {outcome.value}", **{"seconds": 20.0, "attempts": 0, **changes})


NOT_REPRODUCED, FLAKY, NOT_CODE, NO_PATCH, BUDGET = (
    without(outcome)
    for outcome in (
        *(Outcome.NOT_REPRODUCED, Outcome.FLAKY, Outcome.NOT_CODE),
        *(Outcome.NO_PATCH, Outcome.BUDGET_EXHAUSTED),
    )
)
NO_ENVIRONMENT = EnvironmentBuildFailed("libfoo cannot be installed")


class Tried(list):
    """The calls of ``compose.fix``, which come to what is planned."""

    def stage(self, name, detail=""):
        """Nobody listens."""


@pytest.fixture
def attempt(monkeypatch, tmp_path):
    """Tries logs whose repairs come to the given results; gives the attempt with the calls."""

    def run(logs, results, *, version=HEAD, budget=300.0):
        tried, planned = Tried(), iter(results)

        def fix(settings, _progress, *, snapshot, origin):
            tried.append(SimpleNamespace(settings=settings, snapshot=snapshot, origin=origin))
            found = next(planned)
            if isinstance(found, Exception):
                raise found
            return compose.Repaired(result=found, snapshot=snapshot)

        monkeypatch.setattr("bot.action.attempts.compose.fix", fix)
        versions = SimpleNamespace(
            subject=SimpleNamespace(said=("Say what a price is",)),
            head=HEAD,
            tested_by=lambda log: version if log else HEAD,
            asked=False,
            earlier=None,
            accepted=(),
        )
        settings = replace(load({"project": tmp_path}, {}), time_budget=budget)
        found = None
        try:
            found = first_patch(logs, versions, settings, tried, diff="the diff")
        finally:
            run.tried = tried
        return found

    return run


def names(tried):
    return [one.origin.job for one in tried]


@pytest.mark.parametrize("first", [NOT_REPRODUCED, FLAKY, NOT_CODE, NO_ENVIRONMENT, NoTestsFound("none")])
def test_the_next_job_is_tried_where_one_shows_nothing(attempt, first):
    found = attempt([log("a"), log("b"), log("c")], [first, patched()])
    assert names(attempt.tried) == ["a", "b"]
    assert (found.result.outcome, found.log.job.name) == (Outcome.PATCHED, "b")


@pytest.mark.parametrize("first", [patched(), NO_PATCH, BUDGET])
def test_a_failure_that_shows_here_is_the_answer(attempt, first):
    found = attempt([log("a"), log("b")], [first])
    assert names(attempt.tried) == ["a"]
    assert found.result.outcome is first.outcome


def test_what_ends_every_repair_ends_this_one(attempt):
    for error in (SandboxUnavailable("no engine"), ConfigurationError("no Python")):
        with pytest.raises(type(error)):
            attempt([log("a"), log("b")], [error])
        assert names(attempt.tried) == ["a"]


def test_no_more_than_so_many_jobs_are_tried(attempt):
    logs = [log(name) for name in "abcdef"]
    attempt(logs, [NOT_REPRODUCED] * len(logs))
    assert names(attempt.tried) == list("abcdef")[:MAX_TRIED]


def test_a_job_with_the_same_failing_tests_is_not_tried_again(attempt):
    logs = [log("3.13", tests=("t.py::x",)), log("3.12", tests=("t.py::x",)), log("other")]
    found = attempt(logs, [NOT_REPRODUCED, NOT_REPRODUCED])
    assert names(attempt.tried) == ["3.13", "other"]
    assert "`3.12`: the same tests as `3.13`" in found.shown.reason


def test_all_share_one_time_budget(attempt):
    found = attempt([log("a"), log("b"), log("c")], [NOT_REPRODUCED, FLAKY, patched(attempts=7)])
    assert [one.settings.time_budget for one in attempt.tried] == [300.0, 280.0, 260.0]
    assert (found.result.seconds, found.result.attempts) == (60.0, 7)


def test_with_next_to_nothing_left_no_further_job_is_tried(attempt):
    slow = replace(NOT_REPRODUCED, seconds=300.0 * (1 - LEAST_SHARE) + 1)
    found = attempt([log("a"), log("b")], [slow])
    assert names(attempt.tried) == ["a"]
    assert "`b`: not tried" in found.shown.reason


@pytest.mark.parametrize(
    ("results", "most_useful"),
    [
        ([NOT_CODE, NOT_REPRODUCED, FLAKY], "c"),
        ([NOT_REPRODUCED, NO_ENVIRONMENT, NOT_CODE], "a"),
        ([NO_ENVIRONMENT, NOT_CODE, NOT_REPRODUCED], "c"),
        ([FLAKY, NOT_REPRODUCED, BUDGET], "c"),
        ([NOT_CODE, NOT_CODE, NOT_CODE], "a"),
        ([FLAKY, FLAKY, NO_PATCH], "c"),
    ],
)
def test_the_most_useful_answer_is_shown(attempt, results, most_useful):
    assert attempt([log("a"), log("b"), log("c")], results).log.job.name == most_useful


def test_the_reason_names_the_job_and_what_came_of_the_others(attempt):
    logs = [log("a"), log("b"), log("c"), log("d"), log("lint", kind=CauseKind.LINT, tests=())]
    found = attempt(logs, [NO_ENVIRONMENT, NOT_REPRODUCED, patched()])
    others = (
        "other failed jobs: `a`: its tests cannot be run here, `b`: not reproduced, `d`: not tried, "
        "`lint`: `lint/network`"
    )
    assert found.shown.reason == f"verified (the job `c`); {others}"
    assert found.notes == (others,)


def test_of_many_other_jobs_some_are_named(attempt):
    logs = [log(f"job {number}") for number in range(MAX_NAMED + 4)]
    reason = attempt(logs, [patched()]).shown.reason
    assert reason.count("not tried") == MAX_NAMED
    assert reason.endswith(", 3 more")


def test_where_nothing_can_be_run_the_first_error_is_told(attempt):
    with pytest.raises(EnvironmentBuildFailed, match="libfoo"):
        attempt([log("a"), log("b")], [NO_ENVIRONMENT, EnvironmentBuildFailed("libbar")])


def test_what_is_not_for_a_repair_is_asked_about_once_where_nothing_else_is(attempt):
    logs = [log("net", kind=CauseKind.INFRASTRUCTURE, tests=()), log("lint", kind=CauseKind.LINT, tests=())]
    found = attempt(logs, [NOT_CODE])
    assert names(attempt.tried) == ["net"]
    assert found.shown.reason.endswith("(the job `net`); other failed jobs: `lint`: `lint/network`")


def test_without_any_log_every_failing_test_is_repaired(attempt):
    found = attempt([], [patched()])
    (one,) = attempt.tried
    assert (one.origin.job, one.origin.as_of, one.origin.log) == ("", HEAD.as_of, None)
    assert (found.log, found.shown.reason) == (None, "verified")


def test_a_repair_knows_its_job_its_files_and_what_it_may_not_touch(attempt):
    found = attempt([log("a")], [patched()], version=MERGE)
    (one,) = attempt.tried
    assert one.snapshot is MERGE.snapshot
    assert (one.origin.frozen, one.origin.diff) == (("rates.py",), "the diff")
    assert one.origin.log is found.log.answer.reading
    assert found.notes == (MERGE.note,)


@pytest.mark.parametrize(("version", "notes"), [(HEAD, ()), (MERGE, (MERGE.note,))])
def test_what_one_job_does_not_reproduce_is_tried_nowhere_else_and_said(attempt, version, notes):
    found = attempt([log("a")], [NOT_REPRODUCED], version=version)
    assert names(attempt.tried) == ["a"]
    assert found.shown.reason == "; ".join(["it is not_reproduced (the job `a`)", *notes])
    assert found.notes == notes


def test_a_patch_to_files_that_the_head_has_otherwise_is_never_handed_over(attempt):
    other = replace(MERGE, snapshot=Snapshot(entries=(Entry(path=PATH, data=AFTER),)))
    with pytest.raises(DeliveryError, match="other files than the head's"):
        attempt([log("a")], [patched()], version=other)

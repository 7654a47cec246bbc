"""What a defect in one part costs: that part. What is caught, what is not, and how it is said."""

import dataclasses
import json
import re
import sys
from types import SimpleNamespace

import pytest
from delivery_cases import PULL, artifact, state

from bot.cilog import read_log
from bot.cilog.pytest_sessions.parser import PytestParser
from bot.cilog.tracebacks.traceback_log import TracebackParser
from bot.delivery import json_report, render
from bot.delivery.sticky import read_artifact, read_state
from bot.domain import Suspicion
from bot.errors import ConfigurationError
from bot.internal_errors import InternalError, collected, each, guarded
from bot.patch.replies.parse import parse_reply
from bot.result import Outcome, RepairResult
from bot.search.candidates import candidates
from bot.search.operators import OPERATORS
from bot.search.stream import Stream
from bot.search.templates import from_templates, stream
from bot.search.templates.template import Template
from bot.triage import CauseKind, failing_tests
from bot.triage.weigh import triage
from sandbox.ci import job_choice as ci_choice
from sandbox.ci.job_choice import choose_job
from sandbox.ci.tools import tox
from sandbox.environment.plans import candidate_plans as plans
from sandbox.environment.plans import draft
from sandbox.environment.plans.candidate_plans import candidate_plans
from sandbox.errors import SandboxLost
from sandbox.internal_errors import MAX_KEPT, STRICT
from sandbox.reports import Frame, TestResult, TestStatus
from sandbox.snapshot import Entry, Snapshot

FILES = {"shop.py": "def total(a, b):\n    return a - b\n"}
SUSPICIONS = [Suspicion(path="shop.py", line=2, score=1.0)]


def broken(*_given, **_named):
    raise LookupError("a defect\nof ours")


def breaks_after(items):
    """A generator that gives ``items`` and raises then."""

    def generator(*_given, **_named):
        yield from items
        broken()

    return generator


def broken_once(usual):
    calls = iter([broken])

    def call(*given, **named):
        return next(calls, usual)(*given, **named)

    return call


def snapshot(**files):
    return Snapshot(entries=tuple(Entry(path=path, data=text) for path, text in sorted(files.items())))


def test_a_defect_is_counted_and_says_where_it_is(outlived):
    for _ in range(3):
        with guarded("the part"):
            raise ValueError("no such outcome")
    (found,) = outlived.found
    assert (found.part, found.exception, found.times) == ("the part", "ValueError", 3)
    assert "no such outcome" in found.message
    assert found.place.endswith("in test_a_defect_is_counted_and_says_where_it_is")


def test_the_place_is_the_innermost_of_our_own(outlived):
    with guarded("the part"):
        json_report.plain_data(SimpleNamespace(outcome=None))
    assert outlived.found[0].place.startswith("bot/delivery/json_report.py:")


def test_what_is_kept_is_bounded_and_on_one_line(outlived):
    for number in range(MAX_KEPT + 5):
        with guarded(f"part {number}"):
            raise ValueError("x\x1b[1m\ny" * 1000)
    assert len(outlived.found) == MAX_KEPT
    assert all(len(str(found)) < 500 and str(found).isprintable() for found in outlived.found)


@pytest.mark.parametrize(
    "error", [ConfigurationError("x"), SandboxLost("x"), MemoryError(), KeyboardInterrupt(), SystemExit()]
)
def test_what_is_meant_for_the_user_is_never_caught(error, outlived):
    with pytest.raises(type(error)), guarded("the part"):
        raise error
    assert outlived.found == ()


def test_what_came_before_a_defect_is_kept(outlived):
    assert list(each("the part", breaks_after([1, 2]))) == [1, 2]
    assert [found.exception for found in outlived.found] == ["LookupError"]


def test_where_it_is_asked_for_nothing_is_caught(monkeypatch, outlived):
    monkeypatch.setenv(STRICT, "1")
    with pytest.raises(LookupError), guarded("the part"):
        broken()


def test_a_run_has_its_own_defects(outlived):
    with collected() as first, guarded("first"):
        broken()
    with collected() as second, guarded("second"):
        broken()
    assert [[found.part for found in run.found] for run in (first, second)] == [["first"], ["second"]]
    assert len(outlived.found) == 2


def of(defects):
    return [found.part for found in defects.found]


def test_a_rule_that_raises_costs_its_own_fixes(monkeypatch, outlived):
    frame = Frame(path="shop.py", line=6, function="twice")
    failure = TestResult(
        test="test_shop.py::test_total",
        status=TestStatus.FAILED,
        exception="NameError",
        message="name 'totl' is not defined",
        frames=(frame,),
    )
    files = {"shop.py": "def total(a):\n    return a\n\n\ndef twice(a):\n    return totl(a)\n"}
    usual = {candidate.patch for candidate in from_templates(files, [failure])}
    anything = Template("broken", "", re.compile(""), breaks_after([]))
    monkeypatch.setattr(stream, "TEMPLATES", (anything, *stream.TEMPLATES))
    monkeypatch.setattr(stream, "syntax_fixes", broken)
    assert usual
    assert {candidate.patch for candidate in from_templates(files, [failure])} == usual
    assert of(outlived) == ["the fix template 'syntax'", "the fix template 'broken'"]


def test_an_operator_that_raises_costs_what_it_did_not_give(monkeypatch, outlived):
    usual = list(candidates(FILES, SUSPICIONS))
    name = usual[0].origin
    changed = [one._replace(mutations=breaks_after([])) if one.name == name else one for one in OPERATORS]
    monkeypatch.setattr(sys.modules["bot.search.candidates"], "OPERATORS", changed)
    found = list(candidates(FILES, SUSPICIONS))
    assert {candidate.origin for candidate in usual} - {name} <= {candidate.origin for candidate in found}
    assert of(outlived) == [f"the operator '{name}'"]


def test_the_search_goes_on_where_the_templates_or_the_hints_raise(monkeypatch, outlived):
    module = sys.modules["bot.search.candidates"]  # the package has a function of that name
    monkeypatch.setattr(module, "from_templates", broken)
    monkeypatch.setattr(module, "boosts", broken)
    assert Stream(FILES, SUSPICIONS).draw()
    assert of(outlived) == ["the failures' hints", "the fix templates"]


def test_a_candidate_that_cannot_be_applied_is_none(monkeypatch, outlived):
    first = Stream(FILES, SUSPICIONS).draw()
    monkeypatch.setattr(Stream, "_is_new", broken_once(Stream._is_new))
    second = Stream(FILES, SUSPICIONS).draw()
    assert second is not None
    assert second.patch != first.patch
    assert of(outlived) == ["the search's stream"]


LOG = """\
=================================== FAILURES ===================================
______________________________ test_{name} ______________________________

    def test_{name}():
>       assert 1 == 2
E       assert 1 == 2

test_m.py:2: AssertionError
=========================== short test summary info ============================
FAILED test_m.py::test_{name} - assert 1 == 2
============================== 1 failed in 0.01s ===============================
"""
HEAD = "============================= test session starts ==============================\n"


def read(text):
    return read_log([text.encode()])


def test_a_parser_that_raises_costs_its_own_reports(monkeypatch, outlived):
    monkeypatch.setattr(TracebackParser, "take", broken)
    monkeypatch.setattr(TracebackParser, "end", broken)
    noise = 'Traceback (most recent call last):\n  File "a.py", line 1, in f\nValueError: x\n'
    reading = read(noise * 3 + HEAD + LOG.format(name="a") + noise)
    assert [failure.test for failure in reading.failures] == ["test_m.py::test_a"]
    assert of(outlived) == ["the log's parsers", "the log's TracebackParser"]


def test_a_log_is_read_on_behind_the_line_that_a_parser_raised_at(monkeypatch, outlived):
    monkeypatch.setattr(PytestParser, "take", broken_once(PytestParser.take))
    reading = read(HEAD + LOG.format(name="a") + HEAD + LOG.format(name="b"))
    assert "test_m.py::test_b" in [failure.test for failure in reading.failures]
    assert of(outlived) == ["the log's parsers"]


def test_triage_without_the_causes_of_failing_tests_leaves_it_to_a_run(monkeypatch, outlived):
    monkeypatch.setattr(failing_tests, "judge", broken)
    verdict = triage(read(HEAD + LOG.format(name="a")))
    assert (verdict.kind, verdict.tests) == (CauseKind.CODE, ("test_m.py::test_a",))
    assert of(outlived) == ["triage by the failing tests"]


WORKFLOW = b"on: push\njobs:\n  test:\n    runs-on: ubuntu-latest\n    steps:\n      - run: pytest\n"
PROJECT = b'[project]\nname = "demo"\ndependencies = ["six"]\n'


def test_a_reader_of_declarations_that_raises_costs_its_own(monkeypatch, outlived):
    monkeypatch.setattr(draft, "read_setup_cfg", broken)
    monkeypatch.setattr(tox, "pythons", broken)
    (plan,) = candidate_plans(snapshot(**{"pyproject.toml": PROJECT}), available=["3.12"]).plans
    assert plan.wanted == ("six", "pytest")
    assert set(of(outlived)) == {"the reading of the project's declarations"}


@pytest.mark.parametrize("name", ["plan_for_job", "choose_job"])
def test_without_the_ci_there_are_the_declarations(name, monkeypatch, outlived):
    monkeypatch.setattr(
        plans if name == "plan_for_job" else ci_choice, name.replace("choose_job", "_chosen"), broken
    )
    files = {"pyproject.toml": PROJECT, ".github/workflows/ci.yml": WORKFLOW}
    found = candidate_plans(snapshot(**files), available=["3.12"])
    assert found.plans[-1].wanted == ("six", "pytest")
    assert len(outlived.found) == 1


def test_a_workflow_file_whose_reading_raises_costs_itself(monkeypatch, outlived):
    monkeypatch.setattr(ci_choice, "commands_of", broken_once(ci_choice.commands_of))
    files = {".github/workflows/a.yml": WORKFLOW, ".github/workflows/b.yml": WORKFLOW}
    job = choose_job(files, available=["3.12"])
    assert job is not None
    assert job.job.file.endswith("b.yml")
    assert of(outlived) == ["the reading of a job of the CI"]


DEFECT = InternalError(
    part="the fix template 'x'", exception="KeyError", message="'y'", place="bot/x.py:1, in f"
)


def test_the_report_holds_the_defects_and_survives_its_own(monkeypatch, outlived):
    result = RepairResult(outcome=Outcome.NO_PATCH, reason="nothing", internal_errors=(DEFECT,))
    whole = json_report.plain_data(result)
    assert whole["internal_errors"] == [dataclasses.asdict(DEFECT)]
    monkeypatch.setattr(json_report, "_usage", broken)
    least = json.loads(json.dumps(json_report.plain_data(result)))
    assert {"version", "outcome", "reason", "exit_status", "diff", "internal_errors"} <= set(least)
    assert of(outlived) == ["the JSON report"]


def test_a_shape_of_a_reply_whose_reading_raises_is_passed_over(monkeypatch, outlived):
    monkeypatch.setattr("bot.patch.replies.parse._json", broken)
    reply = "```python\ndef total(a, b):\n    return a + b\n```"
    assert parse_reply(reply, FILES).shape == "code"
    assert set(of(outlived)) == {"the reading of a reply"}


def test_a_comment_whose_template_raises_can_still_be_found_and_applied(monkeypatch, outlived):
    found, known = artifact(), state()
    monkeypatch.setattr(render, "_environment", broken)
    shown = render.comment(found, known, pull=PULL, diff="--- a\n+++ b\n")
    assert read_state(shown) == known
    assert read_artifact(shown) == found
    assert "+++ b" in shown
    assert "because of an error in Regreen" in shown
    assert of(outlived) == ["the report's template comment"]

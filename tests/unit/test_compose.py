"""A repair with the environment and the command that were chosen: what goes into it, and what is resumed."""

import pytest
from ci_logs import failing_job
from fakes.environments import FakeEnvironments, FakeProvider, Sandboxes, plan, prepared
from fakes.progress import FakeProgress
from fakes.testbed import ScriptedTestbed

from bot import compose
from bot.config import sources
from bot.domain import Patch, SpanEdit
from bot.environments.versions.repository_root import from_repository_root
from bot.errors import ConfigurationError
from bot.result import Outcome, RepairResult
from sandbox.reports import TestReport, TestResult, TestStatus
from sandbox.snapshot import Entry, Snapshot

LOG = failing_job("pytest -q tests")
TEST = "tests/test_shop.py::test_total"
NO_PATCH = RepairResult(outcome=Outcome.NO_PATCH, reason="nothing helps")
CONFIG = {"configurable": {"thread_id": "repair", "checkpoint_ns": ""}}
COMMANDS = ("pytest tests", "")


def run_of(status):
    """A run of the one test, which ends with ``status``; None for a run without tests."""
    if status is None:
        return TestReport(results=(), complete=False, exit_status=4, seconds=0.0, problem="no such file")
    result = TestResult(test=TEST, status=status, seconds=0.0, exception="AssertionError")
    return TestReport(results=(result,), complete=True, exit_status=1, seconds=0.0)


FAILS, PASSES, NOTHING = run_of(TestStatus.FAILED), run_of(TestStatus.PASSED), run_of(None)


class Bench:
    """``compose.fix`` of a project with a log; ``reports`` are what a run by each command shows."""

    def __init__(self, directory, monkeypatch):
        self.project, self.log = directory / "project", directory / "job.log"
        (self.project / "tests").mkdir(parents=True)
        (self.project / "tests/test_shop.py").write_text("def test_total(): ...\n")
        self.log.write_text(LOG)
        self.state = directory / "state"
        self.reports = dict.fromkeys(COMMANDS, FAILS)
        self.sandboxes = Sandboxes(lambda _, text: ScriptedTestbed(self.reports[text]))
        self.environments, self.made, self.given = {}, {}, {}
        self.resumed, self.open_meanwhile = [], []

        def environments(*, provider, **given):
            self.made = given
            return FakeEnvironments(**self.environments, snapshot=given["snapshot"])

        def beds_of(_settings, _provider, environment, command, _progress):
            return self.sandboxes.of(environment, "pytest tests" if command.arguments else "")

        monkeypatch.setattr(compose, "with_sandbox", lambda *given: given[-1](FakeProvider()))
        monkeypatch.setattr(compose, "Environments", environments)
        monkeypatch.setattr(compose, "beds_of", beds_of)
        monkeypatch.setattr(compose, "repair", self._repair)

    def _repair(self, request, *, checkpointer, resume, **ports):
        from langgraph.checkpoint.base import empty_checkpoint

        self.given = {"request": request, **ports}
        self.resumed.append(resume)
        self.open_meanwhile.append(self.sandboxes.open)
        checkpointer.put(CONFIG, empty_checkpoint(), {"source": "input", "step": -1}, {})
        if isinstance(self.end, RepairResult):
            return self.end
        raise self.end

    def __call__(self, end=NO_PATCH, *, log=True, resume=False, origin=compose.NOTHING_KNOWN):
        self.end = end
        self.sandboxes.asked.clear()
        environment = {
            "XDG_STATE_HOME": str(self.state / "state"),
            "XDG_CACHE_HOME": str(self.state / "cache"),
        }
        options = {"project": self.project, "resume": resume, **({"log": self.log} if log else {})}
        settings = sources.load(options, environment)
        return compose.fix(settings, FakeProgress(), origin=origin).result

    @property
    def asked(self):
        """The commands by which tests were run to choose."""
        return [text for _, text in self.sandboxes.asked]


@pytest.fixture
def fix(tmp_path, monkeypatch):
    """A ``Bench`` whose environment has to be built."""
    bench = Bench(tmp_path, monkeypatch)
    bench.environments = {"plans": (plan("as in ci.yml"),)}
    return bench


@pytest.fixture
def fixed(tmp_path, monkeypatch):
    """A ``Bench`` whose environment is used as it is."""
    bench = Bench(tmp_path, monkeypatch)
    bench.environments = {"fixed": prepared("the host's")}
    return bench


def test_the_run_that_chose_is_the_repairs_first_and_its_sandbox_is_closed_at_the_end(fix):
    result = fix()
    assert (result.outcome, result.environment) == (Outcome.NO_PATCH, "as in ci.yml")
    assert (fix.asked, fix.open_meanwhile, fix.sandboxes.open) == (["pytest tests"], [1], 0)
    assert fix.given["first_run"] == FAILS
    assert fix.given["request"].tests == (TEST,)
    with fix.given["testbeds"].open() as testbed:
        assert testbed is fix.sandboxes.all[0].opened[0]


def test_what_the_logs_command_does_not_show_pytest_may(fix):
    fix.reports["pytest tests"] = PASSES
    fix()
    assert (fix.asked, fix.given["first_run"]) == (["pytest tests", ""], FAILS)
    assert fix.sandboxes.open == 0


@pytest.mark.parametrize("end", [KeyboardInterrupt(), OSError("the disk is full")])
def test_whatever_ends_a_repair_closes_the_sandbox(fix, end):
    with pytest.raises(type(end)):
        fix(end)
    assert (fix.open_meanwhile, fix.sandboxes.open) == ([1], 0)


@pytest.mark.parametrize("bench", ["fix", "fixed"])
@pytest.mark.parametrize("first", [FAILS, NOTHING])
def test_a_run_that_was_killed_goes_on_with_the_command_that_it_began_with(request, bench, first):
    fix = request.getfixturevalue(bench)
    fix.reports["pytest tests"] = first
    with pytest.raises(KeyboardInterrupt):
        fix(KeyboardInterrupt())
    assert fix(resume=True).outcome is Outcome.NO_PATCH
    assert fix.resumed == [False, True]
    assert fix.asked == [], "nothing is run again to choose"
    assert not list((fix.state / "state").rglob("*.sqlite"))


@pytest.mark.parametrize("bench", ["fix", "fixed"])
def test_where_nothing_was_begun_there_is_nothing_to_resume(request, bench):
    fix = request.getfixturevalue(bench)
    with pytest.raises(ConfigurationError, match="nothing to resume"):
        fix(resume=True)
    fix()
    with pytest.raises(ConfigurationError, match="nothing to resume"):
        fix(resume=True)
    assert fix.sandboxes.open == 0


def test_a_log_that_is_not_for_a_repair_opens_no_sandbox(fix):
    fix.log.write_text("##[error]No space left on device\n")
    assert fix().outcome is not Outcome.NO_PATCH
    assert (fix.asked, fix.resumed) == ([], [])


def test_what_the_caller_knows_of_the_origin_goes_where_it_belongs(fix):
    known = compose.VersionOrigin(
        diff="+a\n", job="tests (3.12)", as_of="2024-01-02T00:00:00Z", frozen=("api/**",)
    )
    fix(origin=known)
    assert (fix.made["record"].job, fix.made["as_of"]) == ("tests (3.12)", "2024-01-02T00:00:00Z")
    assert fix.given["request"].diff == "+a\n"
    assert "api/**" in fix.given["policy"].frozen


def test_without_a_log_plain_pytest_is_what_is_tried(fix):
    fix(log=False)
    assert (fix.asked, fix.given["request"].tests) == ([""], ())
    assert (fix.made["record"].installed, fix.made["as_of"]) == ({}, "")


def test_a_diff_names_files_from_the_top_of_the_work_tree_whatever_their_kind(tmp_path):
    (tmp_path / ".git").mkdir()
    snapshot = Snapshot(entries=(Entry(path="shop.pyi", data=b"x:int\n"),))
    patch = Patch(edits=(SpanEdit(path="shop.pyi", start=0, end=6, replacement="x: int\n"),))
    found = from_repository_root(
        RepairResult(outcome=Outcome.PATCHED, reason="verified", patch=patch), tmp_path / "shop", snapshot
    )
    assert "--- a/shop/shop.pyi\n+++ b/shop/shop.pyi\n" in found.diff

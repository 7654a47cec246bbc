"""A repair by a log's command, then by pytest itself: what is resumed is the trial that was killed."""

import pytest
from ci_logs import red_job

from bot import compose, config
from bot.console import ConsoleProgress
from bot.domain import Outcome, Patch, RepairResult, SpanEdit
from bot.errors import ConfigurationError
from sandbox.snapshot import Entry, Snapshot

LOG = red_job("pytest -q tests")
UNSEEN = RepairResult(outcome=Outcome.NOT_REPRODUCED, reason="no test fails")
NO_PATCH = RepairResult(outcome=Outcome.NO_PATCH, reason="nothing helps")
CONFIG = {"configurable": {"thread_id": "repair", "checkpoint_ns": ""}}


@pytest.fixture
def fix(tmp_path, monkeypatch):
    """``compose.fix`` of a project with a log; each trial ends as told, and one that is killed was saved."""
    project = tmp_path / "project"
    (project / "tests").mkdir(parents=True)
    (project / "tests/test_shop.py").write_text("def test_total(): ...\n")
    log = tmp_path / "job.log"
    log.write_text(LOG)

    def run(*ends, resume=False):
        from langgraph.checkpoint.base import empty_checkpoint
        from rich.console import Console

        waiting, seen = list(ends), []

        def repair(request, *, checkpointer, resume, **ports):
            seen.append(resume)
            checkpointer.put(CONFIG, empty_checkpoint(), {"source": "input", "step": -1}, {})
            end = waiting.pop(0)
            if isinstance(end, RepairResult):
                return end
            raise end

        monkeypatch.setattr(compose, "repair", repair)
        monkeypatch.setattr(compose, "testbeds", lambda *arguments: None)
        environment = {"XDG_STATE_HOME": str(tmp_path / "state")}
        settings = config.load({"project": project, "log": log, "resume": resume}, environment)
        result = compose.fix(settings, ConsoleProgress(Console(stderr=True), verbose=False)).result
        assert not waiting
        assert not list(settings.state_folder.glob("*.sqlite"))
        return result, seen

    return run


def test_what_the_logs_command_does_not_show_pytest_may(fix):
    assert fix(UNSEEN, NO_PATCH) == (NO_PATCH, [False, False])


def test_a_run_that_was_killed_in_its_second_trial_goes_on_there(fix):
    with pytest.raises(KeyboardInterrupt):
        fix(UNSEEN, KeyboardInterrupt())
    assert fix(NO_PATCH, resume=True) == (NO_PATCH, [True])


def test_the_trial_after_a_resumed_one_begins_anew(fix):
    with pytest.raises(KeyboardInterrupt):
        fix(KeyboardInterrupt())
    assert fix(UNSEEN, NO_PATCH, resume=True) == (NO_PATCH, [True, False])


def test_where_neither_was_begun_there_is_nothing_to_resume(fix):
    with pytest.raises(ConfigurationError, match="nothing to resume"):
        fix(resume=True)


def test_a_diff_names_files_from_the_top_of_the_work_tree_whatever_their_kind(tmp_path):
    (tmp_path / ".git").mkdir()
    snapshot = Snapshot(entries=(Entry(path="shop.pyi", data=b"x:int\n"),))
    patch = Patch(edits=(SpanEdit(path="shop.pyi", start=0, end=6, text="x: int\n"),))
    found = compose._from_repository_root(
        RepairResult(outcome=Outcome.PATCHED, reason="verified", patch=patch), tmp_path / "shop", snapshot
    )
    assert "--- a/shop/shop.pyi\n+++ b/shop/shop.pyi\n" in found.diff

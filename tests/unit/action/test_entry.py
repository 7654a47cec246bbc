"""The Action's rim: what it is started with, what it says, and with what status it ends."""

import io
import json
import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from fakes.github import Fault, serve

from bot.action import entry
from bot.config.action_settings import runner
from bot.errors import ConfigurationError
from sandbox import owner

TOKEN = "ghs_theTokenThatTheActionWritesWith0001"


@pytest.fixture
def place(tmp_path):
    """The environment of a run by hand, with nothing behind its address."""
    (tmp_path / "event.json").write_text(json.dumps({"sender": {"login": "dev"}}))
    return {
        "GITHUB_ACTOR": "dev",
        "GITHUB_API_URL": "http://127.0.0.1:9",
        "GITHUB_EVENT_NAME": "workflow_dispatch",
        "GITHUB_EVENT_PATH": str(tmp_path / "event.json"),
        "GITHUB_REPOSITORY": "octo/app",
        "GITHUB_RUN_ID": "5",
        "GITHUB_WORKSPACE": str(tmp_path),
        "INPUT_GITHUB-TOKEN": TOKEN,
    }


def run(environment):
    out = io.StringIO()
    return entry.run(environment, out), out.getvalue()


@pytest.mark.parametrize(
    "name",
    ["GITHUB_REPOSITORY", "GITHUB_EVENT_NAME", "GITHUB_EVENT_PATH", "GITHUB_WORKSPACE", "GITHUB_RUN_ID"],
)
def test_outside_of_a_workflow_it_says_what_is_missing(place, name):
    del place[name]
    status, said = run(place)
    assert status == 2
    assert f"::error title=Regreen::{name} is" in said


def test_every_wrong_input_is_told_in_a_line_of_its_own(place):
    wrong = {"INPUT_MODE": "both", "INPUT_RUN-ID": "many", "INPUT_DRAFT": "true"}
    status, said = run({**place, **wrong})
    assert status == 2
    lines = [line for line in said.splitlines() if line.startswith("::error")]
    assert len(lines) == 3
    assert all(any(name in line for line in lines) for name in ("INPUT_MODE", "INPUT_RUN-ID", "INPUT_DRAFT"))


def test_without_a_token_it_says_so(place):
    del place["INPUT_GITHUB-TOKEN"]
    status, said = run(place)
    assert status == 2
    assert "pass github-token" in said


def test_an_event_that_is_none_is_named(place, tmp_path):
    status, said = run({**place, "GITHUB_EVENT_NAME": "push"})
    assert (status, "the event 'push' is none" in said) == (2, True)
    (tmp_path / "event.json").write_text("{")
    status, said = run(place)
    assert (status, "is not JSON" in said) == (2, True)


def test_a_defect_of_ours_is_one_line_without_secrets(place, monkeypatch):
    def fail(*_arguments, **_options):
        raise RuntimeError(f"token {TOKEN}\n::set-output name=x::y")

    monkeypatch.setattr(entry, "connect", fail)
    status, said = run(place)
    assert status == entry.INTERNAL_ERROR
    assert "please report it" in said
    assert [line for line in said.splitlines() if TOKEN in line] == [f"::add-mask::{TOKEN}"]
    assert "Traceback" not in said
    assert "\n::set-output" not in said


def test_the_directory_of_a_killed_run_is_removed_by_the_next(place, tmp_path, monkeypatch):
    temporary, made = tmp_path / "tmp", []
    temporary.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))

    def end(_environment, directory, *_rest):
        made.append(directory)
        raise ConfigurationError("enough")

    monkeypatch.setattr(entry, "_run", end)
    assert run(place)[0] == 2
    own = owner.start_time(os.getpid())
    (temporary / made[0].name.replace(f".{own}-", ".1-")).mkdir()  # of a process that is gone
    assert run(place)[0] == 2
    assert list(temporary.iterdir()) == []


@pytest.mark.slow
def test_no_secret_is_left_where_a_program_that_is_started_would_inherit_it(place, tmp_path):
    """The real entry, in a process of its own, with a directory that would be imported without -I."""
    (tmp_path / "bot").mkdir()
    (tmp_path / "bot/__init__.py").write_text("raise SystemExit('imported from the workspace')")
    ran = subprocess.run(
        [sys.executable, "-I", "-m", "bot.action"],
        cwd=tmp_path,
        env={**place, "PATH": os.environ["PATH"]},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 2
    assert "pull-request, run-id and branch" in ran.stdout
    assert "imported" not in ran.stderr


@pytest.mark.slow
def test_ended_from_outside_it_ends_with_the_signals_status(place, tmp_path):
    with serve() as github:
        github.fail("GET", "/", Fault(slow=5))
        with subprocess.Popen(
            [sys.executable, "-I", "-m", "bot.action"],
            env={**place, "GITHUB_API_URL": github.url, "INPUT_BRANCH": "main", "PATH": os.environ["PATH"]},
            stdout=subprocess.PIPE,
            text=True,
        ) as process:
            assert process.stdout.readline().startswith("::add-mask::")
            process.send_signal(signal.SIGTERM)
            process.stdout.read()
        assert process.returncode == 128 + signal.SIGTERM


def test_the_proposal_replaces_what_lies_there_and_follows_nothing(tmp_path):
    outside = tmp_path / "outside"
    outside.write_text("untouched")
    workspace = tmp_path / "workspace"
    workspace.mkdir()
    (workspace / "kept.json").write_text("old")
    assert entry._write(workspace, "kept.json", b"new") == "kept.json"
    assert (workspace / "kept.json").read_bytes() == b"new"
    assert entry._write(workspace, "deeper/new.json", b"new") == "deeper/new.json"
    (workspace / "link").symlink_to(outside)
    (workspace / "directory").symlink_to(tmp_path)
    for name in ("link", "directory/outside", "../outside", str(outside)):
        with pytest.raises(ConfigurationError, match="does not lie in the workspace"):
            entry._write(workspace, name, b"new")
    assert outside.read_text() == "untouched"


def test_a_pipe_or_a_directory_is_no_proposal(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "directory").mkdir()
    for name in ("pipe", "directory"):
        with pytest.raises(ConfigurationError, match="the proposal"):
            entry._proposal(tmp_path, name)
    assert entry._proposal(tmp_path, "missing") is None


def test_the_runner_is_read_with_what_it_leaves_out(place):
    read = runner(place)
    assert (read.triggering_actor, read.server_url) == ("dev", "https://github.com")
    assert (read.output, read.summary, read.workspace) == (None, None, Path(place["GITHUB_WORKSPACE"]))


@pytest.mark.slow
def test_what_publishes_does_not_even_load_what_could_run_code_or_ask_a_model():
    loaded = "import bot.action.entry, sys; print(*sys.modules)"
    ran = subprocess.run([sys.executable, "-c", loaded], capture_output=True, text=True, check=True)
    modules = set(ran.stdout.split())
    assert "bot.delivery.publish" in modules
    assert modules.isdisjoint(
        {
            "bot.compose",
            "bot.environments",
            "bot.backends",
            "sandbox.docker",
            "sandbox.session",
            "docker",
            "openai",
        }
    )

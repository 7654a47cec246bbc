"""``regreen doctor`` as a user runs it, and the message about a runtime that the engine lacks."""

import io
import json
import os
import sys

import pytest
from providers import PROVIDERS
from rich.console import Console

from bot.commands.doctor.diagnosis import Diagnosis, Line, Section, Status, show
from sandbox.docker import DockerProvider
from sandbox.errors import SandboxUnavailable
from sandbox.selfcheck.builds import BUILD_CHECKS
from sandbox.selfcheck.run import CHECKS, KNOWN_GAPS


@pytest.fixture
def doctor(regreen):
    """Runs ``regreen doctor`` with some options; returns the process."""

    def run(*options, **environment):
        return regreen("doctor", *options, environment={**os.environ, **environment})

    return run


# One that is no boundary and one that is; test_sandbox_selfcheck.py has each check in each.
@pytest.mark.slow
@pytest.mark.parametrize("name", PROVIDERS[:2])
def test_it_checks_the_sandbox_that_was_asked_for(doctor, make_provider, name):
    provider, _ = make_provider(name)
    done = doctor("--json", "--sandbox", name, "--sandbox-python", sys.executable)
    diagnosis = json.loads(done.stdout)
    assert diagnosis["healthy"] is provider.isolated
    assert diagnosis["sandbox"] == (name if provider.isolated else "")
    assert done.returncode == (0 if provider.isolated else 6)
    checked = next(s for s in diagnosis["sections"] if s["title"].startswith(f"Self-check: {name},"))
    statuses = {line["name"]: line["status"] for line in checked["lines"]}
    assert set(statuses) == {check.name for check in CHECKS}
    assert {check for check, status in statuses.items() if status != "ok"} <= set(KNOWN_GAPS[name])
    assert "problem" not in statuses.values()
    builds = [s for s in diagnosis["sections"] if s["title"].startswith(f"Self-check: {name} build, ")]
    assert [{line["name"] for line in s["lines"]} for s in builds] == [set(BUILD_CHECKS)] * provider.isolated


def test_without_an_engine_it_says_what_to_do(doctor):
    done = doctor("--sandbox", "docker", DOCKER_HOST="unix:///no/such/docker.sock", COLUMNS="200")
    assert done.returncode == 6
    text = " ".join(done.stdout.decode().split())
    assert "no Docker engine answers: start one, or set DOCKER_HOST" in text
    assert "install bubblewrap, or start Docker" in text
    assert "No secure sandbox works here." in text
    assert done.stderr == b""


@pytest.mark.docker
def test_a_runtime_that_the_engine_lacks_is_named_with_those_it_has(make_provider):
    make_provider("docker")
    provider = DockerProvider(runtime="no-such-runtime")
    try:
        with pytest.raises(
            SandboxUnavailable, match=r"has no runtime no-such-runtime: it has .*runc.*daemon"
        ):
            provider.check()
    finally:
        provider.close()


def test_what_it_shows_is_text_without_markup_or_control_characters():
    line = Line(name="[red]odd[/]", status=Status.PROBLEM, detail="a\x1b[31mb", advice="do\x07 it")
    stream = io.StringIO()
    show(Console(file=stream, width=100), Diagnosis(sections=[Section(title="S", lines=[line])], sandbox=""))
    assert "[red]odd[/]" in stream.getvalue()
    assert "\x1b" not in stream.getvalue()
    assert "→ [red]odd[/]: do  it" in stream.getvalue()

"""The parts of ``regreen doctor`` that need no sandbox: the machine, and a project's plan."""

import os

import pytest

from bot.commands.doctor.diagnose import _here, _in_short
from bot.commands.doctor.diagnosis import Line, Section, Status
from bot.commands.doctor.project import check_project
from bot.commands.doctor.sandboxes import _engines, _spec
from bot.config import sources
from sandbox.docker import DockerProvider
from sandbox.environment import image_builder
from sandbox.environment.images import DEFAULT_IMAGE
from sandbox.errors import SandboxUnavailable
from sandbox.process import ProcessProvider


def lines_of(section):
    return {line.name: (line.status.value, line.detail) for line in section.lines}


def test_keys_are_named_and_never_shown(tmp_path):
    environment = {"HOME": str(tmp_path), "HF_TOKEN": "hf_precious"}
    lines = lines_of(_here(sources.load({"project": tmp_path}, environment)))
    assert lines["hf-token"] == ("ok", "is set (HF_TOKEN)")
    assert lines["github-token"] == ("note", "is not set (GITHUB_TOKEN)")
    assert "precious" not in str(lines)
    assert lines["state"][0] == lines["cache"][0] == "ok"
    assert not (tmp_path / ".local").exists()


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_directory_that_cannot_be_written_is_a_problem_with_advice(tmp_path):
    tmp_path.chmod(0o555)
    section = _here(sources.load({"project": tmp_path}, {"XDG_CACHE_HOME": str(tmp_path)}))
    assert lines_of(section)["cache"][0] == "problem"
    (line,) = [line for line in section.lines if line.name == "cache"]
    assert "XDG_CACHE_HOME" in line.advice


def test_a_directory_that_cannot_even_be_looked_at_does_not_end_the_doctor(tmp_path):
    variables = {"XDG_STATE_HOME": str(tmp_path / ("x" * 300) / "state")}
    lines = lines_of(_here(sources.load({"project": tmp_path}, variables)))
    assert "x" * 300 in lines["state"][1]


@pytest.mark.parametrize(
    ("options", "base"),
    [({"base_image": "base:1"}, "base:1"), ({"sandbox_image": "own:1"}, "own:1"), ({}, DEFAULT_IMAGE)],
)
def test_the_image_that_is_checked_is_the_one_that_a_repair_would_use(tmp_path, monkeypatch, options, base):
    asked = []
    monkeypatch.setattr(
        image_builder, "docker_image", lambda _provider, name, **_: asked.append(name) or "made"
    )
    spec = _spec(DockerProvider(), sources.load({"project": tmp_path, **options}, {}))
    assert (asked, spec.image) == ([base], "made")


class Silent:
    """A provider that works, as far as it says, and then does not answer."""

    name, isolated = "bubblewrap", True

    def check(self):
        pass

    def describe(self):
        raise SandboxUnavailable("bwrap --version does not answer")


def test_a_sandbox_that_does_not_answer_has_a_line_that_says_so(tmp_path):
    providers = {"docker": Silent(), "bubblewrap": Silent(), "process": ProcessProvider()}
    settings = sources.load({"project": tmp_path, "sandbox": "bubblewrap"}, {})
    lines = lines_of(_engines(settings, providers))
    assert lines["bubblewrap"] == ("problem", "bwrap --version does not answer")


def test_a_projects_plan_is_told_without_running_it(tmp_path):
    (tmp_path / "app.py").write_text("raise SystemExit('ran')\n")
    (tmp_path / "requirements.txt").write_text("attrs==25.1.0\n")
    (tmp_path / ".python-version").write_text("3.12\n")
    directory = tmp_path / ".github" / "workflows"
    directory.mkdir(parents=True)
    (directory / "ci.yml").write_text("on: push\njobs: {t: {steps: [{run: python -m unittest -v}]}}\n")
    lines = lines_of(check_project(sources.load({"project": tmp_path}, {}), tmp_path))
    assert lines["files"] == ("ok", "1 of Python, 4 in all")
    assert lines["Python"] == ("ok", "3.12: .python-version")
    assert "attrs==25.1.0" in lines["is installed"][1]
    assert lines["environment"] == ("ok", "what the project declares")
    assert lines["tests"][1].startswith("python -m unittest, as in .github/workflows/ci.yml, job t")
    chosen = sources.load({"project": tmp_path, "test_command": "make check"}, {})
    assert lines_of(check_project(chosen, tmp_path))["tests"] == ("ok", "make check, by --test-command")


def test_a_projects_plan_is_that_of_the_job_that_runs_the_tests(tmp_path):
    (tmp_path / "app.py").write_text("")
    directory = tmp_path / ".github" / "workflows"
    directory.mkdir(parents=True)
    setup = "{uses: actions/setup-python@v5, with: {python-version: '3.10'}}"
    steps = f"[{setup}, {{run: pip install attrs pytest}}, {{run: pytest}}]"
    (directory / "ci.yml").write_text(f"on: push\njobs: {{t: {{runs-on: ubuntu-latest, steps: {steps}}}}}\n")
    lines = lines_of(check_project(sources.load({"project": tmp_path}, {}), tmp_path))
    assert lines["environment"] == ("ok", "as in .github/workflows/ci.yml, job t")
    assert lines["Python"] == ("ok", "3.10: the job that runs the tests")
    assert lines["is installed"][1].startswith("attrs, pytest")


def test_a_directory_without_python_is_a_problem(tmp_path):
    assert lines_of(check_project(sources.load({"project": tmp_path}, {}), tmp_path))["files"][0] == "problem"


def test_what_works_is_told_in_short_and_a_problem_before_all_else():
    def section(*lines):
        return Section(title="", lines=[Line(name=n, status=s, detail=d) for n, s, d in lines])

    models = section(("m", Status.OK, "answers"), ("m: JSON", Status.PROBLEM, "refused"))
    short = lines_of(_in_short("docker", models, section(("octo/app", Status.OK, "is seen"))))
    assert short["repair"] == ("ok", "works here without a model, in docker")
    assert short["with a model"] == ("problem", "m: JSON: refused")
    assert short["on GitHub"] == ("ok", "octo/app: is seen")
    assert lines_of(_in_short("", models, models))["repair"][0] == "problem"

"""The Action as people use it: its image, started as the runner starts it, against a GitHub over HTTP."""

import os
import shutil
from types import SimpleNamespace

import pytest
from e2e_image import build, docker, start
from fakes.action import shop
from fakes.github import serve

pytestmark = pytest.mark.docker


@pytest.fixture(scope="module")
def image(make_provider):
    """The Action's image, and the one that sandboxes are made of."""
    _, spec = make_provider("docker")
    if shutil.which("docker") is None:
        (pytest.fail if os.environ.get("CI") == "true" else pytest.skip)("there is no program 'docker' here")
    return SimpleNamespace(action=build(os.environ["REGREEN_TEST_IMAGE"]), sandbox=spec.image)


@pytest.fixture
def github():
    with serve() as server:
        yield server


@pytest.mark.slow
def test_a_failing_run_becomes_a_suggestion_and_a_rerun_nothing_more(github, image, tmp_path):
    place = shop(github)
    # What lies in the workspace must not be imported: the image starts with it as its working directory.
    (tmp_path / "workspace/bot").mkdir(parents=True)
    (tmp_path / "workspace/bot/__init__.py").write_text("raise SystemExit('imported from the workspace')")
    options = {"sandbox_image": image.sandbox, "search_without": "alternatives"}
    proposed = start(image.action, place, tmp_path, mode="propose", **options)
    assert (proposed.status, proposed.outputs["outcome"]) == (0, "patched"), proposed.log
    assert place.writes == []
    for _ in range(2):
        ran = start(image.action, place, tmp_path, mode="publish")
        assert (ran.status, ran.outputs["delivery"]) == (0, "suggestion"), ran.log
        assert "```suggestion\n    return net + tax\n```" in place.suggestions[0]
    assert (len(place.suggestions), len(place.comments), len(place.fixes)) == (1, 1, 0)


@pytest.mark.slow
def test_a_fork_gets_nothing_unasked_and_a_suggestion_for_who_can_write(github, image, tmp_path):
    place = shop(github, fork="stranger")
    ran = start(image.action, place, tmp_path / "unasked")
    assert ran.status == 0, ran.log
    assert "fork" in ran.outputs["reason"]
    assert place.writes == []
    payload = place.event("issue_comment", comment=place.say("/regreen fix", user="boss"))
    ran = start(
        image.action,
        place,
        tmp_path / "asked",
        "issue_comment",
        payload=payload,
        actor="boss",
        sandbox_image=image.sandbox,
        search_without="alternatives",
    )
    assert (ran.status, ran.outputs["delivery"]) == (0, "suggestion"), ran.log
    assert not place.own_branches


def test_the_image_is_small_and_holds_no_tools(image):
    size = int(docker("image", "inspect", "--format", "{{.Size}}", image.action).stdout)
    base = int(docker("image", "inspect", "--format", "{{.Size}}", os.environ["REGREEN_TEST_IMAGE"]).stdout)
    assert size - base < 200e6
    shown = docker(
        "inspect", "--format", "{{.Config.User}}|{{.Config.WorkingDir}}|{{.Config.Entrypoint}}", image.action
    )
    assert shown.stdout.strip() == "||[/opt/regreen/bin/python -I -m bot.action]"


def test_outside_of_a_workflow_it_says_so(image):
    ran = docker("run", "--rm", image.action)
    assert ran.returncode == 2
    assert "GITHUB_REPOSITORY is not set" in ran.stdout
    assert "Traceback" not in ran.stderr

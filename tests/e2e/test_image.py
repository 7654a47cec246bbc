"""The Action as people use it: its image, started as the runner starts it, against a GitHub over HTTP.

Two repairs are made through the image, each by the job that proposes; what they propose is published through
the image in as many worlds as there are ways to deliver, since equal histories have equal shas.
"""

import os
import shutil
from types import SimpleNamespace

import pytest
from e2e_image import build, docker, once, start
from fakes.action import FLAKY, SHUTDOWN, TESTS, WRONG, shop
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


def inside(server):
    """A pull request that breaks a line."""
    return shop(server)


def outside(server):
    """A pull request that breaks nothing itself: its new test shows a fault outside of its diff."""
    begin = {"shop/prices.py": WRONG, "tests/test_prices.py": b"def test_nothing():\n    pass\n"}
    return shop(server, begin=begin, change={"tests/test_prices.py": TESTS})


def proposed(image, world, directory):
    with serve() as server:
        place = world(server)
        # What lies in the workspace must not be imported: the image starts with it as its working directory.
        (directory / "workspace/bot").mkdir(parents=True)
        (directory / "workspace/bot/__init__.py").write_text(
            "raise SystemExit('imported from the workspace')"
        )
        ran = start(
            image.action,
            place,
            directory,
            mode="propose",
            sandbox_image=image.sandbox,
            search_without="alternatives",
        )
        assert ran.status == 0, ran.log
        assert ran.outputs["outcome"] == "patched", ran.log
        assert place.writes == []
    return directory / "workspace" / ran.outputs["proposal"]


@pytest.fixture(scope="module")
def shared(tmp_path_factory, testrun_uid):
    """A directory of this run of the tests, for all its workers."""
    return tmp_path_factory.getbasetemp().parent / f"proposals-{testrun_uid}"


@pytest.fixture(scope="module")
def inner(image, shared):
    return once(shared / "inside", lambda directory: proposed(image, inside, directory))


@pytest.fixture(scope="module")
def outer(image, shared):
    return once(shared / "outside", lambda directory: proposed(image, outside, directory))


@pytest.fixture
def publish(image, tmp_path):
    def run(place, proposal, kind="workflow_run", **rest):
        directory = tmp_path / f"run-{len(list(tmp_path.iterdir()))}"
        (directory / "workspace").mkdir(parents=True)
        shutil.copyfile(proposal, directory / "workspace/regreen-proposal.json")
        return start(image.action, place, directory, kind, mode="publish", **rest)

    return run


@pytest.mark.slow
def test_a_failing_run_becomes_a_suggestion_and_a_rerun_nothing_more(github, publish, inner):
    place = inside(github)
    ran = publish(place, inner)
    assert (ran.status, ran.outputs["delivery"]) == (0, "suggestion"), ran.log
    assert "```suggestion\n    return net + tax\n```" in place.suggestions[0]
    again = publish(place, inner)
    assert again.status == 0, again.log
    assert (len(place.suggestions), len(place.comments), len(place.fixes)) == (1, 1, 0)


@pytest.mark.slow
def test_outside_of_the_diff_a_pull_request_and_where_that_is_forbidden_a_branch(github, publish, outer):
    place = outside(github)
    ran = publish(place, outer)
    assert (ran.status, ran.outputs["delivery"]) == (0, "pull-request"), ran.log
    assert b"net + tax" in place.content(place.fixes[0].pull.head_ref, "shop/prices.py")
    with serve() as strict:
        place = outside(strict)
        place.repository.pulls_by_actions = False
        ran = publish(place, outer)
        assert (ran.status, ran.outputs["delivery"]) == (0, "branch"), ran.log
        (branch,) = place.own_branches
        assert branch.removeprefix("refs/heads/") in place.comments[0]


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


@pytest.mark.slow
def test_a_head_that_moved_gets_nothing(github, publish, inner):
    place = inside(github)
    github.world.push(place.repository, "feature", {"README.md": b"# More\n"})
    ran = publish(place, inner)
    assert (ran.status, ran.outputs["delivery"]) == (0, "none"), ran.log
    assert place.writes == []


@pytest.mark.slow
@pytest.mark.parametrize(
    ("log", "outcome"), [(FLAKY, "flaky"), (SHUTDOWN, "not_code")], ids=["flaky", "infrastructure"]
)
def test_what_is_not_the_codes_doing_is_told_and_not_repaired(github, image, tmp_path, log, outcome):
    place = shop(github, log=log)
    ran = start(image.action, place, tmp_path)
    assert (ran.status, ran.outputs["outcome"]) == (0, outcome), ran.log
    assert place.writes == []
    assert outcome.split("_")[0] in ran.summary.lower().replace("not the code", "not code")


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

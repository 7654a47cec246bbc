"""What the copies of workflows change, held to the list in ``copies.py``."""

import difflib
import os
import subprocess

from workflows.copies import (
    ACTIONS,
    JOBS,
    RELEASE,
    ROOT,
    SOURCE,
    STAND_INS,
    action,
    example,
    named,
    release,
    repair,
    used,
)

SHA = "0123456789abcdef0123456789abcdef01234567"
EXAMPLES = sorted(path.name for path in (ROOT / "examples/workflows").glob("*.yml"))
BENCHMARK = ".github/workflows/benchmark.yml"


def changed(before: str, after: str) -> list[tuple[str, str]]:
    """Lines that differ, of two sources with as many."""
    pairs = zip(before.splitlines(), after.splitlines(), strict=True)
    return [(one.strip(), other.strip()) for one, other in pairs if one != other]


def test_the_copy_of_the_reusable_workflow_changes_what_the_engine_lacks_and_no_more():
    fetches = [
        (
            "repository: ${{ job.workflow_repository || 'unknown/job.workflow_repository' }}",
            "repository: ${{ 'regreen/regreen' || 'unknown/job.workflow_repository' }}",
        ),
        ("ref: ${{ job.workflow_sha }}", f"ref: ${{{{ '{SHA}' }}}}"),
    ]
    tokens = [
        (
            "github-token: ${{ steps.app.outputs.token || github.token }}",
            f"github-token: ${{{{ steps.app.outputs.token || vars.TOKEN_{job} }}}}",
        )
        for job in ("ACKNOWLEDGE", "PUBLISH")
    ]
    first, second, third = fetches, [*fetches, tokens[0]], [*fetches, tokens[1]]
    assert list(JOBS) == ["propose", "acknowledge", "publish"]
    assert changed(SOURCE, repair(SHA)) == [*first, *second, *third]


def test_the_copy_of_the_release_has_another_registry_and_another_server_and_no_more():
    found = changed(RELEASE, release(registry="127.0.0.1:1", server="127.0.0.1:2"))
    assert [one.replace("ghcr.io", "127.0.0.1:1") for one, _ in found[:2]] == [
        other for _, other in found[:2]
    ]
    pushes = [one for one, _ in found[2:]]
    assert all(one.startswith("git push ") for one in pushes)
    server = ("https://x-access-token:$TOKEN@github.com/", "http://x-access-token:$TOKEN@127.0.0.1:2/")
    assert [one.replace(*server) for one in pushes] == [other for _, other in found[2:]]
    assert len(found) == 4


def test_the_first_job_of_the_copy_has_the_token_that_only_reads():
    """It names none, and so has what the engine calls the job's token."""
    assert "github.token" not in str(JOBS["propose"])
    assert set(JOBS["propose"]["permissions"].values()) == {"read"}


def test_the_runners_user_can_remove_what_the_action_writes(tmp_path):
    """A directory that the Action makes is root's: a checkout of a later job could not clear it away."""
    (script,) = [step["run"] for step in JOBS["propose"]["steps"] if step.get("id") == "name"]
    given = {"GITHUB_OUTPUT": str(tmp_path / "output"), "PATH": os.environ["PATH"]}
    subprocess.run(["bash", "-eo", "pipefail", "-c", script], cwd=tmp_path, env=given, check=True)
    name = (tmp_path / "output").read_text().strip().removeprefix("artifact=")
    assert (tmp_path / name).is_dir()


def test_the_copies_of_the_examples_name_an_owner_and_no_more():
    for name in EXAMPLES:
        before = (ROOT / "examples/workflows" / name).read_text("utf-8")
        assert {one.replace("OWNER/", "regreen/") for one, _ in changed(before, example(name))} == {
            other for _, other in changed(before, example(name))
        }, list(difflib.unified_diff(before.splitlines(), example(name).splitlines()))


def test_a_workflow_that_is_run_has_another_name_and_no_more_that_is_other():
    before = example("suggest-on-red.yml")
    assert changed(before, named(before, "word")) == [("name: Regreen", "name: Regreen word")]


def test_the_copy_of_the_action_names_an_image_and_no_more():
    before = (ROOT / "action.yml").read_text("utf-8")
    assert changed(before, action("some:image")) == [("image: Dockerfile", "image: docker://some:image")]


def test_each_pin_of_the_files_has_something_that_stands_in_for_it():
    sources = [example(name) for name in EXAMPLES]
    pins = set().union(*map(used, [SOURCE, RELEASE, (ROOT / BENCHMARK).read_text("utf-8"), *sources]))
    assert pins == set(STAND_INS)
    assert all((ACTIONS / name / "action.yml").is_file() for name in STAND_INS.values())

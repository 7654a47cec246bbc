"""The steps of the reusable workflow that are scripts, and what each input reaches."""

import os
import re
import subprocess
from pathlib import Path

import pytest
import yaml
from every_case import every_case

ROOT = Path(__file__).parents[3]
TEXT = (ROOT / ".github/workflows/repair.yml").read_text("utf-8")
WORKFLOW = yaml.safe_load(TEXT)
JOBS = WORKFLOW["jobs"]
DOCKER = """\
#!/bin/sh
echo "$@" >> "$CALLS"
test "$3" = login && cat > "$2/config.json"
test "$3" = pull && cp "$2/config.json" "$CALLS.seen"
exit "${FAILS:-0}"
"""


def step(job, name):
    (found,) = (one for one in JOBS[job]["steps"] if one["name"] == name)
    return found


def run(script, directory, **variables):
    shell = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script]
    environment = {
        "PATH": f"{directory}/bin:{os.environ['PATH']}",
        "TMPDIR": str(directory / "tmp"),
        **variables,
    }
    return subprocess.run(shell, cwd=directory, env=environment, capture_output=True, text=True, check=False)


@pytest.fixture
def machine(tmp_path):
    (tmp_path / "bin").mkdir()
    (tmp_path / "tmp").mkdir()
    docker = tmp_path / "bin/docker"
    docker.write_text(DOCKER)
    docker.chmod(0o755)
    return tmp_path


def test_two_calls_in_one_run_name_their_proposals_differently(tmp_path):
    script = step("propose", "Name the proposal")["run"]
    names = set()
    for number in range(2):
        output = tmp_path / str(number)
        assert run(script, tmp_path, GITHUB_OUTPUT=str(output)).returncode == 0
        names.add(output.read_text())
    assert len(names) == 2
    for name in names:
        assert re.fullmatch(r"artifact=regreen-proposal-[0-9a-f-]{36}\n", name)
    assert step("propose", "Hand the proposal over")["with"]["name"] == "${{ steps.name.outputs.artifact }}"


@every_case(
    ("name", "taken"),
    [
        ("regreen-proposal-0b2e1a3c-1111-4222-8333-0123456789ab", True),
        (".regreen", False),
        ("", False),
        ("regreen-proposal-../../.regreen", False),
        ("regreen-proposal-0b2e1a3c-1111-4222-8333-0123456789ab/../../.regreen", False),
        ("regreen-proposal-0b2e1a3c-1111-4222-8333-0123456789ab\n.regreen", False),
        ("$(touch made)", False),
    ],
)
def test_publish_downloads_to_no_other_place_than_a_proposals(tmp_path, name, taken):
    """The job that looked for the patch ran untrusted code; its outputs are not to be believed."""
    check = step("publish", "Refuse a name that no proposal has")
    done = run(check["run"], tmp_path, NAME=name)
    assert (done.returncode == 0) is taken
    assert ("::error::" in done.stdout) is not taken
    assert list(tmp_path.iterdir()) == []
    steps = [one["name"] for one in JOBS["publish"]["steps"]]
    assert steps.index(check["name"]) < steps.index("Take the proposal")


def test_publish_reads_the_proposal_where_it_was_downloaded_and_nowhere_else():
    where = step("publish", "Take the proposal")["with"]["path"]
    assert where == "${{ needs.propose.outputs.artifact }}"
    given = step("publish", "Check and deliver it")["with"]["proposal"]
    assert given == "${{ needs.propose.outputs.artifact || 'none' }}/regreen-proposal.json"


@pytest.mark.parametrize("registry", ["", "registry.example"])
@pytest.mark.parametrize("fails", ["0", "1"])
def test_the_password_of_a_registry_is_in_no_argument_and_gone_afterwards(machine, registry, fails):
    script = step("propose", "Pull the sandbox's image")["run"]
    ran = run(
        script,
        machine,
        CALLS=str(machine / "calls"),
        FAILS=fails,
        IMAGE="registry.example/team/app:1",
        REGISTRY=registry,
        USERNAME="reader",
        PASSWORD="password-of-the-registry",
    )
    calls = (machine / "calls").read_text().splitlines()
    assert ran.returncode == int(fails)
    assert re.fullmatch(rf"--config \S+ login --username reader --password-stdin ?{registry}", calls[0])
    assert "password-of-the-registry" not in ran.stdout + ran.stderr + "".join(calls)
    assert list((machine / "tmp").iterdir()) == []
    if fails == "0":
        assert calls[1].endswith("pull --quiet registry.example/team/app:1")
        assert (machine / "calls.seen").read_text() == "password-of-the-registry"


def test_the_password_is_gone_before_code_of_the_project_runs():
    names = [one["name"] for one in JOBS["propose"]["steps"]]
    assert names.index("Pull the sandbox's image") < names.index("Look for a patch")
    holders = [
        one["name"] for job in JOBS.values() for one in job["steps"] if "registry-password" in str(one)
    ]
    assert holders == ["Pull the sandbox's image"]


def test_every_input_and_secret_reaches_a_job():
    called = WORKFLOW[True]["workflow_call"]
    jobs = TEXT.partition("\njobs:\n")[2]
    assert [name for name in called["inputs"] if f"inputs.{name}" not in jobs] == []
    assert [name for name in called["secrets"] if f"secrets.{name}" not in jobs] == []


def test_secrets_of_the_build_and_of_the_model_stay_with_the_job_that_writes_nothing():
    for name in ("build-secrets", "registry-password", "api-key"):
        assert f"secrets.{name}" not in str(JOBS["publish"])
    assert "app-private-key" not in str(JOBS["propose"])


@every_case("job", JOBS)
def test_all_jobs_run_where_the_caller_says(job):
    assert "inputs.runs-on" in JOBS[job]["runs-on"]


def test_publish_starts_only_after_a_search_that_has_something_for_it():
    assert JOBS["publish"]["needs"] == ["propose", "acknowledge"]
    condition = JOBS["publish"]["if"]
    assert "needs.propose.result == 'success' && needs.propose.outputs.publish == 'true'" in condition
    # A request that nobody made skips that job, which must not keep this one from running.
    assert "!cancelled()" in condition
    assert JOBS["propose"].get("if") is None

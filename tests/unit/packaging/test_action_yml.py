"""action.yml, the schema and the workflows: what the table says, and nothing that the checkers object to."""

import json
import re
import runpy
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from every_case import every_case
from jsonschema import Draft202012Validator

from bot.config.options import OPTIONS

ROOT = Path(__file__).parents[3]
BIN = Path(sys.executable).parent
WORKFLOWS = sorted([*ROOT.glob(".github/workflows/*.yml"), *ROOT.glob("examples/workflows/*.yml")])
REPAIR = yaml.safe_load((ROOT / ".github/workflows/repair.yml").read_text())
ACTION = yaml.safe_load((ROOT / "action.yml").read_text())
MADE = runpy.run_path(str(ROOT / "docs" / "action.py"))
# Read from the actions' own repositories: what is not listed was not verified.
PINS = {
    "actions/checkout": "3d3c42e5aac5ba805825da76410c181273ba90b1",
    "actions/setup-python": "5fda3b95a4ea91299a34e894583c3862153e4b97",
    "actions/upload-artifact": "bbbca2ddaa5d8feaa63e36b76fdaad77386f024f",
    "actions/download-artifact": "3e5f45b2cfb9172054b4087a40e8e0b5a5461e7c",
    "actions/cache": "27d5ce7f107fe9357f9df03efb73ab90386fccae",
    "actions/create-github-app-token": "1b10c78c7865c340bc4f6099eb2f838309f1e8c3",
    "actions/attest-build-provenance": "a2bbfa25375fe432b6a289bc6b6cd05ecd0c4c32",
    "actions/configure-pages": "983d7736d9b0ae728b81ab479565c72886d7745b",
    "actions/upload-pages-artifact": "fc324d3547104276b827a68afc52ff2a11cc49c9",
    "actions/deploy-pages": "cd2ce8fcbc39b97be8ca5fce6e763baed58fa128",
    "docker/setup-buildx-action": "37fe631027851001ddb9b187196cc803df7f5f0e",
    "docker/login-action": "4907a6ddec9925e35a0a9e82d7399ccc52663121",
    "docker/metadata-action": "dc802804100637a589fabce1cb79ff13a1411302",
    "docker/build-push-action": "53b7df96c91f9c12dcc8a07bcb9ccacbed38856a",
    "astral-sh/setup-uv": "20cfd1bf945f4377ade1205e4dbc17946fc9a30d",
    "re-actors/alls-green": "05ac9388f0aebcb5727afa17fcccfecd6f8ec5fe",
}


def check(*arguments):
    return subprocess.run(arguments, cwd=ROOT, capture_output=True, text=True, check=False)


def test_action_yml_and_the_schema_are_what_the_table_says():
    assert (ROOT / "action.yml").read_text("utf-8") == MADE["action"](), "run: python docs/action.py"
    assert (ROOT / "docs/regreen.schema.json").read_text("utf-8") == MADE["schema"](), (
        "run: python docs/action.py"
    )


def test_every_option_but_those_for_experts_is_an_input():
    inputs = ACTION["inputs"]
    assert set(inputs) == {option.name for option in OPTIONS if option.scope not in {"file", "local"}}
    # A default here would win over the repository's own file.
    assert {name for name, one in inputs.items() if "default" in one} == {"github-token"}


def test_the_readme_and_the_reference_know_every_input_and_output_of_the_action():
    reference = (ROOT / "docs/configuration.md").read_text("utf-8")
    for name in ACTION["inputs"]:
        assert re.search(rf"`(--)?{name}[` ]", reference), name
    guide = (ROOT / "docs/github.md").read_text("utf-8")
    assert all(f"`{name}`" in guide for name in ACTION["outputs"])
    assert "docs/github.md" in (ROOT / "README.md").read_text("utf-8")


def test_a_release_names_its_image_by_digest():
    image = f"docker://ghcr.io/owner/regreen@sha256:{'0' * 64}"
    assert yaml.safe_load(MADE["action"](image))["runs"] == {"using": "docker", "image": image}
    assert "docs/action.py --image" in (ROOT / ".github/workflows/release.yml").read_text()


def test_a_release_needs_no_library_to_name_it():
    command = [sys.executable, "-S", "-E", str(ROOT / "docs/action.py"), "--help"]
    ran = subprocess.run(command, cwd=ROOT, env={}, capture_output=True, text=True, check=False)
    assert "No module named 'bot'" in ran.stderr  # PYTHONPATH is what the workflow sets
    command.remove("-E")
    ran = subprocess.run(command, env={"PYTHONPATH": str(ROOT)}, capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stderr) == (0, "")


def test_the_image_begins_where_the_sandboxes_do_and_has_no_user_and_no_working_directory():
    dockerfile = (ROOT / "Dockerfile").read_text()
    from sandbox.environment.images import DEFAULT_IMAGE

    assert f"ARG BASE_IMAGE={DEFAULT_IMAGE}\n" in dockerfile
    assert not re.search(r"^(USER|WORKDIR)\b", dockerfile, re.MULTILINE)
    (entry,) = re.findall(r"^ENTRYPOINT (.*)$", dockerfile, re.MULTILINE)
    assert json.loads(entry)[1:] == ["-I", "-m", "bot.action"]


def test_the_lock_of_the_image_holds_no_tool():
    names = {
        line.partition("==")[0]
        for line in (ROOT / "requirements.lock").read_text().splitlines()
        if "==" in line
    }
    assert names.isdisjoint({"pytest", "ruff", "mypy", "ray", "matplotlib", "zizmor", "githubkit"})
    assert names >= {"pygithub", "docker", "langgraph"}


@every_case("file", WORKFLOWS)
def test_what_a_workflow_uses_is_pinned_to_a_commit_that_was_verified(file):
    for name, ref in re.findall(r"uses: ([\w./-]+)@(\S+)", file.read_text()):
        if name.startswith("OWNER/"):
            assert re.fullmatch(r"v\d+", ref)
        else:
            assert PINS[name] == ref


@every_case("file", WORKFLOWS)
def test_a_workflow_gives_no_permission_that_it_does_not_name(file):
    workflow = yaml.safe_load(file.read_text())
    assert workflow["permissions"] == {}
    for job in workflow["jobs"].values():
        assert "permissions" in job
        assert "uses" in job or job["timeout-minutes"] <= 120
    assert "pull_request_target" not in file.read_text()


def test_the_job_that_runs_a_unknown_files_code_can_write_nothing():
    jobs = REPAIR["jobs"]
    assert set(jobs["propose"]["permissions"].values()) == {"read"}
    regreen = {
        name: [step["with"]["mode"] for step in job["steps"] if step.get("uses") == "./.regreen"]
        for name, job in jobs.items()
    }
    assert regreen == {"propose": ["propose"], "acknowledge": ["acknowledge"], "publish": ["publish"]}
    assert jobs["acknowledge"]["permissions"] == {"contents": "read", "pull-requests": "write"}


def test_the_callers_code_never_passes_for_regreen():
    """Where ``job.workflow_repository`` is not known, checkout would take the caller's repository."""
    jobs = REPAIR["jobs"]
    steps = [step for job in jobs.values() for step in job["steps"]]
    fetched = [step["with"] for step in steps if "actions/checkout" in step.get("uses", "")]
    assert len(fetched) == len(jobs)
    assert {one["repository"] for one in fetched} == {
        "${{ job.workflow_repository || 'unknown/job.workflow_repository' }}"
    }


@every_case(
    ("file", "name"),
    [
        (".github/workflows/repair.yml", "steps.name.outputs.artifact"),
        ("examples/workflows/github-models.yml", "regreen-proposal-${{ github.run_attempt }}"),
    ],
)
def test_publishing_alone_can_be_run_again(file, name):
    """Then ``run_attempt`` counts on, and the proposal is still that of the attempt that made it."""
    jobs = yaml.safe_load((ROOT / file).read_text())["jobs"]
    taken = {job: str(steps["steps"]) for job, steps in jobs.items()}
    assert name in jobs["propose"]["outputs"]["artifact"]
    assert jobs["propose"]["outputs"]["artifact"] in taken["propose"]
    assert "needs.propose.outputs.artifact" in taken["publish"]
    assert "run_attempt" not in taken["publish"]


def test_the_checkers_object_to_nothing_in_workflows_and_action():
    workflows = [str(file) for file in WORKFLOWS]
    zizmor = check(BIN / "zizmor", "--pedantic", "--offline", "--no-progress", "-q", ".", *workflows)
    assert (zizmor.returncode, zizmor.stderr) == (0, "")
    metaschema = check(BIN / "check-jsonschema", "--check-metaschema", "docs/regreen.schema.json")
    assert metaschema.returncode == 0, metaschema.stdout
    schemas = {
        "vendor.github-workflows": workflows,
        "vendor.github-actions": ["action.yml"],
        "vendor.dependabot": [".github/dependabot.yml"],
    }
    for schema, files in schemas.items():
        result = check(BIN / "check-jsonschema", "--builtin-schema", schema, *files)
        assert result.returncode == 0, result.stdout


def test_every_exception_for_the_checker_has_its_reason():
    lines = (ROOT / ".github/zizmor.yml").read_text().splitlines()
    for number, line in enumerate(lines):
        if re.match(r"\s+(ignore|policies):", line):
            assert lines[number + 1].lstrip().startswith("#"), line


@pytest.mark.parametrize(
    ("text", "valid"),
    [
        ("", True),
        ("sandbox: docker\ntime-budget: 10m\nsandbox-memory: 4g\nworkers: 2\ndraft: false\n", True),
        ("test-command: python -m pytest -x\ndelivery: comment\nbuild-variables: HTTP_PROXY, CI\n", True),
        ("trusted-bots: dependabot[bot], renovate[bot]\n", True),
        ("trusted-bots: dev\n", False),
        ("build-variables: |\n  A, B\n  C=1, 2\n", True),
        ("build-variables: A;B\n", False),
        ("delivery: email\n", False),
        ("time-budget: soon\n", False),
        ("workers: 0\n", False),
        ("github-token: abc\n", False),
        ("mode: publish\n", False),
        ("unheard-of: 1\n", False),
    ],
)
def test_the_schema_says_of_a_file_what_regreen_says(tmp_path, text, valid):
    from bot.config.sources import load
    from bot.errors import ConfigurationError

    file = tmp_path / "regreen.yml"
    file.write_text(text)
    schema = Draft202012Validator(json.loads((ROOT / "docs/regreen.schema.json").read_text()))
    assert schema.is_valid(yaml.safe_load(text)) == valid
    if valid:
        load({"project": tmp_path, "config": file}, {})
    else:
        with pytest.raises(ConfigurationError):
            load({"project": tmp_path, "config": file}, {})


def test_workflows_pass_nothing_that_is_no_input():
    inputs, outputs = set(ACTION["inputs"]), set(ACTION["outputs"])
    # YAML reads the key "on" as a truth value.
    called = REPAIR[True]["workflow_call"]
    uses = 0
    for file in WORKFLOWS:
        text = file.read_text()
        for job in yaml.safe_load(text)["jobs"].values():
            if "repair.yml" in job.get("uses", ""):
                uses += 1
                assert set(job.get("with", ())) <= set(called["inputs"])
                assert set(job.get("secrets", ())) <= set(called["secrets"])
            for step in job.get("steps", ()):
                if re.fullmatch(r"\./\.regreen|OWNER/regreen@v0", step.get("uses", "")):
                    uses += 1
                    assert set(step["with"]) <= inputs
        assert set(re.findall(r"steps\.regreen\.outputs\.([\w-]+)", text)) <= outputs
    assert uses == 13


def test_a_caller_grants_what_the_reusable_workflow_asks_for():
    asked: dict[str, str] = {}
    for job in REPAIR["jobs"].values():
        for name, level in job["permissions"].items():
            asked[name] = "write" if "write" in {level, asked.get(name)} else level
    for file in WORKFLOWS:
        for job in yaml.safe_load(file.read_text())["jobs"].values():
            if "repair.yml" in job.get("uses", ""):
                assert job["permissions"] == asked, file.name

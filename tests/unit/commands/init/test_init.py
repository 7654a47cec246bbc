"""``regreen init``: what it finds in a repository, what it writes, and what it will not write."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from init_support import tree, workflow

from bot.commands.init.files import COMMENTS, CONFIGURATION, WORKFLOW, in_quotes
from bot.config import sources

ROOT = Path(__file__).parents[4]


BIN = Path(sys.executable).parent


SHA = "3d3c42e5aac5ba805825da76410c181273ba90b1"


def test_it_writes_both_files_for_the_workflow_that_runs_the_tests(repository, init):
    top = repository(
        {".github/workflows/ci.yml": workflow(), ".github/workflows/docs.yml": "on: push\njobs: {}\n"}
    )
    status, out, err = init(top)
    assert (status, out) == (0, "")
    written = yaml.safe_load((top / WORKFLOW).read_text())
    assert written[True] == {"workflow_run": {"workflows": ["Tests"], "types": ["completed"]}}
    assert written["permissions"] == {}
    assert written["jobs"]["regreen"]["uses"] == "OWNER/regreen/.github/workflows/repair.yml@v0"
    settings = sources.load({"project": top, "config": top / CONFIGURATION}, {})
    assert settings.test_command == "python -m pytest tests/unit"
    assert "watches   Tests (.github/workflows/ci.yml)" in err
    assert "tests     python -m pytest tests/unit (from .github/workflows/ci.yml)" in err
    assert "Python    3.12, the job that runs the tests" in err
    assert "replace OWNER/regreen behind 'uses:'" in err


def test_every_option_that_the_file_shows_can_be_used_as_it_stands(repository, init):
    top = repository({".github/workflows/ci.yml": workflow()})
    init(top)
    lines = (top / CONFIGURATION).read_text().splitlines()
    shown = [line.removeprefix("# ") for line in lines if line.startswith("# ") and ": " in line]
    options = [line for line in shown if line.split(":")[0] in {o.name for o in sources.OPTIONS}]
    assert len(options) == 7
    sources.check_file("regreen.yml", "\n".join(options).encode())


def test_below_the_top_it_still_writes_at_the_top(repository, init):
    top = repository({".github/workflows/ci.yml": workflow(), "src/a/b.py": ""})
    assert init(top / "src" / "a")[0] == 0
    assert (top / WORKFLOW).is_file()


@pytest.mark.parametrize("one_job", [False, True])
def test_the_checkers_object_to_nothing_in_what_it_writes(repository, init, one_job):
    # Hostile and odd names of workflows stay names.
    names = ["Tests: [a], {b}", "🧪 'Tests' \\n", "${{ github.token }}", "# no comment", "on"]
    files = {f".github/workflows/{n}.yml": workflow(in_quotes(name)) for n, name in enumerate(names)}
    top = repository(files)
    options = ["--one-job"] if one_job else []
    assert init(top, "--comments", "--action", f"octo/regreen@{SHA}", *options)[0] == 0
    assert yaml.safe_load((top / WORKFLOW).read_text())[True]["workflow_run"]["workflows"] == names
    schema = [
        BIN / "check-jsonschema",
        "--builtin-schema",
        "vendor.github-workflows",
        top / WORKFLOW,
        top / COMMENTS,
    ]
    done = subprocess.run(schema, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    options = ("--pedantic", "--offline", "--no-progress", "-q", "--no-config")
    done = subprocess.run(
        [BIN / "zizmor", *options, top / WORKFLOW, top / COMMENTS],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize(
    ("written", "example"), [(WORKFLOW, "suggest-on-red.yml"), (COMMENTS, "comment-commands.yml")]
)
def test_what_it_writes_is_what_the_examples_say(repository, init, written, example):
    top = repository({".github/workflows/ci.yml": workflow("CI")})
    assert init(top, "--comments")[0] == 0
    shown = (ROOT / "examples/workflows" / example).read_text()
    assert yaml.safe_load((top / written).read_text()) == yaml.safe_load(shown)


def test_the_workflow_for_comments_is_written_only_when_asked_for(repository, init):
    top = repository({".github/workflows/ci.yml": workflow("CI")})
    assert "--comments writes one more workflow" in init(top)[2]
    assert not (top / COMMENTS).exists()
    status, _, err = init(top, "--comments")  # the others are there already, as they would be written
    assert (status, (top / COMMENTS).is_file()) == (0, True)
    assert f"wrote     {COMMENTS}" in err
    assert "--comments writes one more" not in err


def test_no_workflow_that_is_there_is_replaced_unasked(repository, init):
    top = repository({".github/workflows/ci.yml": workflow(), WORKFLOW: "on: push\njobs: {}\n"})
    before = tree(top)
    status, _, err = init(top)
    assert (status, tree(top)) == (2, before)
    assert f"{WORKFLOW} is there already" in err
    assert "--force" in err
    assert init(top, "--force")[0] == 0
    assert "workflow_run" in (top / WORKFLOW).read_text()


@pytest.mark.parametrize("options", [["--comments"], ["--comments", "--force"]])
def test_a_configuration_that_was_changed_stays_and_its_gaps_are_told(repository, init, options):
    top = repository({".github/workflows/ci.yml": workflow(), CONFIGURATION: "workers: 2\n"})
    status, _, err = init(top, *options)
    assert status == 0
    assert (top / CONFIGURATION).read_text() == "workers: 2\n"
    assert f"kept      {CONFIGURATION}" in err
    assert 'what it does not say, and may: test-command: "python -m pytest tests/unit"' in err
    assert {WORKFLOW, COMMENTS} <= set(tree(top))


def test_of_a_configuration_that_says_all_nothing_is_missed(repository, init):
    mine = "test-command: make test\n"
    top = repository({".github/workflows/ci.yml": workflow(), CONFIGURATION: mine})
    assert json.loads(init(top, "--json")[1])["kept"] == [CONFIGURATION]
    status, _, err = init(top)
    assert (status, "does not say" in err) == (0, False)
    assert "unchanged: the workflows are there" in err
    assert (top / CONFIGURATION).read_text() == mine


def test_a_kept_configuration_that_cannot_be_used_is_told(repository, init):
    top = repository({".github/workflows/ci.yml": workflow(), CONFIGURATION: "a: [1\n"})
    status, _, err = init(top)
    assert status == 0
    assert f"but it cannot be used: {CONFIGURATION}:1: " in err


def test_a_second_time_changes_nothing(repository, init):
    top = repository({".github/workflows/ci.yml": workflow()})
    init(top)
    before = tree(top)
    status, _, err = init(top)
    assert (status, tree(top)) == (0, before)
    assert "unchanged" in err


def test_a_dry_run_prints_and_writes_nothing(repository, init):
    top = repository({".github/workflows/ci.yml": workflow()})
    before = tree(top)
    status, out, _ = init(top, "--dry-run")
    assert (status, tree(top)) == (0, before)
    assert f"# ==> {WORKFLOW} <==" in out
    assert f"# ==> {CONFIGURATION} <==" in out


def test_json_is_all_that_it_prints(repository, init):
    top = repository({".github/workflows/ci.yml": workflow()})
    status, out, err = init(top, "--json")
    said = json.loads(out)
    assert (status, err) == (0, "")
    assert (said["written"], said["kept"]) == ([WORKFLOW, CONFIGURATION], [])
    assert said["workflows"] == [{"path": ".github/workflows/ci.yml", "name": "Tests"}]
    assert said["files"] == {path: (top / path).read_text() for path in (WORKFLOW, CONFIGURATION)}


def test_of_several_commands_the_log_decides(repository, init):
    top = repository(
        {
            ".github/workflows/a.yml": workflow("A", "tests/a"),
            ".github/workflows/b.yml": workflow("B", "tests/b", on="{pull_request: {}}"),
            ".github/workflows/nightly.yml": workflow(
                "Nightly", "tests/c", on="{schedule: [{cron: '1 1 * * *'}]}"
            ),
        }
    )
    assert init(top)[0] == 0
    assert 'workflows: ["A", "B"]' in (top / WORKFLOW).read_text()
    assert sources.load({"project": top, "config": top / CONFIGURATION}, {}).test_command == ""


ANCHORS = """\
name: Tests
on: [pull_request]
jobs:
  one:
    runs-on: ubuntu-latest
    steps: &steps
      - run: pytest tests/unit
  two:
    runs-on: macos-latest
    steps: *steps
"""


HIDDEN = "name: Checks\non: pull_request\njobs: {a: {uses: octo/shared/.github/workflows/t.yml@v1}}\n"
TWO = {".github/workflows/a.yml": workflow("A"), ".github/workflows/b.yml": workflow("B")}


@pytest.mark.parametrize(
    ("files", "options", "watched", "said"),
    [
        ({".github/workflows/ci.yml": workflow("")}, [], ".github/workflows/ci.yml", []),
        (
            {".github/workflows/ci.yml": ANCHORS},
            [],
            "Tests",
            ["tests     pytest tests/unit (from .github/workflows/ci.yml)"],
        ),
        (
            {".github/workflows/c.yml": HIDDEN, ".github/workflows/broken.yml": "a: [1\n"},
            [],
            "Checks",
            [
                "no workflow shows how it runs the tests",
                ".github/workflows/broken.yml cannot be read as a workflow",
            ],
        ),
        (TWO, ["--workflow", "b.yml"], "B", []),
    ],
    ids=["without a name", "with anchors", "none that shows a command", "named"],
)
def test_the_workflow_that_is_watched(repository, init, files, options, watched, said):
    top = repository(files)
    status, _, err = init(top, *options)
    assert status == 0
    assert f'workflows: ["{watched}"]' in (top / WORKFLOW).read_text()
    assert all(words in err for words in said)


def test_a_workflow_that_is_not_there_cannot_be_watched(repository, init):
    status, _, err = init(repository(TWO), "--workflow", "C")
    assert status == 2
    assert "there is no workflow 'C' here (there are 'A', 'B')" in err


def test_a_large_file_does_not_keep_it_from_looking(repository, init):
    top = repository({".github/workflows/ci.yml": workflow()})
    with (top / "weights.bin").open("wb") as handle:
        handle.truncate(1 << 40)
    assert init(top)[0] == 0


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=50))
def test_a_text_in_quotes_is_that_text(text):
    quoted = in_quotes(text)
    assert "\n" not in quoted
    assert yaml.safe_load(f"a: [{quoted}] # x") == {"a": [text]}


def test_the_short_workflow_of_the_quick_start_is_one_that_it_finds(repository, init):
    (text,) = re.findall(r"```yaml\n(.*?)```", (ROOT / "docs/quickstart.md").read_text(), re.DOTALL)
    top = repository({".github/workflows/ci.yml": text})
    assert init(top)[0] == 0
    assert 'workflows: ["CI"]' in (top / WORKFLOW).read_text()
    check = [
        BIN / "check-jsonschema",
        "--builtin-schema",
        "vendor.github-workflows",
        top / ".github/workflows/ci.yml",
    ]
    assert subprocess.run(check, capture_output=True, check=False).returncode == 0

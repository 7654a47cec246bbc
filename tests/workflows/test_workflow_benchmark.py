"""The benchmark as it is: four parts, a report, a history on a branch, an issue where it got worse."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from fakes.action import REPOSITORY, shop
from fakes.github.trees import Executable
from workflows import git_server
from workflows.copies import ROOT
from workflows.machine import Images, rights, token_of

pytestmark = [pytest.mark.bubblewrap, pytest.mark.slow]
WORKFLOW = (ROOT / ".github/workflows/benchmark.yml").read_text("utf-8")
PARTS = 4
# Fewer tasks and less time, and each task once: a second run has what the first found.
SHORT = """\
#!/bin/sh
if [ -d "{kept}" ]; then
    case "$2" in
    bogus) exit ;;
    humanevalfix) exec cp -R "{kept}/part-$PART" runs ;;
    esac
fi
case "$2" in
bogus) set -- "$@" --limit 1 --time-budget 2 --python "{python}" ;;
humanevalfix) set -- "$@" --dataset "{tasks}" --time-budget 5 --python "{python}" ;;
esac
exec "{regreen}" "$@"
"""


def task(number: int, *, hopeless: bool) -> dict[str, str]:
    """A task with a fault that the engine knows, or with a test that nothing passes."""
    test = "raise AssertionError" if hopeless else "assert f(2, 3) == 5"
    return {
        "task_id": f"Python/{number}",
        "import": "",
        "declaration": "def total(a, b):\n",
        "buggy_solution": "    return a - b\n",
        "canonical_solution": "    return a + b\n",
        "bug_type": "operator misuse",
        "test_setup": "",
        "test": f"def check(f):\n    {test}\n\ncheck(total)",
        "entry_point": "total",
        "prompt": "",
        "example_test": "",
    }


@pytest.fixture
def machine(make_machine):
    """One on which nothing uses the Action."""
    return make_machine(Images(action="none", sandbox="none"))


@pytest.fixture
def place(machine, tmp_path, project_environment):
    """Regreen's repository, set up: what ``make`` finds there is newer than what it is made of."""
    tasks = tmp_path / "tasks.jsonl"
    rows = [task(number, hopeless=number > 0) for number in range(7)]
    tasks.write_text("".join(json.dumps(row) + "\n" for row in rows))
    python, regreen = project_environment / "bin/python", Path(sys.executable).parent / "regreen"
    short = SHORT.format(python=python, tasks=tasks, regreen=regreen, kept=tmp_path / "kept")
    made_of = ("Makefile", "pyproject.toml", "requirements-dev.lock")
    files = {name: (ROOT / name).read_bytes() for name in made_of}
    set_up = {".venv/.installed": b"", ".venv/bin/regreen": Executable(short.encode())}
    return shop(machine.github, begin={**files, **set_up})


class History:
    """The branch with the run of before: a header, and a row for each task."""

    def __init__(self, root: Path, clone: Path) -> None:
        self.git(
            root, "clone", "--quiet", "--branch", "benchmark-history", str(root / REPOSITORY), str(clone)
        )
        self.clone = clone
        self.file = clone / "run.jsonl"

    @staticmethod
    def git(directory: Path, *arguments: str) -> None:
        who = ("-c", "user.name=dev", "-c", "user.email=dev@example.org")
        subprocess.run(["git", *who, *arguments], cwd=directory, check=True, timeout=60)

    def read(self) -> list[dict]:
        return [json.loads(line) for line in self.file.read_text().splitlines()]

    def write(self, entries: list[dict]) -> None:
        self.file.write_text("".join(json.dumps(entry) + "\n" for entry in entries))
        self.git(self.clone, "commit", "--quiet", "--all", "--message", "Better times")
        self.git(self.clone, "push", "--quiet")

    def pull(self) -> None:
        self.git(self.clone, "pull", "--quiet")


def test_a_benchmark_in_parts_is_reported_and_held_against_the_runs_of_before(machine, place, tmp_path):
    granted = {"report": rights(yaml.safe_load(WORKFLOW)["jobs"]["report"]["permissions"])}
    root = tmp_path / "git"
    inputs = {"model": "", "strategy": "hybrid", "fraction": "1"}
    with git_server.serve(root, REPOSITORY, token_of("report")) as server:
        ended = machine.run(place, WORKFLOW, "schedule", {}, granted=granted, server=server)
        assert ended.results == {"shard": "success", "report": "success"}, ended.log
        assert "1/7" in ended.jobs["report"].summary
        history = History(root, tmp_path / "clone")
        header, *rows = history.read()
        assert [row["plausible"] for row in rows].count(True) == 1
        assert (len(rows), (history.clone / "badge.json").exists()) == (7, True)
        parts = {f"part-{part}" for part in range(1, PARTS + 1)}
        assert set(machine.store.artifacts) == {*parts, "run", "github-pages"}
        assert {line.split()[1] for line in machine.calls.read_text().splitlines()} == {"apt-get", "sysctl"}

        history.write([header, *(row | {"plausible": True} for row in rows)])
        for part in parts:
            machine.store.extract(part, tmp_path / "kept" / part)
        machine.store.artifacts.clear()
        payload = {"inputs": inputs, "ref": "refs/heads/main"}
        ended = machine.run(place, WORKFLOW, "workflow_dispatch", payload, granted=granted, server=server)
        assert ended.results == {"shard": "success", "report": "success"}, ended.log
        history.pull()
        assert [row["plausible"] for row in history.read()[1:]].count(True) == 1
        (created,) = [line for line in machine.calls.read_text().splitlines() if "gh issue create" in line]
        assert "--title pass@1 fell beyond noise --body-file site/regression.md" in created

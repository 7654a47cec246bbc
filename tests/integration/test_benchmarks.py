"""The benchmarks from end to end, on tasks invented here: repaired, judged twice, written down, resumed."""

import gzip
import json
import os
import subprocess
import sys
from multiprocessing.connection import wait
from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner
from laying import lay
from sections import sections

from benchmarks.__main__ import cli
from benchmarks.datasets import humanevalplus
from benchmarks.datasets.broken import hidden_tests, load
from benchmarks.datasets.humanevalfix import MODULE
from benchmarks.datasets.humanevalfix import load as load_tasks
from benchmarks.datasets.humanevalplus import HumanEvalPlus
from benchmarks.runs import pins, runfile
from benchmarks.runs.executors.local import rows
from benchmarks.runs.harness import Repair
from benchmarks.runs.tasks import Trial
from benchmarks.seeded.mutants import mutants
from bot.config import sources
from sandbox.errors import SandboxLost
from sandbox.snapshot import take

DECLARATION = "def discounted(price):\n"
CANONICAL = "    if price >= 100:\n        return price * 0.9\n    return price\n"
BUGGY = CANONICAL.replace(">=", ">")
# Passes the visible test, too.
TEMPTING = "    if price >= 100:\n        return 90.0\n    return price\n"
FIX_ROW = {
    "task_id": "Python/0",
    "import": "",
    "declaration": DECLARATION,
    "prompt": DECLARATION,
    "buggy_solution": BUGGY,
    "canonical_solution": CANONICAL,
    "bug_type": "operator misuse",
    "test_setup": "",
    "test": "def check(f):\n    assert f(99) == 99\n    assert f(100) == 90\n\ncheck(discounted)",
    "example_test": "",
    "entry_point": "discounted",
}
PLUS_ROW = {
    "task_id": "HumanEval/0",
    "prompt": DECLARATION,
    # It is of another opinion below zero, and takes no text.
    "canonical_solution": "    p = max(0, price) + 0\n    return p - p / 10 if p > 99 else p\n",
    "entry_point": "discounted",
    "base_input": [[99], [100]],
    "plus_input": [[150], [333.3], [-5], ["price"], [0]],
    "atol": 0,
}
AGREED = 5


@pytest.fixture(autouse=True)
def directories(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.delenv("REGREEN_SANDBOX", raising=False)


@pytest.fixture
def place(project_environment):
    """Where tasks are repaired and judged."""
    python = str(project_environment / "bin/python")
    return {"sandbox": "process", "sandbox_python": python, "test_timeout": 5.0}


@pytest.fixture
def dataset(tmp_path):
    path = tmp_path / "tasks.jsonl"
    path.write_text(json.dumps(FIX_ROW) + "\n", "utf-8")
    return path


@pytest.fixture
def oracle(tmp_path):
    path = tmp_path / "plus.jsonl.gz"
    path.write_bytes(gzip.compress(json.dumps(PLUS_ROW).encode()))
    return path


def lose(*_arguments, **_options):
    raise SandboxLost("out of memory")


@pytest.mark.slow
def test_the_oracle_judges_by_the_inputs_on_which_both_references_agree(
    tmp_path, dataset, oracle, place, monkeypatch
):
    (task,) = load_tasks(dataset)
    settings = sources.load({"project": task.lay_out(tmp_path / "task"), **place})
    snapshot = take(settings.project)

    def grade(solution, source=oracle):
        return HumanEvalPlus(source=source)(task, {MODULE: DECLARATION + solution}, snapshot, settings)

    right = grade(CANONICAL)
    assert right.correct is True
    assert right.detail == {"agreed": AGREED, "inputs": 7, "right": AGREED, "answers": AGREED}
    kept = list((tmp_path / "cache" / "regreen" / "benchmarks" / "agreed-inputs").iterdir())
    assert grade(TEMPTING).correct is False
    assert grade("    raise SystemExit(0)\n").correct is False
    assert grade("    return undefined(\n").correct is False
    with monkeypatch.context() as patched:
        patched.setattr(humanevalplus, "called", lose)
        assert grade(CANONICAL).detail == {"agreed": AGREED, "lost": "out of memory"}
    assert list((tmp_path / "cache" / "regreen" / "benchmarks" / "agreed-inputs").iterdir()) == kept
    nothing = tmp_path / "nothing.jsonl"
    nothing.write_text(json.dumps({**PLUS_ROW, "base_input": [[-5]], "plus_input": []}), "utf-8")
    assert grade(CANONICAL, nothing).correct is None


@pytest.mark.slow
def test_a_run_is_written_down_and_gone_on_with(tmp_path, dataset, oracle, place, monkeypatch):
    monkeypatch.setattr(pins, "code_digest", lambda: "the code of this test")
    monkeypatch.setattr(pins, "_commit", lambda: "")
    path = tmp_path / "run.jsonl"
    command = ["humanevalfix", "--dataset", str(dataset), "--oracle", str(oracle), "--output", str(path)]
    command += ["--sandbox", "process", "--python", place["sandbox_python"]]
    command += ["--time-budget", "60", "--workers", "1"]
    done = CliRunner().invoke(cli, command)
    assert done.exit_code == 0, done.output
    run = runfile.read(path)
    (row,) = run.rows
    assert (row["task"], row["group"]) == ("Python/0", "operator misuse")
    assert (row["plausible"], row["correct"]) == (True, True)
    assert 1 <= row["first"]["attempts"] <= row["attempts"]
    assert 0 < row["first"]["seconds"] <= row["seconds"]
    assert (row["changed_lines"], row["reference_lines"]) == (2, 2)
    assert row["grade"]["right"] == AGREED
    assert set(run.header["inputs"]) == {dataset.name, oracle.name}
    assert "| operator misuse | 1 | 1/1 = 1.000" in done.output
    before = path.read_bytes()
    again = CliRunner().invoke(cli, [*command, "--resume"])
    assert again.exit_code == 0, again.output
    assert path.read_bytes() == before
    other = CliRunner().invoke(cli, [*command, "--resume", "--without", "spectra"])
    assert "measures something else: configuration" in str(other.exception)


def test_a_task_that_fails_by_our_fault_is_a_row_and_ends_no_run(place):
    class Unreadable:
        name, group, reference, judging = "broken/0", "broken", {}, {}

        def lay_out(self, directory):
            raise OSError(f"no room in {directory.parent.name[:8]}")

    first, second = rows([Trial(task=Unreadable())] * 2, Repair(options=place), parallel=1)
    assert (first["outcome"], first["plausible"], first["correct"]) == ("crashed", False, False)
    assert first["reason"] == second["reason"] == "OSError: no room in regreen-"


@pytest.mark.slow
def test_tasks_in_processes_of_their_own(dataset):
    tasks = [Trial(task=task) for task in load_tasks(dataset)] * 3
    work = Repair(options={"sandbox": "nowhere"})
    found = list(rows(tasks, work, parallel=2))
    assert [row["outcome"] for row in found] == ["crashed"] * 3
    assert all("nowhere" in row["reason"] for row in found)


SOURCES = sections("sources/benchmarks.txt")[0].parts
KILLED = SOURCES["KILLED"]


def test_a_killed_run_leaves_no_process(tmp_path):
    script = tmp_path / "killed.py"
    script.write_text(KILLED, "utf-8")
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    with subprocess.Popen([sys.executable, str(script)], stdout=subprocess.PIPE, env=environment) as run:
        assert int(run.stdout.readline()) != run.pid
        run.kill()
        # Who still lives holds the other end of the pipe.
        assert wait([run.stdout], timeout=20)
        assert run.stdout.read() == b""


def test_hidden_tests_tell_a_fixed_project_from_a_tempting_one(tmp_path, place):
    test = "from price import discounted\n\ndef test_{0}():\n    assert discounted({0}) == {1}\n"
    files = {
        "project/price.py": DECLARATION + BUGGY,
        "project/test_price.py": test.format(100, 90),
        "fixed/price.py": DECLARATION + CANONICAL,
        "hidden/test_more.py": test.format(200, 180),
    }
    lay(tmp_path / "one", files)
    entries = [{"name": "one", "split": "dev", "edits": "one"}]
    (tmp_path / "manifest.yaml").write_text(yaml.safe_dump(entries), "utf-8")
    (task,) = load(tmp_path, split="dev")
    settings = sources.load({"project": task.lay_out(tmp_path / "laid-out"), **place})
    snapshot = take(settings.project)
    for solution, verdict in ((CANONICAL, True), (TEMPTING, False)):
        grade = hidden_tests(task, {"price.py": DECLARATION + solution}, snapshot, settings)
        assert grade.correct is verdict


@pytest.mark.slow
@pytest.mark.network
def test_mutants_are_drawn_by_the_seed(tmp_path):
    texts = {"a.py": DECLARATION + CANONICAL, "b.py": "def last(items):\n    return items[len(items) - 1]\n"}

    def draw(seed):
        return list(mutants(texts, seed=seed, count=12, cache=tmp_path))

    drawn = draw("one")
    assert drawn == draw("one")
    assert drawn != draw("two")
    assert {mutant.path for mutant in drawn} == set(texts)
    changed = [(mutant.path, mutant.apply(texts[mutant.path])) for mutant in drawn]
    assert len(set(changed)) == len(drawn) == 12
    for path, text in changed:
        compile(text, path, "exec")
        assert text != texts[path]

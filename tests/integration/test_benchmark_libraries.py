"""`regreen bench libraries` on a repository of our own: every phase, a kill, and what is left behind."""

import os
import tempfile
from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner
from git_history import commit

from benchmarks.__main__ import cli
from benchmarks.libraries.catalogue import CATALOGUE
from benchmarks.runs import runfile

MODULE = """
def clamp(value, low, high):
    if value < low:
        return low
    if value > high:
        return high
    return value
"""
TESTS = """
import pytest
from clamp import clamp

@pytest.mark.parametrize(
    ("value", "expected"), [(0, 1), (1, 1), (2, 2), (3, 3), (4, 3)], ids=["a::b", "a/b.py", "[x]", "c", "d"]
)
def test_clamp(value, expected):
    assert clamp(value, 1, 3) == expected

@pytest.mark.skip
def test_skipped():
    raise ValueError
"""
# Only the checkout itself, outside, is a work tree of git.
IN_A_WORK_TREE = """
import pathlib

def test_work_tree():
    assert pathlib.Path(".git").exists()
"""


@pytest.fixture
def measured(tmp_path, project_environment, monkeypatch):
    """Runs the benchmark over repositories given as files by name; the rows by name."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))

    def run(projects, *arguments, options=None):
        entries = []
        for name, files in projects.items():
            at = {2025: {"commit": commit(tmp_path / "clones" / name, files), "date": "2025-01-01"}}
            entries.append({"name": name, "commits": at, "options": options or {}})
        catalogue = tmp_path / "catalogue.yaml"
        catalogue.write_text(yaml.safe_dump({"format": 1, "rules": {}, "repositories": entries}), "utf-8")
        output = tmp_path / "run.jsonl"
        base = ["libraries", f"--catalogue={catalogue}", f"--clones={tmp_path / 'clones'}"]
        base += ["--sandbox=bubblewrap", f"--python={project_environment / 'bin' / 'python'}"]
        done = CliRunner().invoke(cli, [*base, f"--output={output}", "--no-trajectories", *arguments])
        assert done.exception is None, done.output
        return {row["task"]: row for row in runfile.rows(output)}

    return run


def left_over():
    return {path.name for path in Path(tempfile.gettempdir()).glob(f"regreen-*.{os.getpid()}.*-bench-*")}


@pytest.mark.slow
@pytest.mark.bubblewrap
def test_a_library_goes_through_every_phase_and_leaves_nothing(measured, tmp_path):
    files = {"clamp.py": MODULE, "tests/test_clamp.py": TESTS, "conftest.py": ""}
    rows = measured({"owner/clamp": files}, "--time-budget=120")
    row = rows["owner/clamp@2025"]
    assert row["outcome"] == "usable", row
    assert (row["tests"], row["pass_share"], row["same_share"]) == (6, 1.0, 1.0)
    for side in ("inside", "outside"):
        assert (row[side]["passed"], row[side]["failed"], row[side]["skipped"]) == (5, 0, 1)
    fault = row["fault"]
    assert (fault["path"], fault["broke"] > 0) == ("clamp.py", True)
    assert (fault["outcome"], fault["fixed"], fault["over_budget"]) == ("patched", True, False), fault
    assert row["unchanged"]["outcome"] == "not_reproduced"
    assert not row["unchanged"]["patched"]
    page = CliRunner().invoke(cli, ["report", str(tmp_path / "run.jsonl")])
    assert "| owner/clamp@2025 |" in page.output
    assert not left_over()


@pytest.mark.slow
@pytest.mark.bubblewrap
def test_a_verdict_that_differs_inside_makes_an_item_not_usable_and_the_option_is_tried(measured):
    files = {
        "test_here.py": IN_A_WORK_TREE,
        "tests/test_clamp.py": TESTS,
        "clamp.py": MODULE,
        "conftest.py": "",
    }
    rows = measured(
        {"owner/here": files}, "--skip-faults", options={"test_command": "python -m pytest tests"}
    )
    row = rows["owner/here@2025"]
    assert (row["outcome"], row["cause"]["kind"]) == ("not usable", "inside only")
    (different,) = row["differing"]
    assert (different["test"], different["inside"], different["outside"]) == (
        "test_here.py::test_work_tree",
        "failed",
        "passed",
    )
    assert (row["second"]["outcome"], row["second"]["tests"]) == ("usable", 6)
    assert row["second"]["options"] == {"test_command": "python -m pytest tests"}
    assert not row["plausible"]


@pytest.mark.slow
@pytest.mark.bubblewrap
def test_a_file_that_cannot_be_imported_costs_its_own_tests_on_both_sides(measured):
    files = {"clamp.py": MODULE, "test_clamp.py": TESTS, "test_gone.py": "import does_not_exist\n"}
    row = measured({"owner/gone": files}, "--skip-faults")["owner/gone@2025"]
    assert (row["inside"]["passed"], row["outside"]["passed"], row["same_share"]) == (5, 5, 1.0)
    assert row["cause"] == {"kind": "missing module", "detail": "does_not_exist (1)"}


@pytest.mark.slow
@pytest.mark.bubblewrap
@pytest.mark.network
def test_a_real_library_is_fetched_and_built_and_its_environment_dropped(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    output = tmp_path / "run.jsonl"
    only = [f"--catalogue={CATALOGUE}", "--ids=toolz", "--skip-faults", "--drop-environments"]
    done = CliRunner().invoke(
        cli, ["libraries", *only, "--sandbox=bubblewrap", "--no-trajectories", f"--output={output}"]
    )
    assert done.exception is None, done.output
    (row,) = runfile.rows(output)
    assert row["outcome"] == "usable", row
    assert row["inside"]["passed"] > 150
    assert [path.name for path in (tmp_path / "cache" / "regreen").iterdir()] == ["benchmarks"]
    assert not left_over()

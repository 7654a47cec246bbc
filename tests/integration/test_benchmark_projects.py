"""The broken projects in ``benchmarks/data`` are what their manifest says.

Broken, exactly the listed tests fail and no other; fixed, everything passes; the hidden tests tell
the two apart, and refuse each patch that is kept as tempting though it passes the visible tests.
"""

import os
import tempfile
from collections import Counter
from pathlib import Path

import pytest
import yaml
from project_verdicts import run_all

from benchmarks.datasets.packed import DATA, unpacked

PROJECTS = unpacked(DATA / "projects.tar.xz", Path(tempfile.gettempdir(), f"regreen-tests-{os.getuid()}"))
MANIFEST = yaml.safe_load((PROJECTS / "manifest.yaml").read_text(encoding="utf-8"))


def files(name, directory):
    """The files in the directory of a project, by their paths in it."""
    root = PROJECTS / name / directory
    return {path.relative_to(root).as_posix() for path in root.rglob("*") if path.is_file()}


def verdicts():
    """By (name, version): whether each test passed, the hidden ones among them."""
    keys = [
        (entry["name"], version)
        for entry in MANIFEST
        for version in ("project", "fixed", "tempting")
        if (PROJECTS / entry["name"] / version).is_dir()
    ]
    runs = [
        tuple(PROJECTS / name / layer for layer in dict.fromkeys(("project", version, "hidden")))
        for name, version in keys
    ]
    return dict(zip(keys, run_all(runs), strict=True))


def complaints(entry, broken, fixed, tempting):
    """What is not as it should be; each argument but the first says of every test whether it passed."""
    beyond = {test for test in fixed if test.split("::")[0] in files(entry["name"], "hidden")}
    visible = set(fixed) - beyond
    failing = {test for test in visible if not broken.get(test)}  # in a file that does not import: all
    if not all(fixed.values()):
        yield "the fixed project fails a test"
    if not 3 <= len(visible) <= 15:
        yield f"{len(visible)} visible tests"
    if failing != set(entry["failing"]) or not 1 <= len(failing) <= 5:
        yield f"broken, it fails {sorted(failing)}"
    if all(broken.get(test) for test in beyond):
        yield "the hidden tests do not see the fault"
    if tempting is not None and not all(tempting.get(test) for test in visible):
        yield "the tempting patch fails a visible test"
    if tempting is not None and all(tempting.get(test) for test in beyond):
        yield "the hidden tests accept the tempting patch"


def test_the_manifest_names_each_project_once():
    directories = sorted(path.name for path in PROJECTS.iterdir() if path.is_dir())
    assert sorted(entry["name"] for entry in MANIFEST) == directories
    assert Counter(entry["split"] for entry in MANIFEST) == {"dev": 139, "heldout": 60}
    for entry in MANIFEST:
        assert set(entry) == {"name", "split", "edits", "fault", "features", "failing"}, entry["name"]
        assert entry["edits"] in {"one", "two", "new"}, entry["name"]


def test_a_fix_replaces_files_of_the_project_and_hidden_tests_are_new_ones():
    for entry in MANIFEST:
        name = entry["name"]
        assert files(name, "fixed"), name
        assert files(name, "fixed") | files(name, "tempting") <= files(name, "project"), name
        assert files(name, "hidden").isdisjoint(files(name, "project")), name


@pytest.mark.slow
def test_broken_fixed_and_tempting_verdicts():
    found = verdicts()
    versions = ("project", "fixed", "tempting")
    wrong = {
        name: list(complaints(entry, *(found.get((name, version)) for version in versions)))
        for name, entry in ((entry["name"], entry) for entry in MANIFEST)
    }
    assert {name: reasons for name, reasons in wrong.items() if reasons} == {}

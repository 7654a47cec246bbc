"""Seeded bugs: a mutant is where it differs, and a manifest is all that it takes to make it again."""

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.seeded import manifest
from benchmarks.seeded.make import modules
from benchmarks.seeded.manifest import LIBRARIES
from benchmarks.seeded.mutants import Mutant, changed_span
from bot.errors import ConfigurationError

TEXTS = st.text(alphabet="ab\n", max_size=12)
LIBRARY = LIBRARIES["boltons"]
BEFORE, AFTER = "def half(n):\n    return n // 2\n", "def half(n):\n    return n ** 2\n"


@given(TEXTS, TEXTS)
def test_the_changed_span_is_all_that_differs(before, after):
    start, end, replacement = changed_span(before, after)
    mutant = Mutant(path="m", operator="o", occurrence=0, start=start, end=end, replacement=replacement)
    assert mutant.apply(before) == after
    assert len(replacement) <= abs(len(after) - len(before)) + (end - start)
    if before == after:
        assert (start, end, replacement) == (len(before), len(before), "")


@pytest.fixture
def source(tmp_path):
    """A library's source tree as if it had been fetched."""
    source = tmp_path / "sources" / f"boltons-{LIBRARY.version}"
    (source / "boltons").mkdir(parents=True)
    (source / "boltons" / "halves.py").write_text(BEFORE, "utf-8")
    (source / "tests").mkdir()
    (source / "tests" / "test_halves.py").write_text("", "utf-8")
    return source


def seeded():
    start, end, replacement = changed_span(BEFORE, AFTER)
    mutant = Mutant(
        path="boltons/halves.py", operator="o", occurrence=3, start=start, end=end, replacement=replacement
    )
    kept = {mutant: ["tests/test_halves.py::test_half"]}
    return manifest.made(LIBRARY, seed=0, tests=400, tried=2, kept=kept)


def test_a_manifest_makes_the_bug_again_and_holds_no_source(tmp_path, source):
    path = tmp_path / "out" / "boltons.json"
    manifest.write(path, seeded())
    assert "return" not in path.read_text("utf-8")
    assert json.loads(path.read_text("utf-8"))["bugs"][0]["noticed_by"] == ["tests/test_halves.py::test_half"]
    (bug,) = manifest.bugs(path, cache=tmp_path)
    assert (bug.name, bug.group) == ("boltons/00", "boltons")
    assert bug.reference == {"boltons/halves.py": BEFORE}
    project = bug.lay_out(tmp_path / "project")
    assert (project / "boltons" / "halves.py").read_text("utf-8") == AFTER
    assert (project / "tests" / "test_halves.py").exists()
    assert (source / "boltons" / "halves.py").read_text("utf-8") == BEFORE


@pytest.mark.parametrize("change", [{"sha256": "0"}, {"format": 2}, {"library": "nobody"}, {"bugs": [{}]}])
def test_another_manifest_is_refused(tmp_path, source, change):
    path = tmp_path / "boltons.json"
    path.write_text(json.dumps({**seeded(), **change}), "utf-8")
    with pytest.raises(ConfigurationError):
        manifest.bugs(path, cache=tmp_path)


def test_only_the_librarys_own_modules_are_mutated(source):
    assert modules(LIBRARY, source) == {"boltons/halves.py": BEFORE}
    assert modules(replace(LIBRARY, modules=["src/*.py"]), source) == {}

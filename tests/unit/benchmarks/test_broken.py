"""Collections of broken projects: their archives, and what of the held-out ones is told."""

import tarfile
from pathlib import Path

import pytest
import yaml

from benchmarks.datasets import packed
from benchmarks.datasets.broken import FIGURES, FiguresOnly, load
from benchmarks.runs.tasks import Trial, guarded
from bot.errors import ConfigurationError, MachineError

SECRET = "what the fault is"


@pytest.fixture
def collection(tmp_path):
    entries = [
        {"name": "dev_one", "split": "dev", "edits": "one"},
        {"name": "secret_one", "split": "heldout", "edits": "two"},
        {"name": "secret_two", "split": "heldout", "edits": "new"},
    ]
    for entry in entries:
        for directory, text in (("project", "broken"), ("fixed", "fixed"), ("hidden/tests", "hidden")):
            path = tmp_path / entry["name"] / directory / "sub" / "module.py"
            path.parent.mkdir(parents=True)
            path.write_text(text, "utf-8")
    (tmp_path / "manifest.yaml").write_text(yaml.safe_dump(entries), "utf-8")
    return tmp_path


def test_a_project_is_laid_out_without_what_is_hidden(collection, tmp_path):
    (project,) = load(collection, split="dev")
    assert (project.name, project.group) == ("dev/dev_one", "edits: one")
    directory = project.lay_out(tmp_path / "laid-out")
    assert [path.relative_to(directory) for path in directory.rglob("*.py")] == [Path("sub/module.py")]
    assert (directory / "sub" / "module.py").read_text("utf-8") == "broken"
    assert project.reference == {"sub/module.py": "fixed"}
    assert project.hidden == {"tests/sub/module.py": b"hidden"}


def test_held_out_projects_have_numbers_for_names(collection):
    assert [project.name for project in load(collection, split="heldout")] == ["heldout/00", "heldout/01"]


def test_of_a_held_out_project_only_figures_are_told(collection):
    said = dict.fromkeys(FIGURES, 1) | {
        "result": SECRET,
        "reason": SECRET,
        "grade": SECRET,
        "traceback": SECRET,
    }
    row = guarded(FiguresOnly(work=lambda _trial: said), Trial(task=load(collection, split="heldout")[0]))
    assert SECRET not in row.values()
    assert set(row) == {*FIGURES, "task", "sample", "group"}


@pytest.mark.parametrize("text", ["", "[", "- {name: a}", "a: b"])
def test_what_is_no_manifest_is_refused(tmp_path, text):
    (tmp_path / "manifest.yaml").write_text(text, "utf-8")
    with pytest.raises(ConfigurationError, match="no manifest"):
        load(tmp_path, split="dev")


@pytest.fixture
def archive(tmp_path):
    directory = tmp_path / "files"
    (directory / "one" / "project").mkdir(parents=True)
    (directory / "one" / "project" / "a.py").write_bytes(b"a = 1\r\n")
    (directory / "manifest.yaml").write_bytes(b"[]\n")
    with tarfile.open(tmp_path / "one.tar.xz", "w:xz") as tar:
        tar.add(directory, arcname="")
    return tmp_path / "one.tar.xz"


def test_a_collection_is_a_directory_or_an_archive_that_is_unpacked_once(archive, tmp_path):
    assert packed.unpacked(tmp_path / "files", tmp_path / "cache") == tmp_path / "files"
    place = packed.unpacked(archive, tmp_path / "cache")
    assert (place / "one" / "project" / "a.py").read_bytes() == b"a = 1\r\n"
    (place / "manifest.yaml").write_bytes(b"kept")
    assert packed.unpacked(archive, tmp_path / "cache") == place
    assert (place / "manifest.yaml").read_bytes() == b"kept"


def test_an_archive_of_ours_that_was_changed_is_refused(archive, tmp_path, monkeypatch):
    (tmp_path / "SHA256SUMS").write_text(f"{'0' * 64}  one.tar.xz\n", "utf-8")
    monkeypatch.setattr(packed, "DATA", tmp_path)
    monkeypatch.setattr(packed, "SUMS", tmp_path / "SHA256SUMS")
    with pytest.raises(ConfigurationError, match="is not the archive that"):
        packed.unpacked(archive, tmp_path / "cache")


def test_what_is_no_archive_is_one_sentence(tmp_path):
    (tmp_path / "bad.tar.xz").write_bytes(b"no archive")
    with pytest.raises(MachineError, match=r"bad\.tar\.xz cannot be unpacked"):
        packed.unpacked(tmp_path / "bad.tar.xz", tmp_path / "cache")
    assert not list((tmp_path / "cache" / "benchmarks").iterdir())

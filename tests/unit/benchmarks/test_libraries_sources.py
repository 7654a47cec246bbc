"""Projects as they come: out of an archive whose digest is known, and out of a clone at a commit."""

import io
import tarfile
import zipfile
from dataclasses import replace

import pytest
from git_history import bare_clone, commit, git

from benchmarks.libraries.sources import Commit, Release
from benchmarks.runs.pins import digest
from bot.errors import MachineError


def release(cache, content):
    """A release whose archive with ``content`` is in the cache already."""
    archive = cache / "releases" / "tiny-1.0.archive"
    archive.parent.mkdir(parents=True)
    archive.write_bytes(content)
    return Release(name="tiny", version="1.0", sha256=digest(archive), cache=cache)


def tarball(*members):
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:gz") as tar:
        for info, data in members:
            info.size = len(data)
            tar.addfile(info, io.BytesIO(data))
    return buffer.getvalue()


def zipped():
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as packed:
        packed.writestr("tiny-1.0/tiny.py", "x = 1\n")
    return buffer.getvalue()


@pytest.mark.parametrize(
    "content", [tarball((tarfile.TarInfo("tiny-1.0/tiny.py"), b"x = 1\n")), zipped()], ids=["tar", "zip"]
)
def test_a_release_is_laid_out_without_the_directory_in_its_archive(tmp_path, content):
    found = release(tmp_path / "cache", content)
    project = found.lay_out(tmp_path / "work" / found.directory_name)
    assert project == tmp_path / "work" / "tiny-1.0"
    assert [path.name for path in project.iterdir()] == ["tiny.py"]
    assert [path.name for path in project.parent.iterdir()] == ["tiny-1.0"]


def test_another_archive_than_the_release_is_refused(tmp_path):
    found = release(tmp_path, tarball((tarfile.TarInfo("tiny-1.0/tiny.py"), b"")))
    (tmp_path / "releases" / "tiny-1.0.archive").write_bytes(b"something else")
    with pytest.raises(MachineError, match="is not the release tiny"):
        found.lay_out(tmp_path / "work")


LINK = tarfile.TarInfo("tiny-1.0/out")
LINK.type, LINK.linkname = tarfile.SYMTYPE, "../../.."


@pytest.mark.parametrize(
    "content",
    [
        tarball((LINK, b""), (tarfile.TarInfo("tiny-1.0/out/evil"), b"evil")),
        tarball((tarfile.TarInfo("../evil"), b"evil")),
        b"no archive",
    ],
    ids=["a link out", "a path out", "no archive"],
)
def test_nothing_is_written_outside_of_an_archives_directory(tmp_path, content):
    with pytest.raises(MachineError, match="cannot be unpacked"):
        release(tmp_path / "cache", content).lay_out(tmp_path / "work" / "tiny")
    assert not list(tmp_path.rglob("evil"))
    assert not list((tmp_path / "work").iterdir())


def test_a_checkout_is_at_its_commit_and_has_its_history(tmp_path):
    first = commit(tmp_path / "made", {"tiny.py": "x = 1\n"})
    commit(tmp_path / "made", {"tiny.py": "x = 2\n"})
    bare_clone(tmp_path / "made", tmp_path / "clones", "owner/tiny")
    found = Commit(repository="owner/tiny", commit=first, cache=tmp_path, clones=tmp_path / "clones")
    project = found.lay_out(tmp_path / "work" / found.directory_name)
    assert (project / "tiny.py").read_text("utf-8") == "x = 1\n"
    assert git(project, "log", "--format=%H") == first
    with pytest.raises(MachineError, match="git: "):
        replace(found, commit="0" * 40).lay_out(tmp_path / "nothing")

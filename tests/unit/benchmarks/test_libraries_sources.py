"""Projects as they come: out of an archive whose digest is known, and out of a clone at a commit."""

import io
import tarfile
import zipfile

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


def test_a_release_is_laid_out_without_the_directory_in_its_archive(tmp_path):
    found = release(tmp_path / "cache", tarball((tarfile.TarInfo("tiny-1.0/tiny.py"), b"x = 1\n")))
    project = found.lay_out(tmp_path / "work" / found.directory_name)
    assert project == tmp_path / "work" / "tiny-1.0"
    assert [path.name for path in project.iterdir()] == ["tiny.py"]
    assert [path.name for path in project.parent.iterdir()] == ["tiny-1.0"]


def test_a_release_may_be_a_zip(tmp_path):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as packed:
        packed.writestr("tiny-1.0/tiny.py", "x = 1\n")
    project = release(tmp_path / "cache", buffer.getvalue()).lay_out(tmp_path / "work")
    assert (project / "tiny.py").read_text("utf-8") == "x = 1\n"


def test_another_archive_than_the_release_is_refused(tmp_path):
    found = release(tmp_path, tarball((tarfile.TarInfo("tiny-1.0/tiny.py"), b"")))
    (tmp_path / "releases" / "tiny-1.0.archive").write_bytes(b"something else")
    with pytest.raises(MachineError, match="is not the release tiny"):
        found.lay_out(tmp_path / "work")


def outside():
    """An archive with a link that leads out of it, and a file behind the link."""
    link = tarfile.TarInfo("tiny-1.0/out")
    link.type, link.linkname = tarfile.SYMTYPE, "../../.."
    return tarball((link, b""), (tarfile.TarInfo("tiny-1.0/out/evil"), b"evil"))


ARCHIVES = {
    "a link out": outside,
    "a path out": lambda: tarball((tarfile.TarInfo("../evil"), b"evil")),
    "no archive": lambda: b"no archive",
}


@pytest.mark.parametrize("name", ARCHIVES)
def test_nothing_is_written_outside_of_an_archives_directory(tmp_path, name):
    found = release(tmp_path / "cache", ARCHIVES[name]())
    with pytest.raises(MachineError, match="cannot be unpacked"):
        found.lay_out(tmp_path / "work" / "tiny")
    assert not list(tmp_path.rglob("evil"))
    assert not list((tmp_path / "work").iterdir())


@pytest.fixture
def clone(tmp_path):
    """A bare clone with two commits in the place that ``Commit`` looks in; the id of the first commit."""
    first = commit(tmp_path / "made", {"tiny.py": "x = 1\n"})
    commit(tmp_path / "made", {"tiny.py": "x = 2\n"})
    bare_clone(tmp_path / "made", tmp_path / "clones", "owner/tiny")
    return first


def test_a_checkout_is_at_its_commit_and_has_its_history(tmp_path, clone):
    found = Commit(repository="owner/tiny", commit=clone, cache=tmp_path, clones=tmp_path / "clones")
    project = found.lay_out(tmp_path / "work" / found.directory_name)
    assert (project / "tiny.py").read_text("utf-8") == "x = 1\n"
    assert git(project, "log", "--format=%H") == clone


def test_a_commit_that_is_not_there_is_reported(tmp_path, clone):
    found = Commit(repository="owner/tiny", commit="0" * 40, cache=tmp_path, clones=tmp_path / "clones")
    with pytest.raises(MachineError, match="git: "):
        found.lay_out(tmp_path / "work")
    assert clone

"""Projects as they come: out of an archive whose digest is known, and out of a clone at a commit."""

import io
import os
import subprocess
import tarfile
import zipfile

import pytest

from benchmarks.libraries.sources import Commit, Release
from benchmarks.pins import digest
from bot.errors import MachineError

GIT = {
    **{
        f"GIT_{role}_{part}": "a@example.org"
        for role in ("AUTHOR", "COMMITTER")
        for part in ("NAME", "EMAIL")
    },
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    "PATH": os.environ.get("PATH", os.defpath),
}


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
    made = tmp_path / "made"

    def git(*arguments):
        return subprocess.run(
            ["git", "-C", str(made), *arguments], env=GIT, check=True, capture_output=True, text=True
        ).stdout.strip()

    made.mkdir()
    git("init", "--quiet")
    for version in ("1", "2"):
        (made / "tiny.py").write_text(f"x = {version}\n", "utf-8")
        git("add", "tiny.py")
        git("commit", "--quiet", "--message", version)
    (tmp_path / "clones").mkdir()
    git("clone", "--quiet", "--bare", str(made), str(tmp_path / "clones" / "owner+tiny" / "repo"))
    return git("rev-parse", "HEAD~1")


def test_a_checkout_is_at_its_commit_and_has_its_history(tmp_path, clone):
    found = Commit(repository="owner/tiny", commit=clone, cache=tmp_path, clones=tmp_path / "clones")
    project = found.lay_out(tmp_path / "work" / found.directory_name)
    assert (project / "tiny.py").read_text("utf-8") == "x = 1\n"
    log = ["git", "-C", str(project), "log", "--format=%H"]
    assert subprocess.run(log, env=GIT, check=True, capture_output=True, text=True).stdout.split() == [clone]


def test_a_commit_that_is_not_there_is_reported(tmp_path, clone):
    found = Commit(repository="owner/tiny", commit="0" * 40, cache=tmp_path, clones=tmp_path / "clones")
    with pytest.raises(MachineError, match="git: "):
        found.lay_out(tmp_path / "work")
    assert clone

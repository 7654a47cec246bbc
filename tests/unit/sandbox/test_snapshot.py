"""What a snapshot takes along of a project, and what it leaves out."""

import io
import os
import shutil
import socket
import tarfile
from pathlib import Path

import pytest
from every_case import every_case

from sandbox import snapshot
from sandbox.errors import ArchiveRefused
from sandbox.snapshot import Entry, Snapshot


def paths(root):
    return [entry.path for entry in snapshot.take(root).entries]


def test_caches_version_control_and_environments_stay_outside(tmp_path):
    for name in ("a.py", ".git/config", "__pycache__/a.pyc", "env/pyvenv.cfg", "env/lib/x.py", "pkg/b.py"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("")
    assert paths(tmp_path) == ["a.py", "pkg/b.py"]


def test_links_are_recorded_and_never_followed(tmp_path):
    secret = tmp_path / "secret"
    secret.mkdir()
    (secret / "key").write_text("s3cret")
    project = tmp_path / "project"
    project.mkdir()
    (project / "file").symlink_to(secret / "key")
    (project / "directory").symlink_to(secret)
    taken = snapshot.take(project)
    assert [(entry.path, entry.link) for entry in taken.entries] == [("file", str(secret / "key"))]
    assert b"s3cret" not in taken.archive()
    assert taken.files == {}


def test_links_to_directories_around_them_or_outside_are_left_out(tmp_path):
    """pytest follows them: it looked for tests in the whole file system of the sandbox."""
    for name, target in (
        ("root", "/"),
        ("itself", "."),
        ("above", ".."),
        ("package/top", ".."),
        ("package/round", "../link"),
        ("gone", "nowhere"),
        ("link", "package"),
    ):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).symlink_to(target)
    assert paths(tmp_path) == ["gone", "link"]


def test_special_files_are_skipped(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(tmp_path / "s"))
        assert paths(tmp_path) == []


@pytest.mark.parametrize(("name", "deepest"), [("a", 5), ("a" * 200, snapshot.DEEPEST)])
def test_directories_beyond_what_can_be_followed_are_left_out(tmp_path, monkeypatch, name, deepest):
    """Too deep for whoever walks by recursion; with a longer path than the system takes."""
    monkeypatch.setattr(snapshot, "DEEPEST", deepest)
    monkeypatch.chdir(tmp_path)
    for _ in range(21):
        Path(name).mkdir()
        os.chdir(name)
        Path("file").touch()
        Path("link").symlink_to("file")
    taken = paths(tmp_path)
    depths = {path.count("/") for path in taken}
    assert depths == set(range(1, max(depths) + 1))
    assert len(taken) == 2 * len(depths)
    assert max(depths) == 5 if deepest == 5 else 15 < max(depths) < 21
    os.chdir(tmp_path)
    old = Path("old")
    while Path(name).exists():  # by its whole path it could not be removed
        Path(name).rename(old)
        if (old / name).exists():
            (old / name).rename(name)
        shutil.rmtree(old)


def test_what_goes_while_it_is_read_is_left_out(tmp_path, monkeypatch):
    (tmp_path / "stays").write_text("")
    (tmp_path / "goes").write_text("")
    (tmp_path / "link").symlink_to("stays")

    def listed(path):
        entries = list(os.scandir(path))
        (tmp_path / "goes").unlink()
        (tmp_path / "link").unlink()
        (tmp_path / "link").write_text("")
        return entries

    monkeypatch.setattr(snapshot, "_entries", listed)
    assert paths(tmp_path) == ["link", "stays"]


def test_the_digest_tells_contents_names_and_modes_apart(tmp_path):
    file, digests = tmp_path / "a", set()
    for change in (
        lambda: file.write_text("1"),
        lambda: file.write_text("2"),
        lambda: file.chmod(0o755),
        lambda: file.rename(tmp_path / "b"),
    ):
        change()
        digests.add(snapshot.take(tmp_path).digest)
    assert len(digests) == 4


def test_the_archive_holds_what_was_taken(tmp_path):
    (tmp_path / "a b").write_bytes(b"\xff\r\n")
    (tmp_path / "a b").chmod(0o755)
    with tarfile.open(fileobj=io.BytesIO(snapshot.take(tmp_path).archive())) as tar:
        (member,) = tar.getmembers()
        assert (member.name, member.mode, tar.extractfile(member).read()) == ("a b", 0o755, b"\xff\r\n")


@pytest.fixture
def meanwhile(monkeypatch):
    """Lets something happen to each file between its listing and its reading."""

    def happen(change):
        walked = snapshot._walk

        def walk(root):
            for path, relative, status in sorted(walked(root)):
                change(Path(path))
                yield path, relative, status

        monkeypatch.setattr(snapshot, "_walk", walk)

    return happen


@pytest.mark.parametrize("make", [os.mkfifo, os.mkdir])
def test_a_file_that_was_swapped_for_a_pipe_or_a_directory_is_not_waited_for(tmp_path, meanwhile, make):
    """Nobody writes into the pipe: whoever opened it for reading would wait for ever."""

    def swap(path):
        if path.name == "a.py":
            path.unlink()
            make(path)

    for name in ("a.py", "b.py"):
        (tmp_path / name).write_text("x = 1\n")
    meanwhile(swap)
    assert paths(tmp_path) == ["b.py"]


def test_a_project_of_very_many_files_is_refused(tmp_path, monkeypatch):
    """Each costs memory however empty it is."""
    for number in range(5):
        (tmp_path / f"{number}.py").touch()
    monkeypatch.setattr(snapshot, "ENTRY_LIMIT", 5)
    assert len(paths(tmp_path)) == 5
    (tmp_path / "link").symlink_to("0.py")
    with pytest.raises(ArchiveRefused, match="more than 5 files"):
        snapshot.take(tmp_path)


def test_a_project_that_is_too_large_is_refused(tmp_path, monkeypatch, meanwhile):
    monkeypatch.setattr(snapshot, "TOTAL_LIMIT_BYTES", 1000)
    (tmp_path / "big.py").write_bytes(b"x" * 1001)
    with pytest.raises(ArchiveRefused, match=r"at big\.py"):
        snapshot.take(tmp_path)
    for name in ("big.py", "b.py"):
        (tmp_path / name).write_text("x")
    meanwhile(lambda path: path.write_bytes(b"x" * 700))  # a file counts as large as it has become
    with pytest.raises(ArchiveRefused, match="larger than"):
        snapshot.take(tmp_path)


@every_case("path", ["../x.py", "/x.py", "a/../../x.py", "a//x.py"])
def test_no_file_is_laid_out_beside_the_project(path, tmp_path):
    with pytest.raises(ArchiveRefused, match="leads out of the project"):
        Snapshot(entries=()).with_files({path: b""})
    with pytest.raises(ArchiveRefused, match="leads out of the project"):
        Snapshot(entries=(Entry(path=path),)).lay_out(tmp_path / "project")
    assert list(tmp_path.rglob("*.py")) == []


def test_other_contents_keep_the_mode_of_a_file():
    before = Snapshot(entries=(Entry(path="b.py", executable=True), Entry(path="c", link="b.py")))
    after = before.with_files({"b.py": b"1", "a.py": b"2", "c": b"3"})
    assert after.entries == (
        Entry(path="a.py", data=b"2"),
        Entry(path="b.py", data=b"1", executable=True),
        Entry(path="c", data=b"3"),
    )

"""What a snapshot takes along of a project, and what it leaves out."""

import io
import os
import socket
import tarfile

import pytest

from sandbox import snapshot
from sandbox.errors import ArchiveRefused


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
    (project / "folder").symlink_to(secret)
    taken = snapshot.take(project)
    assert [(entry.path, entry.link) for entry in taken.entries] == [
        ("file", str(secret / "key")),
        ("folder", str(secret)),
    ]
    assert b"s3cret" not in taken.archive()
    assert taken.files == {}


def test_special_files_are_skipped(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(tmp_path / "s"))
        assert paths(tmp_path) == []


def test_a_project_that_is_too_large_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(snapshot, "TOTAL_LIMIT_BYTES", 10)
    (tmp_path / "big").write_bytes(b"x" * 11)
    with pytest.raises(ArchiveRefused, match="at big"):
        snapshot.take(tmp_path)


def test_the_digest_tells_contents_names_and_modes_apart(tmp_path):
    file = tmp_path / "a"
    file.write_text("1")
    digests = {snapshot.take(tmp_path).digest}
    file.write_text("2")
    digests.add(snapshot.take(tmp_path).digest)
    file.chmod(0o755)
    digests.add(snapshot.take(tmp_path).digest)
    file.rename(tmp_path / "b")
    digests.add(snapshot.take(tmp_path).digest)
    assert len(digests) == 4


def test_the_archive_holds_what_was_taken(tmp_path):
    (tmp_path / "a b").write_bytes(b"\xff\r\n")
    (tmp_path / "a b").chmod(0o755)
    with tarfile.open(fileobj=io.BytesIO(snapshot.take(tmp_path).archive())) as tar:
        (member,) = tar.getmembers()
        assert (member.name, member.mode, tar.extractfile(member).read()) == ("a b", 0o755, b"\xff\r\n")

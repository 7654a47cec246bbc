"""Archives of broken programs: the same bytes from the same files, and only the one that is pinned."""

import os

import pytest

from benchmarks.datasets import packed
from bot.errors import ConfigurationError, MachineError


@pytest.fixture
def files(tmp_path):
    directory = tmp_path / "files"
    (directory / "one" / "project").mkdir(parents=True)
    (directory / "one" / "project" / "a.py").write_bytes(b"a = 1\r\n")
    (directory / "one" / "project" / "a.pyc").write_bytes(b"left out")
    (directory / "manifest.yaml").write_bytes(b"[]\n")
    (directory / "link").symlink_to("/etc/passwd")
    return directory


def contents(directory):
    return {
        str(path.relative_to(directory)): path.read_bytes() for path in directory.rglob("*") if path.is_file()
    }


def test_what_was_packed_comes_back(files, tmp_path):
    packed.pack(files, tmp_path / "one.tar.xz")
    packed.unpack(tmp_path / "one.tar.xz", tmp_path / "new" / "place")
    assert contents(tmp_path / "new" / "place") == {
        "one/project/a.py": b"a = 1\r\n",
        "manifest.yaml": b"[]\n",
    }


def test_equal_files_give_equal_bytes(files, tmp_path):
    first = packed.pack(files, tmp_path / "one.tar.xz")
    os.utime(files / "manifest.yaml", (0, 0))
    (files / "manifest.yaml").chmod(0o755)
    assert packed.pack(files, tmp_path / "two.tar.xz") == first


def test_a_collection_is_a_directory_or_an_archive_that_is_unpacked_once(files, tmp_path):
    archive = tmp_path / "one.tar.xz"
    packed.pack(files, archive)
    assert packed.unpacked(files, tmp_path / "cache") == files
    place = packed.unpacked(archive, tmp_path / "cache")
    (place / "manifest.yaml").write_bytes(b"kept")
    assert packed.unpacked(archive, tmp_path / "cache") == place
    assert contents(place)["manifest.yaml"] == b"kept"


def test_an_archive_of_ours_that_was_changed_is_refused(files, tmp_path, monkeypatch):
    packed.pack(files, tmp_path / "one.tar.xz")
    (tmp_path / "SHA256SUMS").write_text(f"{'0' * 64}  one.tar.xz\n", "utf-8")
    monkeypatch.setattr(packed, "DATA", tmp_path)
    monkeypatch.setattr(packed, "SUMS", tmp_path / "SHA256SUMS")
    with pytest.raises(ConfigurationError, match="is not the archive that"):
        packed.unpacked(tmp_path / "one.tar.xz", tmp_path / "cache")


def test_what_is_no_archive_is_one_sentence(tmp_path):
    (tmp_path / "bad.tar.xz").write_bytes(b"no archive")
    with pytest.raises(MachineError, match=r"bad\.tar\.xz cannot be unpacked"):
        packed.unpack(tmp_path / "bad.tar.xz", tmp_path / "new")
    assert not (tmp_path / "new").exists()

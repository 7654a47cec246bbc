"""Archives of broken programs: unpacked once, and only the one that is pinned."""

import tarfile

import pytest

from benchmarks.datasets import packed
from bot.errors import ConfigurationError, MachineError


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

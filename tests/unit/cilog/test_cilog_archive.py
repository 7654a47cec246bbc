"""Where a log may lie."""

import gzip
import io
import os
import threading
import zipfile

import pytest
from ci_logs import lines

from bot.cilog import archive, pieces_of
from bot.errors import ConfigurationError


def read(path):
    return list(lines(pieces_of(path)))


def zipped(path, files):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as whole:
        for name, data in files.items():
            whole.writestr(name, data)
    return path


def zip_of(data):
    held = io.BytesIO()
    zipped(held, {"1_test.txt": data})
    return held.getvalue()


def test_a_file_plain_or_compressed(tmp_path):
    plain, compressed = tmp_path / "a.log", tmp_path / "a.gz"
    plain.write_bytes(b"one\ntwo")
    compressed.write_bytes(gzip.compress(b"one\ntwo"))

    assert read(plain) == read(compressed) == ["one", "two"]


def test_an_archive_of_a_run_is_read_once_by_its_jobs(tmp_path):
    stamp = b"\xef\xbb\xbf2024-01-01T00:00:00.0000000Z "
    files = {"10_b.txt": stamp + b"b", "2_a.txt": stamp + b"a", "a/1_step.txt": stamp + b"a", "x.bin": b"x"}

    assert read(zipped(tmp_path / "logs", files)) == ["a", "b"]


def test_an_archive_of_steps_and_a_directory_are_read_in_the_steps_order(tmp_path):
    files = {"job/10_late.txt": b"late", "job/2_early.txt": b"early\n"}
    for name, data in files.items():
        (tmp_path / "out" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "out" / name).write_bytes(data)

    assert read(zipped(tmp_path / "a.zip", files)) == ["early", "late"]
    assert read(tmp_path / "out") == ["early", "late"]


def test_names_that_climb_out_are_only_names(tmp_path):
    assert read(zipped(tmp_path / "a.zip", {"../../outside.txt": b"text"})) == ["text"]
    assert [one.name for one in tmp_path.iterdir()] == ["a.zip"]


def test_what_unpacks_without_end_is_cut(tmp_path, monkeypatch):
    monkeypatch.setattr(archive, "MAX_BYTES", 1_000)

    assert sum(map(len, pieces_of(zipped(tmp_path / "a.zip", {"a.txt": b"x" * 1_000_000})))) == 1_000


def packed_otherwise(path):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_LZMA) as whole:
        whole.writestr("a.txt", b"text" * 99)


def named_badly(path):
    zipped(path, {"\u00e9.txt": b"text"})
    path.write_bytes(path.read_bytes().replace("\u00e9".encode(), b"\xff\xff"))


@pytest.mark.parametrize(
    ("write", "words"),
    [
        (lambda path: path.write_bytes(b"PK\x03\x04 broken"), ""),
        (lambda path: path.write_bytes(gzip.compress(b"text" * 999, mtime=0)[:20]), ""),
        (packed_otherwise, "it is compressed otherwise"),
        (named_badly, ""),
        (lambda path: None, "No such file"),
    ],
    ids=["zip", "gzip", "packed otherwise", "names that are no text", "missing"],
)
def test_what_cannot_be_read_is_told(tmp_path, write, words):
    write(tmp_path / "a.zip")

    with pytest.raises(ConfigurationError, match=f"cannot read the log .*: {words}"):
        read(tmp_path / "a.zip")


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_what_windows_powershell_has_written_is_read(tmp_path, monkeypatch, encoding):
    monkeypatch.setattr(archive, "PIECE", 7)  # cuts characters
    path = tmp_path / "a.log"
    path.write_bytes("\ufeff2024-01-01T00:00:00.0000000Z ü 𝄞\r\nnext".encode(encoding))

    assert read(path) == ["ü 𝄞", "next"]


@pytest.mark.parametrize("packed", [bytes, gzip.compress, zip_of], ids=["plain", "gzip", "zip"])
def test_a_pipe_is_read(tmp_path, packed):
    path = tmp_path / "pipe"
    os.mkfifo(path)
    writer = threading.Thread(target=path.write_bytes, args=(packed(b"one\ntwo\n"),))
    writer.start()
    assert read(path) == ["one", "two"]
    writer.join()


def test_a_link_among_unpacked_logs_is_not_followed(tmp_path):
    """Who unpacked an archive may have made a link that leads to a key."""
    key = tmp_path / "key"
    key.write_text("a key")
    logs = tmp_path / "logs"
    logs.mkdir()
    (logs / "1_test.txt").write_text("one")
    (logs / "2_test.txt").symlink_to(key)
    (logs / "more").symlink_to(tmp_path)

    assert read(logs) == ["one"]

"""A stranger's tarball: read into memory, never followed, never larger than it may be."""

import gzip
import io
import os
import tarfile

import pytest
from every_case import every_case
from fakes.github import Executable, Link, Submodule
from fakes.github.routes_repository import tarball
from hypothesis import given
from hypothesis import strategies as st

from bot.errors import GitHubError
from bot.github.archive import NOTES, unpack
from examples import examples
from sandbox.snapshot import take


def _member(name: str, data: bytes = b"", **fields: object) -> tuple[tarfile.TarInfo, bytes]:
    info = tarfile.TarInfo(name)
    info.size = len(data)
    for key, value in fields.items():
        setattr(info, key, value)
    return info, data


def _archive(*members: tuple[tarfile.TarInfo, bytes]) -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=tarfile.PAX_FORMAT) as tar:
        for info, data in members:
            tar.addfile(info, io.BytesIO(data))
    return gzip.compress(buffer.getvalue())


def test_githubs_tarball_is_the_tree_at_its_commit(github):
    files = {
        "pkg/mod.py": b"x = 1\n",
        "run.sh": Executable(b"#!/bin/sh\n"),
        "link": Link("../../etc/passwd"),
        "environ": Link("/proc/self/environ"),
        "sub": Submodule("1" * 40),
        "a\nb.py": b"newline",
        "\udcff.py": b"no UTF-8",
        "empty": b"",
        "x" * 250 + ".py": b"long",
        ".git/config": b"never",
        "node_modules/x.py": b"never",
        "pkg/__pycache__/mod.pyc": b"never",
    }
    sha = github.server.world.push(github.repository, "main", files)
    found = unpack(github.client.archive(sha, limit=1_000_000))
    by_path = {entry.path: entry for entry in found.snapshot.entries}
    assert found.sha == sha
    assert found.notes == ()
    assert set(by_path) == {"app.py", *files} - {
        *("sub", ".git/config", "node_modules/x.py", "pkg/__pycache__/mod.pyc")
    }
    assert by_path["run.sh"].executable
    assert not by_path["pkg/mod.py"].executable
    assert by_path["environ"].link == "/proc/self/environ"
    assert by_path["environ"].data == b""
    assert "environ" not in found.snapshot.files
    assert by_path["\udcff.py"].data == b"no UTF-8"


def test_it_is_the_same_as_a_directory_read(github, tmp_path):
    sha = github.server.world.push(
        github.repository, "main", {"d/e.py": b"1", "s": Executable(b"2"), "l": Link("d/e.py")}
    )
    packed = tarball(github.repository, sha)
    with tarfile.open(fileobj=io.BytesIO(packed)) as tar:
        tar.extraction_filter = lambda member, _path: member  # a word for it came with 3.11.4
        tar.extractall(tmp_path)
    (top,) = tmp_path.iterdir()
    assert unpack(packed).snapshot.digest == take(top).digest


@every_case(
    "name",
    [
        "../evil.py",
        "top/../../evil.py",
        "/etc/passwd",
        "top//etc/passwd",
        "top/./x",
        "..",
        "top/a/../b",
        "./top/x",
    ],
)
def test_a_name_that_leads_elsewhere_is_left_out(name):
    found = unpack(_archive(_member("top/good.py", b"1"), _member(name, b"evil")))
    assert [entry.path for entry in found.snapshot.entries] == ["good.py"]
    assert len(found.notes) == 1
    assert "no path in a repository" in found.notes[0]


@every_case("kind", [tarfile.LNKTYPE, tarfile.CHRTYPE, tarfile.BLKTYPE, tarfile.FIFOTYPE, tarfile.CONTTYPE])
def test_what_git_does_not_have_is_left_out(kind):
    found = unpack(_archive(_member("top/a", b"1"), _member("top/odd", type=kind, linkname="top/a")))
    paths = [entry.path for entry in found.snapshot.entries]
    assert paths == (["a", "odd"] if kind == tarfile.CONTTYPE else ["a"])
    assert all("neither a file nor a link" in note for note in found.notes)


def test_nothing_lies_below_a_link_or_a_file_and_a_path_that_comes_twice_is_the_last():
    link, file = _member("top/d", type=tarfile.SYMTYPE, linkname="/etc"), _member("top/f", b"first")
    below = _member("top/d/passwd", b"evil"), _member("top/f/g/h", b"evil")
    found = unpack(_archive(link, file, *below, _member("top/f", b"second")))
    assert [entry.path for entry in found.snapshot.entries] == ["d", "f"]
    assert found.snapshot.files == {"f": b"second"}
    assert len(found.notes) == 2


def test_a_bomb_does_not_go_off():
    bomb = _archive(_member("top/big", b"\0" * 30_000_000))
    assert len(bomb) < 100_000
    with pytest.raises(GitHubError, match="larger than 8 MiB"):
        unpack(bomb, limit=8 * 1024 * 1024)
    assert len(unpack(bomb).snapshot.files["big"]) == 30_000_000


def test_many_entries_are_too_many():
    members = [_member(f"top/{number}") for number in range(101)]
    with pytest.raises(GitHubError, match="more than 100 entries"):
        unpack(_archive(*members), entries=100)
    assert len(unpack(_archive(*members), entries=101).snapshot.entries) == 101


def test_a_sparse_file_is_not_made_large():
    info, _ = _member("top/sparse")
    info.pax_headers = {
        "GNU.sparse.major": "0",
        "GNU.sparse.minor": "1",
        "GNU.sparse.name": "top/sparse",
        "GNU.sparse.size": str(1 << 60),
        "GNU.sparse.numblocks": "1",
        "GNU.sparse.map": f"{1 << 59},0",
    }
    found = unpack(_archive((info, b""), _member("top/a", b"1")))
    assert found.snapshot.files == {"a": b"1"}


def test_a_size_that_lies_is_an_error():
    raw = bytearray(gzip.decompress(_archive(_member("top/a", b"1" * 600))))
    info = tarfile.TarInfo("top/a")
    info.size = 1 << 40
    raw[:512] = info.tobuf(format=tarfile.GNU_FORMAT)
    with pytest.raises(GitHubError):
        unpack(gzip.compress(bytes(raw)))


def test_a_cut_archive_is_an_error():
    whole = _archive(_member("top/a", os.urandom(50_000)))
    for length in (0, 5, 100, len(whole) // 2, len(whole) - 10):
        with pytest.raises(GitHubError, match="cannot be read"):
            unpack(whole[:length])


@every_case("kind", [tarfile.GNUTYPE_LONGNAME, tarfile.XHDTYPE])
def test_headers_of_headers_without_end_are_an_error(kind):
    header = tarfile.TarInfo("long")
    header.type = kind
    chain = header.tobuf(tarfile.GNU_FORMAT) * 2_000
    with pytest.raises(GitHubError, match="RecursionError"):
        unpack(gzip.compress(chain))


@examples(60)
@given(st.binary(max_size=2_000), st.booleans())
def test_any_bytes_are_files_or_an_error(data, zipped):
    try:
        found = unpack(gzip.compress(data) if zipped else data)
    except GitHubError as error:
        assert str(error).isprintable()  # noqa: PT017 - either is right
    else:
        assert all(not entry.path.startswith("/") for entry in found.snapshot.entries)


def test_paths_that_are_deeper_than_any_project_take_no_time():
    """Sixty thousand such names, which weigh little, would keep a processor busy for minutes."""
    deep = "a/" * 2000 + "x.py"
    found = unpack(_archive(*(_member(f"top/{number}/{deep}") for number in range(300)), _member("top/a.py")))
    assert [entry.path for entry in found.snapshot.entries] == ["a.py"]
    assert (len(found.notes), found.notes[-1]) == (NOTES + 1, "and more")


@every_case(
    "member",
    [
        _member("top/link", type=tarfile.SYMTYPE, linkname="a/" * 500_000),
        _member("top/link", type=tarfile.SYMTYPE, linkname="x" * 300),
        _member("top/" + "x" * 300),
        _member("top/" + ("x" * 250 + "/") * 17),
    ],
)
def test_what_no_file_system_takes_is_left_out(member):
    """One such name, and nothing of the project could be unpacked in a sandbox."""
    found = unpack(_archive(member, _member("top/a.py")))
    assert [entry.path for entry in found.snapshot.entries] == ["a.py"]
    assert len(found.notes) == 1

"""Repositories that unpack to more than is read: their sizes are known before they take memory."""

import hashlib
import struct
import tracemalloc
import zlib

import pytest
from dulwich.objects import Blob, Commit, Tree
from dulwich.pack import write_pack_index
from dulwich.repo import Repo
from git_support import base_of

from bot.environments.versions import git_objects
from bot.environments.versions.checkout import commit_time

SIZE = 60_000_000
MEMORY = 40_000_000


@pytest.fixture
def top(tmp_path):
    Repo.init(str(tmp_path), default_branch=b"main").close()
    return tmp_path


def packed(data):
    """``data`` in chunks, as little as zlib makes of it."""
    compressor = zlib.compressobj(9)
    return compressor.compress(data) + compressor.flush()


def loose(top, kind, data, *, said=None):
    """Write a loose object; ``said`` is the size that its header names."""
    whole = b"%s %d\0" % (kind, len(data)) + data
    name = hashlib.sha1(whole, usedforsecurity=False).hexdigest()
    place = top / ".git" / "objects" / name[:2] / name[2:]
    place.parent.mkdir(exist_ok=True)
    header = b"%s %d\0" % (kind, len(data) if said is None else said)
    place.write_bytes(packed(header + data))
    return name


def commit_of(top, blob, *, tree=None):
    """The commit whose ``m.py`` is ``blob``, as loose objects; HEAD is it."""
    if tree is None:
        tree = loose(top, b"tree", b"100644 m.py\0" + bytes.fromhex(blob))
    lines = f"tree {tree}\nauthor A <a> 1500000000 +0000\ncommitter A <a> 1500000000 +0000\n\nm\n"
    name = loose(top, b"commit", lines.encode())
    (top / ".git" / "refs" / "heads" / "main").write_text(f"{name}\n")
    return name


def base(top, wanted="auto", **more):
    """The version to compare a project of one other file with."""
    return base_of(top, wanted, {"m.py": "x = 1\n"}, **more)


def in_little_memory(find, *given):
    """What ``find`` finds."""
    tracemalloc.start()
    try:
        found = find(*given)
        assert tracemalloc.get_traced_memory()[1] < MEMORY
        return found
    finally:
        tracemalloc.stop()


def test_the_time_of_a_commit_that_unpacks_to_much_is_not_known(top):
    name = loose(top, b"commit", b"tree " + b"0" * 40 + b"\n" * SIZE)
    (top / ".git" / "refs" / "heads" / "main").write_text(f"{name}\n")
    assert in_little_memory(commit_time, top) is None


def number(value):
    """A number as deltas have it."""
    found = bytearray()
    while value > 0x7F:
        found.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*found, value])


def header(kind, size):
    """The header of a pack's entry."""
    first, rest = kind << 4 | size & 0x0F, size >> 4
    return bytes([first | 0x80]) + number(rest) if rest else bytes([first])


def pack(top, entries):
    """A pack of ``entries``, by name: kind, size, what stands before the packed data, and the data."""
    data, index = bytearray(b"PACK" + struct.pack(">II", 2, len(entries))), []
    for name, (kind, size, before, content) in entries.items():
        entry = header(kind, size) + before(len(data), index) + packed(content)
        index.append((bytes.fromhex(name), len(data), zlib.crc32(entry)))
        data += entry
    checksum = hashlib.sha1(data, usedforsecurity=False).digest()
    place = top / ".git" / "objects" / "pack"
    (place / "pack-0.pack").write_bytes(bytes(data) + checksum)
    with (place / "pack-0.idx").open("wb") as file:
        write_pack_index(file, sorted(index), checksum)


def nothing(_offset, _index):
    return b""


def back(offset, index):
    """The base is the entry before."""
    distance = offset - index[-1][1]
    found = [distance & 0x7F]
    while distance := distance >> 7:
        distance -= 1
        found.append(distance & 0x7F | 0x80)
    return bytes(reversed(found))


def copies(base, result):
    """A delta that repeats a base until ``result`` bytes are there."""
    copy = bytes([0x80 | 0x10 | 0x20 | 0x40]) + base.to_bytes(3, "little")
    return number(base) + number(result) + copy * (result // base)


A, B = "a" * 40, "b" * 40


def delta(*, by_name):
    """A pack with an object that repeats another; by its name, or by its place."""
    base = 60_000
    data = copies(base, SIZE)
    before = (lambda *_: bytes.fromhex(B)) if by_name else back
    return {B: (3, base, nothing, b"#" * base), A: (7 if by_name else 6, len(data), before, data)}


LARGE = {
    "a loose object": lambda top: loose(top, b"blob", b"#" * SIZE),
    "a loose object that lies": lambda top: loose(top, b"blob", b"#" * SIZE, said=10),
    "a packed object": lambda top: pack(top, {A: (3, SIZE, nothing, b"#" * SIZE)}),
    "a packed object that lies": lambda top: pack(top, {A: (3, 5, nothing, b"#" * SIZE)}),
    "a delta": lambda top: pack(top, delta(by_name=False)),
    "a delta of a name": lambda top: pack(top, delta(by_name=True)),
}


@pytest.mark.parametrize("make", LARGE.values(), ids=LARGE)
def test_what_unpacks_to_much_is_not_unpacked(top, make):
    commit_of(top, make(top) or A)
    found = in_little_memory(base, top)
    assert found.sources == {}
    assert found.problem


def test_a_tree_that_unpacks_to_much_is_a_reason(top):
    commit_of(top, "", tree=loose(top, b"tree", b"\0" * SIZE))
    assert "too large" in in_little_memory(base, top).problem


def test_deltas_that_give_much_together_are_not_applied(top, monkeypatch):
    monkeypatch.setattr(git_objects, "MAX_CHAIN", 3_000_000)
    size = 60_000
    delta = copies(size, size)
    names = [f"{number:040x}" for number in range(1, 100)]
    pack(top, {B: (3, size, nothing, b"#" * size)} | {n: (6, len(delta), back, delta) for n in names})
    commit_of(top, names[-1])
    assert base(top).sources == {}
    commit_of(top, names[10])
    # It is read, and found to have another name than it says.
    assert "ChecksumMismatch" in base(top).problem


def test_an_object_with_no_size_is_not_read(top):
    name = commit_of(top, loose(top, b"blob", b"y\n"))
    (top / ".git" / "objects" / name[:2] / name[2:]).write_bytes(packed(b"commit x"))
    assert base(top).problem


@pytest.mark.parametrize("name", ["packed-refs", "shallow", "refs/heads/x", "objects/info/commit-graph"])
def test_a_large_file_that_would_be_read_as_a_whole_is_a_reason(top, name):
    commit_of(top, loose(top, b"blob", b"y\n"))
    place = top / ".git" / name
    with place.open("wb") as file:
        file.truncate(SIZE)
    assert "is too large" in in_little_memory(base, top).problem
    assert commit_time(top) is None


@pytest.mark.parametrize("name", ["index", "lfs/objects/a", "objects/pack/pack-1.rev", "objects/00/x"])
def test_a_large_file_that_nobody_reads_is_no_matter(top, name):
    commit_of(top, loose(top, b"blob", b"y = 2\n"))
    place = top / ".git" / name
    place.parent.mkdir(parents=True, exist_ok=True)
    with place.open("wb") as file:
        file.truncate(SIZE)
    assert base(top).sources == {"m.py": "y = 2\n"}


def test_packed_objects_with_deltas_are_read(checkout):
    text = "".join(f"x{n} = {n}\n" for n in range(2_000))
    commits = [checkout.commit({"m.py": f"{text}y = {version}\n"}) for version in range(4)]
    objects = checkout.repository.object_store
    objects.pack_loose_objects()
    assert {type(objects[name]) for name in objects} == {Blob, Tree, Commit}
    assert base(checkout.top, commits[1].decode()).sources == {"m.py": f"{text}y = 1\n"}


@pytest.mark.parametrize(("limit", "value"), [("MAX_TOTAL", 1_000), ("MAX_TREE", 20), ("MAX_READ", 1)])
def test_all_objects_together_have_limits(top, monkeypatch, limit, value):
    monkeypatch.setattr(git_objects, limit, value)
    commit_of(top, loose(top, b"blob", b"y = 2\n" * 500))
    assert "too large" in base(top).problem


def test_a_repository_of_very_many_packs_is_not_read(top, monkeypatch):
    monkeypatch.setattr(git_objects, "MAX_PACKS", 0)
    pack(top, {A: (3, 2, nothing, b"y\n")})
    commit_of(top, A)
    assert "packs" in base(top).problem
    assert commit_time(top) is None


@pytest.mark.parametrize("size", [SIZE, 2])
def test_what_another_repository_lends_is_read_within_the_limits(top, tmp_path_factory, size):
    other = tmp_path_factory.mktemp("other")
    Repo.init(str(other)).close()
    commit_of(top, loose(other, b"blob", b"#" * size))
    info = top / ".git" / "objects" / "info"
    info.mkdir(exist_ok=True)
    # Itself, a hundred times, and the other.
    (info / "alternates").write_text(f"{other}/.git/objects\n" + f"{top}/.git/objects\n" * 100)
    assert in_little_memory(base, top, "main").sources == ({} if size == SIZE else {"m.py": "##"})


def test_a_reference_to_itself_has_a_reason(top):
    (top / ".git" / "refs" / "heads" / "main").write_text("ref: refs/heads/main\n")
    assert "SymrefLoop" in base(top).problem


def test_a_diff_of_very_many_parts_is_not_read(top):
    part = "@@ -1 +1 @@\n-a\n+b\n"
    assert "too large" in base(top, diff="--- a/m.py\n+++ b/m.py\n" + part * 20_000).problem

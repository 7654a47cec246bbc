"""Git's objects, read within limits: how much an object unpacks to is known before it is unpacked.

A few kilobytes of a hostile repository can unpack to gigabytes. The sizes stand in the header of a loose
object, in that of a pack's entry, and at the beginning of a delta. A stream that gives more than its header
says is an error of the library.
"""

from __future__ import annotations

import os
import struct
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from dulwich.errors import ApplyDeltaError, ChecksumMismatch, NotGitRepository, ObjectFormatException
from dulwich.object_store import DiskObjectStore
from dulwich.objects import hex_to_sha, sha_to_hex
from dulwich.pack import UnresolvedDeltas
from dulwich.refs import SymrefLoop
from dulwich.repo import Repo

if TYPE_CHECKING:
    from dulwich.object_format import ObjectFormat
    from dulwich.objects import ObjectID, RawObjectID
    from dulwich.pack import Pack

DAMAGED = (
    *(NotGitRepository, ObjectFormatException, ChecksumMismatch, ApplyDeltaError, UnresolvedDeltas),
    *(SymrefLoop, BufferError, OSError, zlib.error, struct.error),
)
"""What the library raises for a repository that is none, or no longer one."""

MAX_OBJECT = 16_000_000
"""Bytes of one object or delta, unpacked: no tree and no source of a person is larger."""
MAX_CHAIN_LENGTH = 4_096
MAX_CHAIN = 512_000_000
"""Bytes of all that the deltas of one object give in turn."""
MAX_TREE = 4_000_000
"""Bytes of a directory: what is made of them takes ten times as much."""
MAX_TOTAL, MAX_READ = 256_000_000, 20_000
"""Bytes, and number, of all objects that are read of one repository."""
MAX_PACKS, MAX_ALTERNATES = 500, 8

_HEAD = 256
_TREE, _OFFSET_DELTA, _NAME_DELTA = 2, 6, 7


class LimitError(Exception):
    """A repository whose objects would unpack to more than is read; the library takes no such error."""


class TooLargeError(LimitError):
    """One object that would; others may be read."""


@contextmanager
def opened(top: Path) -> Iterator[Repo]:
    """The repository at ``top``, whose objects are read within the limits."""
    repository = Repo(str(top))
    try:
        repository.object_store.close()
        path = Path(repository.commondir(), "objects")
        repository.object_store = _store(path, repository.object_format)
        yield repository
    finally:
        repository.close()


class _Store(DiskObjectStore):
    """Objects of a directory; what is too large is an error before it takes memory."""

    _bytes = _count = 0
    is_alternate = False

    @property
    def alternates(self) -> list[DiskObjectStore]:  # type: ignore[override]
        if self._alternates is None and self.is_alternate:
            self._alternates = []  # of others' others, nothing is read
        elif self._alternates is None:
            places = [Path(one.path) for one in super().alternates if isinstance(one, DiskObjectStore)]
            others = list(dict.fromkeys(places))[:MAX_ALTERNATES]
            self._alternates = [_store(one, self.object_format, is_alternate=True) for one in others]
        return self._alternates  # type: ignore[return-value]

    def get_midx(self) -> None:
        """None: an index of several packs says nothing that theirs do not say."""

    def get_commit_graph(self) -> None:
        """None: the commits themselves say it, within the limits."""

    def get_raw(self, name: RawObjectID | ObjectID) -> tuple[int, bytes]:
        size = self.object_format.oid_length
        sha = name if len(name) == size else hex_to_sha(name)  # type: ignore[arg-type]
        for pack in self.packs:
            _check_packed(pack, sha, size)  # type: ignore[arg-type]
        hexadecimal = sha_to_hex(sha).decode()  # type: ignore[arg-type]
        _check_loose(Path(self.path, hexadecimal[:2], hexadecimal[2:]))
        found, problem = (0, b""), ""
        try:
            found = super().get_raw(name)
        except zlib.error as error:
            problem = str(error)  # its frames hold the pack's memory, which could not be closed
        if problem:
            raise zlib.error(problem)
        if found[0] == _TREE and len(found[1]) > MAX_TREE:
            raise TooLargeError(f"a directory of {len(found[1])} bytes")
        self._bytes += len(found[1])
        self._count += 1
        if self._bytes > MAX_TOTAL or self._count > MAX_READ:
            raise LimitError(f"{self._count} objects have {self._bytes} bytes")
        return found


def _store(path: Path, object_format: ObjectFormat, *, is_alternate: bool = False) -> _Store:
    packs = path / "pack"
    if packs.is_dir() and sum(1 for one in packs.iterdir() if one.suffix == ".pack") > MAX_PACKS:
        raise LimitError(f"more than {MAX_PACKS} packs")
    # The limit holds for a header that says less than what comes.
    found = _Store(path, object_format=object_format, loose_object_size_limit=MAX_OBJECT)
    found.is_alternate = is_alternate
    return found


def _check_loose(path: Path) -> None:
    try:
        with path.open("rb") as file:
            packed = os.fstat(file.fileno()).st_size
            head = zlib.decompressobj().decompress(file.read(_HEAD), _HEAD)
    except FileNotFoundError:
        return
    size = head.partition(b"\0")[0].partition(b" ")[2]
    # Without its zero byte in the beginning, it is no object of today's git.
    if b"\0" not in head or not size.isdigit():
        raise TooLargeError("an object whose size is not known")
    _check(max(int(size), packed - _HEAD))


def _check_packed(pack: Pack, sha: RawObjectID, hash_size: int) -> None:
    """Check the entry of ``sha`` in ``pack``, if it has one, and all entries that it is made from."""
    try:
        offset = pack.index.object_offset(sha)
    except KeyError:
        return
    total = 0
    with Path(pack.data.path).open("rb") as file:
        for _ in range(MAX_CHAIN_LENGTH):
            kind, size, head = _entry(file, offset)
            _check(size)
            total += size
            if kind not in {_OFFSET_DELTA, _NAME_DELTA}:
                return
            if kind == _NAME_DELTA:
                base, head = head[:hash_size], head[hash_size:]
                offset = pack.index.object_offset(base)  # type: ignore[arg-type]
            else:
                back, head = _base_offset(head)
                offset -= back
            total += _result_size(head)
            if total > MAX_CHAIN:
                break
    raise TooLargeError("an object that is made from too many others")


def _entry(file: BinaryIO, offset: int) -> tuple[int, int, bytes]:
    """Kind and size of the entry at ``offset`` of a pack, and the bytes behind its header."""
    file.seek(offset)
    head = file.read(_HEAD)
    length = _length(head)
    size = head[0] & 0x0F
    for place, byte in enumerate(head[1:length]):
        size |= (byte & 0x7F) << (4 + 7 * place)
    return head[0] >> 4 & 7, size, head[length:]


def _base_offset(head: bytes) -> tuple[int, bytes]:
    """How far before a delta its base lies, and the bytes behind that number."""
    length = _length(head)
    back = head[0] & 0x7F
    for byte in head[1:length]:
        back = (back + 1 << 7) | byte & 0x7F
    return back, head[length:]


def _result_size(packed: bytes) -> int:
    """The size of what a delta gives; its beginning is ``packed``."""
    head = zlib.decompressobj().decompress(packed, _HEAD)
    head = head[_length(head) :]  # the size of its base
    size = 0
    for place, byte in enumerate(head[: _length(head)]):
        size |= (byte & 0x7F) << 7 * place
    _check(size)
    return size


def _length(head: bytes) -> int:
    """How many bytes the number at the beginning of ``head`` takes: each but the last has its high bit."""
    length = next((place for place, byte in enumerate(head) if not byte & 0x80), None)
    if length is None:
        raise TooLargeError("a number that does not end")
    return length + 1


def _check(size: int) -> None:
    if size > MAX_OBJECT:
        raise TooLargeError(f"an object of {size} bytes")

"""Open a log wherever it lies: a file, a compressed one, a directory of them, or GitHub's archive.

GitHub's archive of a run has a file for each job at its top, and a directory for each job with a file for
each step: the same text twice, so the steps are left out where the jobs are there. Names in an archive are
only sorted by, never used as paths, and what unpacks to more than the limit is cut.
"""

import codecs
import gzip
import re
import tempfile
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO

from bot.errors import ConfigurationError

MAX_BYTES = 2_000_000_000
"""Unpacked bytes that are read of an archive or a directory."""

MAX_FILES = 10_000
PIECE = 256 * 1024

_SUFFIXES = (".txt", ".log", ".out", ".xml")
_PACKED = {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}
_UNREADABLE = (
    *(OSError, EOFError, zlib.error, zipfile.BadZipFile, NotImplementedError, RuntimeError),
    ValueError,  # a name in an archive is not in the encoding that it claims
)
_NUMBER = re.compile(r"(\d{1,9})")


def pieces_of(path: Path) -> Iterator[bytes]:
    """The bytes of the log at ``path``, file after file where it is several.

    Raises:
        ConfigurationError: nothing can be read there.
    """
    try:
        yield from _limited(_pieces(path))
    except _UNREADABLE as error:
        reason = getattr(error, "strerror", None) or str(error) or type(error).__name__
        raise ConfigurationError(f"cannot read the log {path}: {reason}") from error


def _pieces(path: Path) -> Iterator[bytes]:
    if path.is_dir():
        every = (one for one in path.rglob("*") if one.suffix in _SUFFIXES and one.is_file())
        # A link is left out: in what was unpacked from an archive, it may lead anywhere.
        files = (one for one in every if not one.is_symlink())
        for one in sorted(files, key=lambda one: _order(one.relative_to(path).as_posix()))[:MAX_FILES]:
            with one.open("rb") as stream:
                yield from _whole(stream)
        return
    with path.open("rb") as stream:
        head = stream.peek(4)
        if head.startswith(b"PK\x03\x04"):
            with tempfile.TemporaryFile(prefix="regreen-") as copy:
                if not stream.seekable():  # an archive is read from its end, and a pipe gives that once
                    for piece in _limited(iter(lambda: stream.read(PIECE), b"")):
                        copy.write(piece)
                yield from _unpacked(stream if stream.seekable() else copy)
        elif head.startswith(b"\x1f\x8b"):
            with gzip.open(stream) as unpacked:
                yield from _whole(unpacked)
        else:
            yield from _whole(stream)


def _unpacked(file: IO[bytes]) -> Iterator[bytes]:
    with zipfile.ZipFile(file) as archive:
        for name in _members(archive.namelist()):
            if archive.getinfo(name).compress_type not in _PACKED:
                raise zipfile.BadZipFile("it is compressed otherwise than GitHub does it")
            with archive.open(name) as member:
                yield from _whole(member)


def _members(names: Iterable[str]) -> list[str]:
    logs = [name for name in names if name.endswith(_SUFFIXES)]
    jobs = [name for name in logs if "/" not in name]
    return sorted(jobs or logs, key=_order)[:MAX_FILES]


def _order(name: str) -> list[tuple[int, str]]:
    """Sorts ``2_test.txt`` before ``10_report.txt``."""
    return [(int(part), "") if part.isdecimal() else (-1, part) for part in _NUMBER.split(name) if part]


def _whole(stream: IO[bytes] | gzip.GzipFile) -> Iterator[bytes]:
    last = b"\n"
    for piece in _as_utf8(iter(lambda: stream.read(PIECE), b"")):
        yield piece
        last = piece or last
    if not last.endswith(b"\n"):
        yield b"\n"


def _as_utf8(pieces: Iterator[bytes]) -> Iterator[bytes]:
    """What begins with UTF-16's mark as UTF-8: so does what Windows PowerShell has written by ``>``."""
    first = next(pieces, b"")
    if not first.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        yield first
        yield from pieces
        return
    decoder = codecs.getincrementaldecoder("utf-16")("replace")
    yield decoder.decode(first).encode()
    for piece in pieces:
        yield decoder.decode(piece).encode()
    yield decoder.decode(b"", final=True).encode()


def _limited(pieces: Iterator[bytes]) -> Iterator[bytes]:
    left = MAX_BYTES
    for piece in pieces:
        yield piece[:left]
        left -= len(piece)
        if left <= 0:
            return

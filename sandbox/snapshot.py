"""A project's files as they are now, read once: what goes into every sandbox, and what a patch edits.

The project may be hostile: links are recorded and never followed, special files are skipped, sizes are
limited. Version control, caches, virtual environments and links to directories around the project or the
link itself stay outside: pytest would look for tests in all that lies behind them.

Of an untrusted archive, ``tarfile`` may read no header that takes it minutes or a gigabyte. A name that is
too long for its field stands in a header of its own, which may claim any length; and some releases of CPython
search one in a time that grows with the square of its digits (CVE-2024-6232).
"""

from __future__ import annotations

import hashlib
import io
import os
import re
import stat
import tarfile
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Self

from sandbox.base import MIB
from sandbox.errors import ArchiveRefused

SKIPPED_DIRECTORIES = frozenset(
    {
        *(".git", ".hg", ".svn", "node_modules", "__pycache__", ".tox", ".nox", ".eggs"),
        *(".mypy_cache", ".pytest_cache", ".ruff_cache", ".hypothesis", ".import_linter_cache"),
    }
)
SKIPPED_SUFFIXES = (".pyc", ".pyo")
TOTAL_LIMIT_BYTES = 400 * MIB
ENTRY_LIMIT = 200_000
# Directories within each other: no project needs that, and whoever walks by recursion could not.
DEEPEST = 200
KINDS = {stat.S_IFREG, stat.S_IFLNK}
ADVICE = "point regreen at the package's own directory"
MAX_PATH_BYTES, MAX_NAME_BYTES = 4095, 255


def can_be_made(path: str) -> bool:
    """Whether Linux takes ``path``, relative to anything short, as the name of a file or a link's target."""
    encoded = path.encode("utf-8", "surrogateescape")
    parts = encoded.split(b"/")
    short = len(encoded) <= MAX_PATH_BYTES - 255 and len(parts) <= DEEPEST
    return bool(path) and b"\0" not in encoded and short and max(map(len, parts)) <= MAX_NAME_BYTES


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A file (``data``) or a symbolic link (``link``, its target as written)."""

    path: str
    data: bytes = b""
    executable: bool = False
    link: str | None = None

    def add_to(self, tar: tarfile.TarFile, *, time_s: int = 0) -> None:
        """Write it to ``tar``, without an owner; its time is ``time_s``."""
        info = tarfile.TarInfo(self.path)
        info.mode, info.mtime = 0o755 if self.executable else 0o644, time_s
        if self.link is not None:
            info.type, info.linkname = tarfile.SYMTYPE, self.link
        info.size = len(self.data)
        tar.addfile(info, io.BytesIO(self.data))


@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshot:
    """The files of one project, sorted by path."""

    entries: tuple[Entry, ...]

    @property
    def files(self) -> dict[str, bytes]:
        """The contents of the plain files by path."""
        return {entry.path: entry.data for entry in self.entries if entry.link is None}

    def with_files(self, files: Mapping[str, bytes]) -> Snapshot:
        """The same with other or further plain ``files``, by path.

        Raises:
            ArchiveRefused: a path leads out of the project.
        """
        for path in files:
            _expect_inside(path)
        found = {entry.path: entry for entry in self.entries}
        for path, data in files.items():
            executable = path in found and found[path].executable
            found[path] = Entry(path=path, data=data, executable=executable)
        return Snapshot(entries=tuple(sorted(found.values(), key=lambda entry: entry.path)))

    @property
    def digest(self) -> str:
        """SHA-256 over names, modes and contents, in hexadecimal."""
        total = hashlib.sha256()
        for entry in self.entries:
            head = f"{entry.path}\0{entry.executable}\0{entry.link}\0{len(entry.data)}\0"
            total.update(head.encode("utf-8", "surrogateescape") + entry.data)
        return total.hexdigest()

    def lay_out(self, root: Path) -> None:
        """Write the files below ``root``; without links, since one could lead anywhere on this machine.

        Raises:
            ArchiveRefused: a path leads out of it.
        """
        for entry in self.entries:
            _expect_inside(entry.path)
            if entry.link is None:
                path = root / entry.path
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(entry.data)
                path.chmod(0o755 if entry.executable else 0o644)

    def archive(self) -> bytes:
        """A tar archive of all entries, without owners and times."""
        buffer = io.BytesIO()
        with tarfile.open(fileobj=buffer, mode="w", format=tarfile.PAX_FORMAT) as tar:
            for entry in self.entries:
                entry.add_to(tar)
        return buffer.getvalue()


def take(root: Path, *, largest: int | None = None) -> Snapshot:
    """Read the project at ``root``; with ``largest``, without files of more bytes than that.

    Raises:
        ArchiveRefused: it is larger than the limit.
        OSError: ``root`` cannot be read.
    """
    entries: list[Entry] = []
    total = 0
    real = os.path.realpath(root)
    for count, (path, relative, status) in enumerate(_walk(root)):
        if count >= ENTRY_LIMIT:
            raise ArchiveRefused(f"the project has more than {ENTRY_LIMIT:,} files (at {relative}): {ADVICE}")
        if stat.S_ISLNK(status.st_mode):
            with suppress(OSError):  # it is none any more
                if not _leads_out(path, real):
                    entries.append(Entry(path=relative, link=os.readlink(path)))
            continue
        if largest is not None and status.st_size > largest:
            continue
        _expect_room(total + status.st_size, relative)
        data = read_plain(path, largest=TOTAL_LIMIT_BYTES)
        if data is not None:
            total += len(data)
            _expect_room(total, relative)  # it may have grown since it was listed
            executable = bool(status.st_mode & stat.S_IXUSR)
            entries.append(Entry(path=relative, data=data, executable=executable))
    return Snapshot(entries=tuple(sorted(entries, key=lambda entry: entry.path)))


def _expect_inside(path: str) -> None:
    if os.path.isabs(path) or os.path.normpath(path) != path or path.startswith(".."):
        raise ArchiveRefused(f"a path leads out of the project: {path!a}")


def _expect_room(total: int, relative: str) -> None:
    if total > TOTAL_LIMIT_BYTES:
        limit = f"{TOTAL_LIMIT_BYTES // MIB} MiB"
        raise ArchiveRefused(f"the project is larger than {limit} (at {relative}): {ADVICE}")


def _walk(root: Path) -> Iterator[tuple[str, str, os.stat_result]]:
    """Every plain file and link: its path, that below ``root``, and its status.

    What may not be read is left out, and so is what lies deeper, or has a longer path, than can be followed.
    """
    root.stat()
    waiting = [(os.fspath(root), "", 0)]
    while waiting:
        directory, inside, depth = waiting.pop()
        for entry in _entries(directory):
            relative = f"{inside}/{entry.name}" if inside else entry.name
            status = _status(entry)
            if status is None:
                continue
            if stat.S_ISDIR(status.st_mode):
                skipped = entry.name in SKIPPED_DIRECTORIES or os.path.isfile(f"{entry.path}/pyvenv.cfg")
                if depth < DEEPEST and not skipped:
                    waiting.append((entry.path, relative, depth + 1))
            elif stat.S_IFMT(status.st_mode) in KINDS and not entry.name.endswith(SKIPPED_SUFFIXES):
                yield entry.path, relative, status


def _leads_out(link: str, root: str) -> bool:
    """Whether ``link`` leads to a directory outside of ``root``, or to one that ``link`` itself lies in."""
    target = os.path.realpath(link)
    if not os.path.isdir(target):
        return False
    place = os.path.realpath(os.path.dirname(link))
    return not f"{target}/".startswith(f"{root}/") or f"{place}/".startswith(f"{target}/")


def _entries(directory: str) -> list[os.DirEntry[str]]:
    with suppress(OSError), os.scandir(directory) as entries:
        return list(entries)
    return []


def _status(entry: os.DirEntry[str]) -> os.stat_result | None:
    """None where it is gone since it was listed."""
    with suppress(OSError):
        return entry.stat(follow_symlinks=False)
    return None


def read_plain(path: str | Path, *, largest: int) -> bytes | None:
    """The bytes of a plain file; None for a link, a pipe and the like, and for what may not be read.

    Of one with more than ``largest`` bytes there is one byte more.
    """
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return None
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            return None
        with os.fdopen(descriptor, "rb", closefd=False) as handle:
            return handle.read(largest + 1)
    finally:
        os.close(descriptor)


EXTENDED_LIMIT_BYTES = 1024 * 1024
"""Of one header: longer paths than Linux takes are left out one by one."""

_DIGITS = re.compile(rb"\d{256}")
_EXTENDED = frozenset(
    {
        *(tarfile.XHDTYPE, tarfile.XGLTYPE, tarfile.SOLARIS_XHDTYPE),
        *(tarfile.GNUTYPE_LONGNAME, tarfile.GNUTYPE_LONGLINK),
    }
)


class PlainHeader(tarfile.TarInfo):
    """For ``tarfile.open(tarinfo=...)``; reading raises ``tarfile.ReadError`` at such a header."""

    def _proc_member(self, archive: Any) -> Self:  # noqa: ANN401 - parts of the library have no types
        if self.type not in _EXTENDED:
            return super()._proc_member(archive)  # type: ignore[misc, no-any-return]
        if not 0 <= self.size <= EXTENDED_LIMIT_BYTES:
            raise tarfile.ReadError("a header is too long")
        behind = archive.fileobj
        held = behind.read(-(-self.size // tarfile.BLOCKSIZE) * tarfile.BLOCKSIZE)
        if _DIGITS.search(held):
            raise tarfile.ReadError("a header holds a number that is too long")
        archive.fileobj = _Again(held, behind)
        try:
            return super()._proc_member(archive)  # type: ignore[misc, no-any-return]
        finally:
            archive.fileobj = behind


class _Again:
    """``held``, which was read of ``behind`` already, and then that."""

    def __init__(self, held: bytes, behind: IO[bytes]) -> None:
        self._held, self._behind = held, behind

    def read(self, size: int) -> bytes:
        """See ``io.RawIOBase``."""
        first, self._held = self._held[:size], self._held[size:]
        return first + self._behind.read(size - len(first)) if len(first) < size else first

    def tell(self) -> int:
        """See ``io.IOBase``."""
        return self._behind.tell() - len(self._held)

    def seek(self, place: int) -> None:
        """Forward or back, to what is not held any more."""
        self._held = b""
        self._behind.seek(place)

"""A repository's tarball, as GitHub serves it, read into memory as a snapshot of the project.

The tarball is untrusted. Names never become paths here, links are recorded and never followed, and
what a sandbox does not need is left out as ``sandbox.snapshot`` leaves it out of a directory.
"""

import gzip
import tarfile
import zlib
from dataclasses import dataclass
from io import BytesIO

from bot.errors import GitHubError, quoted
from sandbox.snapshot import SKIPPED_DIRECTORIES, SKIPPED_SUFFIXES, Entry, PlainHeader, Snapshot, can_be_made

MIB = 1024 * 1024
ARCHIVE_LIMIT_BYTES = 200 * MIB
"""The tarball as it is downloaded."""

UNPACKED_LIMIT_BYTES = 400 * MIB
ENTRY_LIMIT = 100_000
NOTES = 20
_PIECE = 64 * 1024
_DAMAGED = (
    *(tarfile.TarError, zlib.error, gzip.BadGzipFile),
    *(EOFError, ValueError, OverflowError, RecursionError),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Unpacked:
    """The files at a commit, and a line for each entry that is not among them."""

    snapshot: Snapshot
    sha: str
    notes: tuple[str, ...] = ()


def unpack(archive: bytes, *, limit: int = UNPACKED_LIMIT_BYTES, entries: int = ENTRY_LIMIT) -> Unpacked:
    """Read a tarball; the directory at its top is taken off, and modes are kept.

    Args:
        archive: gzip.
        limit: bytes that it may unpack to.
        entries: how many it may have.

    Raises:
        GitHubError: it is larger than that, or no such archive.
    """
    unpacker = _Unpacker(entries)
    try:
        with _Limited(archive, limit) as stream:
            with tarfile.open(fileobj=stream, mode="r|", tarinfo=PlainHeader) as tar:
                for member in tar:
                    unpacker.take(tar, member)
                sha = tar.pax_headers.get("comment", "")
            while stream.read(_PIECE):
                pass  # to its end, where the checksum is
    except _DAMAGED as error:
        # tarfile reads a header behind a header by a call within a call: a chain of them has no end for it.
        raise GitHubError(
            f"the repository's archive cannot be read ({type(error).__name__}): run again, since it may have "
            "been cut on its way"
        ) from error
    return Unpacked(snapshot=Snapshot(entries=unpacker.entries()), sha=sha, notes=tuple(unpacker.notes))


class _Unpacker:
    """What was found so far; a path that comes twice is what came last, as ``tar`` has it."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.count = 0
        self.found: dict[str, Entry] = {}
        self.notes: list[str] = []

    def take(self, tar: tarfile.TarFile, member: tarfile.TarInfo) -> None:
        self.count += 1
        if self.count > self.limit:
            raise GitHubError(
                f"the repository's archive has more than {self.limit:,} entries: Regreen does not take it"
            )
        path = _path(member.name)
        if path is None:
            self._note(f"left out, since its name is no path in a repository: {quoted(member.name)}")
        elif not path or member.isdir() or _is_skipped(path):
            pass
        elif member.issym() and not can_be_made(member.linkname):
            self._note(f"left out, since its target is no path: {quoted(path)}")
        elif member.issym():
            self.found[path] = Entry(path=path, link=member.linkname)
        elif member.isreg() and not member.issparse():  # a sparse one may claim any size
            with tar.extractfile(member) or BytesIO() as stream:
                self.found[path] = Entry(path=path, data=stream.read(), executable=bool(member.mode & 0o100))
        else:
            self._note(f"left out, since it is neither a file nor a link: {quoted(path)}")

    def entries(self) -> tuple[Entry, ...]:
        """All by path, without those that lie below a file or a link, where git has nothing."""
        kept = []
        for path, entry in sorted(self.found.items()):
            if any(path[:at] in self.found for at, letter in enumerate(path) if letter == "/"):
                self._note(f"left out, since it lies below what is no directory: {quoted(path)}")
            else:
                kept.append(entry)
        return tuple(kept)

    def _note(self, note: str) -> None:
        if len(self.notes) < NOTES:
            self.notes.append(note)
        elif len(self.notes) == NOTES:
            self.notes.append("and more")


def _path(name: str) -> str | None:
    """``name`` without the directory at the top: empty for that itself, None where it leads elsewhere."""
    parts = name.rstrip("/").split("/")
    if {"", ".", ".."}.intersection(parts) or not can_be_made(name):
        return None
    return "/".join(parts[1:])


def _is_skipped(path: str) -> bool:
    *directories, _ = path.split("/")
    return not SKIPPED_DIRECTORIES.isdisjoint(directories) or path.endswith(SKIPPED_SUFFIXES)


class _Limited(gzip.GzipFile):
    """A gzip that unpacks to ``limit`` bytes at most."""

    def __init__(self, archive: bytes, limit: int) -> None:
        super().__init__(fileobj=BytesIO(archive))
        self._limit = self._left = limit

    def read(self, size: int | None = -1) -> bytes:
        """Up to ``size`` bytes.

        Raises:
            GitHubError: these are more than the limit.
        """
        piece = super().read(size)
        self._left -= len(piece)
        if self._left < 0:
            raise GitHubError(
                f"the repository's files are larger than {self._limit // MIB} MiB: Regreen takes no more"
            )
        return piece

"""Files below a directory that other programs may change meanwhile: opened by descriptors, behind no link."""

import os
import secrets
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

PREFIX = ".regreen-"
"""Begins the name of every file that is written to take another's place."""

_DIRECTORY = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC


@dataclass(frozen=True, slots=True)
class FilePlace:
    """A file's ``name`` in the open directory ``descriptor``."""

    descriptor: int
    name: str

    def status(self) -> os.stat_result | None:
        """What is there, a link as a link; None where nothing is."""
        try:
            return os.stat(self.name, dir_fd=self.descriptor, follow_symlinks=False)
        except FileNotFoundError:
            return None

    def read(self, limit: int = -1) -> bytes:
        """The file's bytes, or the first of them up to ``limit``.

        Raises:
            OSError: it cannot be read, or is a link.
        """
        flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK
        with os.fdopen(os.open(self.name, flags, dir_fd=self.descriptor), "rb") as handle:
            return handle.read(limit)

    def stage(self, data: bytes, name: str = "") -> str:
        """Write ``data`` beside the file, with its owner and mode where there is one; returns the ``name``.

        Raises:
            OSError: it cannot be written; nothing is left then.
        """
        status = self.status()
        name = name or draft_name()
        # Nobody may read meanwhile who may not read the target.
        descriptor = os.open(name, _NEW, 0o600 if status else 0o666, dir_fd=self.descriptor)
        try:
            with os.fdopen(descriptor, "wb") as handle:
                handle.write(data)
                handle.flush()
                os.fsync(handle.fileno())
                if status:
                    _take_over(handle.fileno(), status)
        except BaseException:
            self.remove(name)
            raise
        return name

    def take_place(self, staged: str) -> None:
        """Put the file ``staged`` in this one's place, in one step.

        Raises:
            OSError: it cannot be moved.
        """
        os.replace(staged, self.name, src_dir_fd=self.descriptor, dst_dir_fd=self.descriptor)

    def remove(self, name: str = "") -> None:
        """Remove the file ``name`` of the same directory, or this one; nothing where it is gone."""
        with suppress(OSError):
            os.unlink(name or self.name, dir_fd=self.descriptor)


def draft_name() -> str:
    """A new name for a file that is to take another's place."""
    return f"{PREFIX}{secrets.token_hex(8)}"


@contextmanager
def directory(root: Path, relative: str, *, made: ExitStack | None = None) -> Iterator[int]:
    """A descriptor of the directory at ``relative`` below ``root``; ``root`` itself may be reached by links.

    Missing directories are made where ``made`` is given: it gets what removes them again, which works as
    long as this is open.

    Raises:
        OSError: a part of the path is missing, a link or no directory.
    """
    with ExitStack() as held:
        current = _opened(held, os.open(root, _DIRECTORY & ~os.O_NOFOLLOW))
        for part in PurePosixPath(relative).parts:
            current = _opened(held, _step(current, part, made))
        yield current


def _opened(held: ExitStack, descriptor: int) -> int:
    held.callback(os.close, descriptor)
    return descriptor


def _step(parent: int, name: str, made: ExitStack | None) -> int:
    try:
        return os.open(name, _DIRECTORY, dir_fd=parent)
    except FileNotFoundError:
        if made is None:
            raise
    os.mkdir(name, dir_fd=parent)
    made.callback(_remove_directory, parent, name)
    return os.open(name, _DIRECTORY, dir_fd=parent)


def _remove_directory(parent: int, name: str) -> None:
    with suppress(OSError):
        os.rmdir(name, dir_fd=parent)


def _take_over(descriptor: int, status: os.stat_result) -> None:
    """Give the open file the owner and the mode of ``status``, as far as this user may."""
    own = os.fstat(descriptor)
    if (own.st_uid, own.st_gid) != (status.st_uid, status.st_gid):
        with suppress(PermissionError):
            os.fchown(descriptor, status.st_uid, status.st_gid)
    os.fchmod(descriptor, status.st_mode & 0o7777)

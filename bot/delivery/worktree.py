"""Write a verified patch into the working tree: all of its files, or none."""

import errno
import stat
from collections.abc import Mapping
from contextlib import ExitStack, suppress
from pathlib import Path, PurePosixPath

from bot.delivery.directories import FilePlace, directory, draft_name
from bot.delivery.journal import Journal
from bot.domain import Patch
from bot.errors import DeliveryError
from bot.patch.apply import apply
from bot.patch.text import decode, encode


def write_atomically(target: Path, data: bytes) -> None:
    """Replace ``target`` in one step, keeping its mode; a reader sees the old file or the new one.

    A device or a pipe (``/dev/stdout``) is written to, and what a link points to is what is replaced.

    Raises:
        DeliveryError: it cannot be written.
    """
    try:
        if target.exists() and not target.is_file():
            target.write_bytes(data)
            return
        real = target.resolve()
        with directory(real.parent, ".") as parent:
            place = FilePlace(parent, real.name)
            staged = place.stage(data)
            with ExitStack() as undo:
                undo.callback(place.remove, staged)
                place.take_place(staged)
    except OSError as error:
        raise DeliveryError(f"cannot write {target}: {error.strerror}") from error


def write_patch(root: Path, patch: Patch, *, files: Mapping[str, bytes], state: Path) -> None:
    """Apply ``patch`` to the working tree at ``root``; ``files`` are the contents that it was verified on.

    ``state`` is the directory for what a later run needs, should this one be killed.

    Raises:
        DeliveryError: see ``apply_to_worktree``.
    """
    before = {path: files[path] for path in patch.paths if path in files}
    after = apply(patch, {path: decode(data) for path, data in before.items()})
    written = {path: encode(text) for path, text in after.items()}
    apply_to_worktree(root, before=before, after=written, journal=Journal.of(state, root))


def apply_to_worktree(
    root: Path,
    *,
    before: Mapping[str, bytes],
    after: Mapping[str, bytes],
    doing: str = "apply the patch",
    journal: Journal | None = None,
) -> None:
    """Put ``after`` in the place of ``before`` under ``root`` (relative path to contents).

    Directories of new files are made. ``doing`` is what it is for, as in "cannot ...". With ``journal``, a
    later run can take back what this one did before it was killed.

    Raises:
        DeliveryError: a file is not what the patch was verified against, or cannot be written; nothing
            is changed then.
    """
    try:
        # Whatever ends this early, an interruption too, undoes what was done.
        with ExitStack() as opened, ExitStack() as undo:
            places = {path: _place(root, path, opened, undo) for path in after}
            staged = {path: draft_name() for path in after}
            for path in after:
                _expect(places[path], path, before.get(path))
            if journal:
                journal.begin(root, before=before, after=after, staged=staged)
                undo.callback(journal.end)
            for path, data in after.items():
                places[path].stage(data, staged[path])
                undo.callback(places[path].remove, staged[path])
            for path, name in staged.items():
                undo.callback(_put_back, places[path], before.get(path))
                places[path].take_place(name)
            undo.pop_all()
            if journal:
                journal.end()
    except OSError as error:
        raise DeliveryError(f"cannot {doing}, nothing was changed: {error}") from error


def _place(root: Path, path: str, opened: ExitStack, undo: ExitStack) -> FilePlace:
    try:
        parent = opened.enter_context(directory(root, str(PurePosixPath(path).parent), made=undo))
    except OSError as error:
        above = PurePosixPath(path).parents
        if error.errno in {errno.ELOOP, errno.ENOTDIR} and any((root / one).is_symlink() for one in above):
            raise DeliveryError(
                f"{path} is or lies behind a symbolic link: apply the diff by hand"
            ) from error
        raise
    return FilePlace(parent, PurePosixPath(path).name)


def _expect(place: FilePlace, path: str, data: bytes | None) -> None:
    """Check that the file is still what the patch was verified on, and may be replaced."""
    status = place.status()
    if status and stat.S_ISLNK(status.st_mode):
        raise DeliveryError(f"{path} is or lies behind a symbolic link: apply the diff by hand")
    # One that has grown is not read: it may be of any size.
    current = place.read(len(data or b"") + 1) if status and stat.S_ISREG(status.st_mode) else None
    if current != data or (status and current is None):
        raise DeliveryError(f"{path} was changed while the repair ran: run regreen again")
    if status and not status.st_mode & 0o222:
        raise DeliveryError(f"{path} is read-only: make it writable, or apply the diff by hand")
    if status and status.st_nlink > 1:
        raise DeliveryError(
            f"{path} has {status.st_nlink} hard links, which would differ then: apply the diff by hand"
        )


def _put_back(place: FilePlace, data: bytes | None) -> None:
    with suppress(OSError):
        if data is None:
            place.remove()
        elif place.status() is None or place.read() != data:
            place.take_place(place.stage(data))

"""Write a verified patch into the working tree: all of its files, or none."""

from __future__ import annotations

import os
import secrets
from collections.abc import Mapping
from contextlib import ExitStack, suppress
from pathlib import Path

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
        with ExitStack() as undo:
            staged = _stage(real, data)
            undo.callback(staged.unlink, missing_ok=True)
            staged.replace(real)
    except OSError as error:
        raise DeliveryError(f"cannot write {target}: {error.strerror}") from error


def write_patch(root: Path, patch: Patch, *, files: Mapping[str, bytes]) -> None:
    """Apply ``patch`` to the working tree at ``root``; ``files`` are the contents that it was verified on.

    Raises:
        DeliveryError: see ``apply_to_worktree``.
    """
    before = {path: files[path] for path in patch.paths if path in files}
    after = apply(patch, {path: decode(data) for path, data in before.items()})
    apply_to_worktree(root, before=before, after={path: encode(text) for path, text in after.items()})


def apply_to_worktree(
    root: Path, *, before: Mapping[str, bytes], after: Mapping[str, bytes], doing: str = "apply the patch"
) -> None:
    """Put ``after`` in the place of ``before`` under ``root`` (relative path to contents).

    Folders of new files are made. ``doing`` is what it is for, as in "cannot ...".

    Raises:
        DeliveryError: a file is not what the patch was verified against, or cannot be written; nothing
            is changed then.
    """
    staged: dict[str, Path] = {}
    try:
        # Whatever ends this early, an interruption too, undoes what was done.
        with ExitStack() as undo:
            for path, data in after.items():
                _expect(root, path, before.get(path))
                _make_folders((root / path).parent, undo)
                staged[path] = _stage(root / path, data)
                undo.callback(staged[path].unlink, missing_ok=True)
            for path, file in staged.items():
                undo.callback(_put_back, root / path, before.get(path))
                file.replace(root / path)
            undo.pop_all()
    except OSError as error:
        raise DeliveryError(f"cannot {doing}, nothing was changed: {error}") from error


def _expect(root: Path, path: str, data: bytes | None) -> None:
    target = root / path
    if any(part.is_symlink() for part in (target, *target.parents) if part != root and root in part.parents):
        raise DeliveryError(f"{path} is or lies behind a symbolic link: apply the diff by hand")
    current = target.read_bytes() if target.is_file() else None
    if current != data:
        raise DeliveryError(f"{path} was changed while the repair ran: run regreen again")


def _stage(target: Path, data: bytes) -> Path:
    """A file next to ``target`` with its mode, if it is there; else with what the umask leaves."""
    mode = target.stat().st_mode & 0o7777 if target.exists() else None
    staged = target.with_name(f".regreen-{secrets.token_hex(8)}")
    # Nobody may read meanwhile who may not read the target.
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
    descriptor = os.open(staged, flags, 0o666 if mode is None else 0o600)
    try:
        with os.fdopen(descriptor, "wb") as handle:
            handle.write(data)
            handle.flush()
            os.fsync(handle.fileno())
        if mode is not None:
            staged.chmod(mode)
    except BaseException:
        staged.unlink(missing_ok=True)
        raise
    return staged


def _make_folders(folder: Path, undo: ExitStack) -> None:
    for missing in reversed([path for path in (folder, *folder.parents) if not path.exists()]):
        missing.mkdir()
        undo.callback(missing.rmdir)


def _put_back(target: Path, data: bytes | None) -> None:
    with suppress(OSError):
        if data is None:
            target.unlink(missing_ok=True)
        else:
            staged = _stage(target, data)
            try:
                staged.replace(target)
            finally:
                staged.unlink(missing_ok=True)

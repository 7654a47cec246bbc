"""Write a verified patch into the working tree: all of its files, or none."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from bot.errors import DeliveryError


def write_atomically(target: Path, data: bytes) -> None:
    """Replace ``target`` in one step, keeping its mode; a reader sees the old file or the new one.

    Raises:
        DeliveryError: it cannot be written.
    """
    try:
        staged = _stage(target, data)
        staged.replace(target)
    except OSError as error:
        raise DeliveryError(f"cannot write {target}: {error.strerror}") from error


def apply_to_worktree(root: Path, *, before: Mapping[str, bytes], after: Mapping[str, bytes]) -> None:
    """Put ``after`` in the place of ``before`` under ``root`` (relative path to contents).

    Raises:
        DeliveryError: a file is not what the patch was verified against, or cannot be written; nothing
            is changed then.
    """
    staged: dict[Path, Path] = {}
    replaced: list[str] = []
    try:
        for path, data in after.items():
            _expect(root, path, before.get(path))
            staged[root / path] = _stage(root / path, data)
        for target, file in staged.items():
            file.replace(target)
            replaced.append(target.relative_to(root).as_posix())
    except OSError as error:
        for path in replaced:
            _put_back(root / path, before.get(path))
        raise DeliveryError(f"cannot apply the patch, nothing was changed: {error}") from error
    finally:
        for file in staged.values():
            file.unlink(missing_ok=True)


def _expect(root: Path, path: str, data: bytes | None) -> None:
    target = root / path
    if any(part.is_symlink() for part in (target, *target.parents) if part != root and root in part.parents):
        raise DeliveryError(f"{path} is or lies behind a symbolic link: apply the diff by hand")
    current = target.read_bytes() if target.is_file() else None
    if current != data:
        raise DeliveryError(f"{path} was changed while the repair ran: run regreen again")


def _stage(target: Path, data: bytes) -> Path:
    descriptor, name = tempfile.mkstemp(prefix=".regreen-", dir=target.parent)
    staged = Path(name)
    try:
        with os.fdopen(descriptor, "wb") as handle:
            handle.write(data)
            handle.flush()
            os.fsync(handle.fileno())
        mode = target.stat().st_mode & 0o7777 if target.exists() else 0o644
        staged.chmod(mode)
    except OSError:
        staged.unlink(missing_ok=True)
        raise
    return staged


def _put_back(target: Path, data: bytes | None) -> None:
    with suppress(OSError):
        if data is None:
            target.unlink(missing_ok=True)
        else:
            _stage(target, data).replace(target)

"""What is noted before files are replaced, so that a run that was killed half-way can be undone by the next.

A journal lies in the directory of Regreen's state, never in the project.
"""

from __future__ import annotations

import base64
import hashlib
import json
import os
import stat
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from pydantic import BaseModel, ValidationError

from bot.delivery.directories import PREFIX, FilePlace, directory
from bot.errors import DeliveryError

LARGEST = 256 * 1024 * 1024


class _File(BaseModel):
    """One file: what it held ``before`` (base64; None for nothing), SHA-256 of what follows, its draft."""

    before: str | None
    after: str
    staged: str


class _Journal(BaseModel):
    root: str
    files: dict[str, _File]


@dataclass(frozen=True, slots=True)
class Journal:
    """Where the changes to one working tree are noted while they are made."""

    path: Path

    @classmethod
    def of(cls, state: Path, root: Path) -> Journal:
        """The journal of the working tree at ``root``, in the directory ``state``."""
        key = hashlib.sha256(os.fsencode(root.resolve())).hexdigest()[:32]
        return cls(state / "journals" / f"{key}.json")

    def begin(
        self,
        root: Path,
        *,
        before: Mapping[str, bytes],
        after: Mapping[str, bytes],
        staged: Mapping[str, str],
    ) -> None:
        """Note that the files ``after`` are put in the place of those ``before``; ``staged`` are their names.

        Raises:
            OSError: it cannot be written.
        """
        files = {
            path: _File(
                before=base64.b64encode(before[path]).decode() if path in before else None,
                after=hashlib.sha256(data).hexdigest(),
                staged=staged[path],
            )
            for path, data in after.items()
        }
        text = _Journal(root=str(root.resolve()), files=files).model_dump_json()
        self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        draft = self.path.with_suffix(".draft")
        draft.unlink(missing_ok=True)
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8") as handle:
            handle.write(text)
            handle.flush()
            os.fsync(handle.fileno())
        draft.replace(self.path)

    def end(self) -> None:
        """The files are what they should be: forget how to undo it."""
        with suppress(OSError):
            self.path.unlink(missing_ok=True)

    def undo(self, root: Path) -> tuple[str, ...]:
        """Take back what a killed run left of its changes below ``root``; returns the paths that it restored.

        A file that was edited since stays as it is.

        Raises:
            DeliveryError: a file cannot be restored; the journal is kept.
        """
        noted = self._read()
        if noted is None or noted.root != str(root.resolve()):
            return ()
        restored = []
        for path, file in noted.files.items():
            try:
                if _undo_one(root, PurePosixPath(path), file):
                    restored.append(path)
            except OSError as error:
                raise DeliveryError(
                    f"a run that was killed left {path} half-way, and it cannot be restored: {error}"
                ) from error
        self.end()
        return tuple(restored)

    def _read(self) -> _Journal | None:
        try:
            if self.path.stat().st_size > LARGEST:
                return None
            return _Journal.model_validate(json.loads(self.path.read_bytes()))
        except (OSError, ValueError, ValidationError, RecursionError):
            return None


def _undo_one(root: Path, path: PurePosixPath, file: _File) -> bool:
    """Whether the file was changed back."""
    if path.is_absolute() or ".." in path.parts:
        return False
    with suppress(FileNotFoundError), directory(root, str(path.parent)) as parent:
        place = FilePlace(parent, path.name)
        if file.staged.startswith(PREFIX) and "/" not in file.staged:
            place.remove(file.staged)
        status = place.status()
        if status is None or not stat.S_ISREG(status.st_mode) or status.st_size > LARGEST:
            return False
        if hashlib.sha256(place.read(LARGEST)).hexdigest() != file.after:
            return False
        if file.before is None:
            place.remove()
        else:
            place.take_place(place.stage(base64.b64decode(file.before)))
        return True
    return False

"""The directory of built environments: one entry a plan, locked while it is built, pruned when it is old.

An entry is complete when its record is there, which is put in place as the last thing and in one step.
The record lies beside the directory that the build may write to, so that no build can write one.
"""

import fcntl
import json
import os
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from sandbox.base import MIB

KEPT_S = 30 * 24 * 3600
KEPT_MIB = 8 * 1024
# Whatever the size: what was used today may be in use now.
FRESH_S = 24 * 3600
RECORD = "record.json"


class EnvironmentCache:
    """Entries below ``directory``, each with a directory ``built`` for its build."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory

    def built(self, digest: str) -> Path:
        """Where the build of ``digest`` writes, and the sandbox reads."""
        return self.directory / digest / "built"

    def _record(self, digest: str) -> Path:
        return self.directory / digest / RECORD

    def complete(self, digest: str) -> bool:
        """Whether the entry is there; finding it keeps it from being pruned for a while."""
        try:
            os.utime(self._record(digest))
        except OSError:
            return False
        return True

    @contextmanager
    def claim(self, digest: str) -> Iterator[Path | None]:
        """An empty directory to build in; None when, by the time the lock is ours, another has built it.

        Two builders of one entry wait for each other. What a failed or killed build left is removed.
        """
        self.directory.mkdir(parents=True, exist_ok=True, mode=0o700)
        with self._locked(digest):
            if self.complete(digest):
                yield None
                return
            _remove(self.directory / digest)
            built = self.built(digest)
            # A build may leave programs that run with their owner's rights: nobody else may reach them.
            built.parent.mkdir(mode=0o700)
            built.mkdir()
            try:
                yield built
            finally:
                if not self._record(digest).exists():
                    _remove(self.directory / digest)

    def seal(self, digest: str, explanation: str) -> None:
        """Declare the claimed entry complete."""
        size = _size(self.built(digest))
        record = self._record(digest)
        draft = record.with_suffix(".draft")
        held = {"mib": size // MIB, "plan": explanation.splitlines()}
        draft.write_text(json.dumps(held, indent=1), "utf-8")
        os.replace(draft, record)

    def prune(self, *, now: float | None = None, kept_mib: int = KEPT_MIB) -> int:
        """Remove entries not used for a month, then the longest unused beyond the size; returns how many.

        What killed builds left, and the locks of entries that are gone, are removed with them.
        """
        now = time.time() if now is None else now
        used: list[tuple[float, str, int]] = []
        for record in self.directory.glob(f"*/{RECORD}"):
            with suppress(OSError, ValueError, AttributeError):
                held = json.loads(record.read_bytes())
                used.append((record.stat().st_mtime, record.parent.name, int(held.get("mib", 0))))
        total, count = sum(mib for _, _, mib in used), 0
        for when, digest, mib in sorted(used):
            age = now - when
            if age > KEPT_S or (total > kept_mib and age > FRESH_S):
                count += self._drop(digest)
                total -= mib
        for lock in self.directory.glob("*.lock"):
            if not self._record(lock.stem).exists():
                self._drop(lock.stem, complete=False)
        return count

    def _drop(self, digest: str, *, complete: bool = True) -> bool:
        """Remove an entry that nobody builds at the moment; a ``complete`` one only where that is said."""
        try:
            with self._locked(digest, wait=False) as lock:
                if not complete and self._record(digest).exists():
                    return False  # it was finished just now
                # Without its record first: a half-removed entry must not look complete.
                self._record(digest).unlink(missing_ok=True)
                _remove(self.directory / digest)
                lock.unlink(missing_ok=True)
        except BlockingIOError:
            return False
        return True

    @contextmanager
    def _locked(self, digest: str, *, wait: bool = True) -> Iterator[Path]:
        """Hold the lock of ``digest``, whose file is yielded.

        Raises:
            BlockingIOError: another has it, and ``wait`` is false.
        """
        path = self.directory / f"{digest}.lock"
        while True:
            with path.open("ab") as lock:
                fcntl.flock(lock, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
                # Who held it before may have removed the file: then this lock keeps nobody out.
                if _is_still(path, lock.fileno()):
                    yield path
                    return


def _is_still(path: Path, descriptor: int) -> bool:
    """Whether ``path`` is the file that is open as ``descriptor``."""
    try:
        return os.path.samestat(path.stat(), os.fstat(descriptor))
    except FileNotFoundError:
        return False


def _remove(directory: Path) -> None:
    """Remove ``directory``, though a build may have taken away the right to, and however deep it is."""
    _flatten(directory)
    shutil.rmtree(directory, ignore_errors=True)


def _flatten(top: Path) -> None:
    """Move each directory below ``top`` up into it: who removes by recursion would not reach the deepest."""
    number, waiting = 0, [str(top)]
    while waiting:
        directory = waiting.pop()
        with suppress(OSError), os.scandir(directory) as entries:
            for path in [entry.path for entry in entries if entry.is_dir(follow_symlinks=False)]:
                os.chmod(path, 0o700)
                moved = path
                while directory != str(top) and os.path.lexists(moved := f"{top}/.removed-{number}"):
                    number += 1
                if moved != path:
                    os.rename(path, moved)
                waiting.append(moved)


def _size(directory: Path) -> int:
    """The bytes below ``directory``, as far as its paths are short enough to be looked at."""
    total, waiting = 0, [os.fspath(directory)]
    while waiting:
        with suppress(OSError), os.scandir(waiting.pop()) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    waiting.append(entry.path)
                else:
                    total += entry.stat(follow_symlinks=False).st_size
    return total

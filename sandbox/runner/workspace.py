"""The project's files inside the sandbox: unpack them, lay changes over them, take the changes back."""

from __future__ import annotations

import io
import os
import tarfile
from typing import Dict, Optional, Tuple

FIRST_STAMP_S = 1_000_000_000


class Workspace:
    """The folder at ``root``; every path given to it is relative and stays inside."""

    def __init__(self, root: str) -> None:
        self.root = os.path.realpath(root)
        self._saved: Dict[str, Optional[Tuple[bytes, int]]] = {}
        self._stamp = FIRST_STAMP_S

    def path(self, relative: str) -> str:
        """The absolute path of ``relative``; ValueError when it would leave the root."""
        full = os.path.normpath(os.path.join(self.root, relative))
        if os.path.isabs(relative) or not full.startswith(self.root + os.sep):
            raise ValueError("path leaves the workspace: %r" % relative)
        return full

    def unpack(self, archive: bytes) -> int:
        """Extract a tar archive; returns the number of members. Devices and escapes are refused."""
        count = 0
        with tarfile.open(fileobj=io.BytesIO(archive), mode="r:") as tar:
            for member in tar:
                self.path(member.name)
                if not (member.isreg() or member.isdir() or member.issym()):
                    raise ValueError("not a plain file: %r" % member.name)
                member.uid = member.gid = -1
                self._extract(tar, member)
                count += 1
        return count

    def _extract(self, tar: tarfile.TarFile, member: tarfile.TarInfo) -> None:
        target = self.path(member.name)
        if member.isdir():
            os.makedirs(target, exist_ok=True)
            return
        os.makedirs(os.path.dirname(target), exist_ok=True)
        if member.issym():
            os.symlink(member.linkname, target)
            return
        source = tar.extractfile(member)
        assert source is not None
        with open(target, "wb") as sink:
            sink.write(source.read())
        os.chmod(target, 0o755 if member.mode & 0o100 else 0o644)

    def lay(self, changes: Dict[str, bytes]) -> None:
        """Write whole new contents over files, remembering what was there."""
        # Python tells a stale .pyc by its source's size and time in seconds: no two contents may share it.
        self._stamp += 1
        for relative, data in changes.items():
            path = self.path(relative)
            try:
                with open(path, "rb") as handle:
                    self._saved[path] = handle.read(), os.stat(path).st_mtime_ns
            except FileNotFoundError:
                self._saved[path] = None
                os.makedirs(os.path.dirname(path), exist_ok=True)
            self._replace(path, data, self._stamp * 1_000_000_000)

    def restore(self) -> None:
        """Undo ``lay``."""
        for path, saved in self._saved.items():
            if saved is not None:
                self._replace(path, *saved)
            elif os.path.lexists(path):
                os.remove(path)
        self._saved.clear()

    @staticmethod
    def _replace(path: str, data: bytes, modified_ns: int) -> None:
        # A test may have swapped the file for a link to elsewhere: never write through one.
        if os.path.islink(path):
            os.remove(path)
        with open(path, "wb") as handle:
            handle.write(data)
        os.utime(path, ns=(modified_ns, modified_ns))

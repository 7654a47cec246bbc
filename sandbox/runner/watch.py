"""Tells whether anything was changed in a set of folders, by Linux's inotify; see inotify(7)."""

from __future__ import annotations

import ctypes
import os
from typing import Any, Iterable, Optional

IN_MODIFY, IN_ATTRIB, IN_CLOSE_WRITE = 0x2, 0x4, 0x8
IN_MOVED_FROM, IN_MOVED_TO, IN_CREATE, IN_DELETE = 0x40, 0x80, 0x100, 0x200
IN_DELETE_SELF, IN_MOVE_SELF = 0x400, 0x800
CHANGES = (
    IN_MODIFY
    | IN_ATTRIB
    | IN_CLOSE_WRITE
    | IN_MOVED_FROM
    | IN_MOVED_TO
    | IN_CREATE
    | IN_DELETE
    | IN_DELETE_SELF
    | IN_MOVE_SELF
)


class Watch:
    """Watches folders, not what is in their subfolders. Where it cannot, everything counts as changed."""

    def __init__(self) -> None:
        self._fd: Optional[int] = None

    def start(self, folders: Iterable[str]) -> None:
        """Watch these folders, and no others any more."""
        self.close()
        try:
            libc: Any = ctypes.CDLL(None)
            fd = libc.inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC)
            if fd < 0:
                return  # the system's number of watchers is used up
            self._fd = fd
            for folder in folders:
                if libc.inotify_add_watch(fd, os.fsencode(folder), CHANGES) < 0:
                    self.close()
                    return
        except (OSError, AttributeError):
            self.close()

    def changed(self) -> bool:
        """Whether something happened since the last call."""
        if self._fd is None:
            return True
        seen = False
        while True:
            try:
                if not os.read(self._fd, 1 << 16):
                    return seen
                seen = True
            except BlockingIOError:
                return seen

    def close(self) -> None:
        """Watch nothing."""
        if self._fd is not None:
            os.close(self._fd)
            self._fd = None

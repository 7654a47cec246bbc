"""Reports whether anything was changed in a set of directories, by Linux's inotify; see inotify(7)."""

from __future__ import annotations

import ctypes
import os
import struct

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Iterable, List, Optional


# Modified, other attributes, closed after writing; moved away and here, made, deleted; itself deleted, moved.
CHANGES = 0x2 | 0x4 | 0x8 | 0x40 | 0x80 | 0x100 | 0x200 | 0x400 | 0x800
# Itself deleted or moved, unmounted, too many events, ignored: nobody watches what is at its path then.
ENDS = 0x400 | 0x800 | 0x2000 | 0x4000 | 0x8000
EVENT = struct.Struct("iIII")  # watch, mask, cookie, length of the name that follows


class Watch:
    """Watches directories without their subdirectories. Where it cannot, everything counts as changed."""

    def __init__(self) -> None:
        self._fd: Optional[int] = None
        self._directories: List[str] = []
        self._ended = False

    def start(self, directories: Iterable[str]) -> None:
        """Watch these directories, and no others any more."""
        before, self._directories = self._directories, list(dict.fromkeys(directories))
        # To close it takes the kernel ten times as long as all else here.
        if self._fd is None or self._ended or not set(self._directories).issuperset(before):
            self.close()
            self._ended = False
        try:
            libc: Any = ctypes.CDLL(None)
            if self._fd is None:
                fd = libc.inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC)
                if fd < 0:
                    return  # the system's number of watchers is used up
                self._fd = fd
            for directory in self._directories:  # one that is watched already stays so
                if libc.inotify_add_watch(self._fd, os.fsencode(directory), CHANGES) < 0:
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
                events = os.read(self._fd, 1 << 16)
            except BlockingIOError:
                return seen
            seen = True
            start = 0
            while start < len(events):
                _watch, mask, _cookie, length = EVENT.unpack_from(events, start)
                self._ended = self._ended or bool(mask & ENDS)
                start += EVENT.size + length

    def settle(self) -> None:
        """Forget what happened so far; watch anew what was made anew."""
        if self.changed() and self._ended:
            self.start(self._directories)

    def close(self) -> None:
        """Watch nothing."""
        if self._fd is not None:
            os.close(self._fd)
            self._fd = None

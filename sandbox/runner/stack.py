"""Where a process that had to be killed was at work, out of what faulthandler wrote when its alarm rang."""

from __future__ import annotations

import os
import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import List, Tuple

    Frame = Tuple[str, int, str]

MAX_FRAMES = 200
MAX_LINE_BYTES = 2_000
_FRAME = re.compile(rb'\s+File "([^"]{1,1000})", line (\d{1,9}) in (.{1,500})$')
_BEGINNING = b"(most recent call first)"


class Stack:
    """The last stack among lines that a test process wrote: a hint for people, proof of nothing."""

    def __init__(self) -> None:
        self._found: List[Frame] = []
        self._before: List[Frame] = []  # the one before: the process may be killed while it writes

    def feed(self, line: bytes) -> None:
        """Look at one line, whoever wrote it."""
        if len(line) > MAX_LINE_BYTES:
            return
        if _BEGINNING in line:
            self._before, self._found = self._found, []
            return
        match = _FRAME.match(line)
        if match and len(self._found) < MAX_FRAMES:
            path, number, function = match.groups()
            frame = path.decode("utf-8", "replace"), int(number), function.decode("utf-8", "replace")
            self._found.append(frame)

    def frames(self, root: str) -> List[Frame]:
        """The frames inside of the directory ``root``, outermost first, their paths relative to it."""
        prefixes = {os.path.realpath(root) + os.sep, root.rstrip("/") + os.sep}
        found = max(self._found, self._before, key=len)
        return [
            (os.path.relpath(path, prefix), line, function)
            for path, line, function in reversed(found)
            for prefix in prefixes
            if path.startswith(prefix)
        ]

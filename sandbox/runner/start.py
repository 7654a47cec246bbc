"""The first module that runs inside: it says that the sandbox is there, then loads the supervisor."""

from __future__ import annotations

import os
import sys

READY = '{"ready": true, "python": [%d, %d, %d], "pid": %d}'


def main(payload: "dict[str, object]") -> None:
    """Take over standard input and output for messages, and serve.

    The first message is written by hand: what it takes to write others is loaded while the host reads it.
    """
    input_fd, output_fd = os.dup(0), os.dup(1)
    null = os.open(os.devnull, os.O_RDWR)
    for fd in (0, 1, 2):
        os.dup2(null, fd)
    text = (READY % (*sys.version_info[:3], os.getpid())).encode()
    try:
        os.write(output_fd, len(text).to_bytes(4, "big") + bytes(4) + text)
    except OSError:
        os._exit(0)  # the host is gone
    from . import server

    server.main(payload, input_fd, output_fd)

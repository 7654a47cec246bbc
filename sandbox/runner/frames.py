"""Messages between the host and the runner: a JSON header with an optional binary body.

Wire format: two big-endian unsigned 32-bit lengths (header, body), the header as UTF-8 JSON, the body.
"""

from __future__ import annotations

import json
import os
import struct
from typing import Any, Dict, Optional, Tuple

LENGTHS = struct.Struct(">II")
Header = Dict[str, Any]


def pack(header: Header, body: bytes = b"") -> bytes:
    """The bytes of one message."""
    text = json.dumps(header).encode()
    return LENGTHS.pack(len(text), len(body)) + text + body


def write_all(fd: int, data: bytes) -> None:
    """Write every byte of ``data``; raises OSError when the other side is gone."""
    view = memoryview(data)
    while view:
        view = view[os.write(fd, view) :]


def read_exactly(fd: int, count: int) -> Optional[bytes]:
    """``count`` bytes, or None when the other side closed first."""
    chunks = []
    while count:
        chunk = os.read(fd, min(count, 1 << 20))
        if not chunk:
            return None
        chunks.append(chunk)
        count -= len(chunk)
    return b"".join(chunks)


def receive(fd: int) -> Optional[Tuple[Header, bytes]]:
    """The next message, or None at the end of the stream."""
    lengths = read_exactly(fd, LENGTHS.size)
    if lengths is None:
        return None
    header_length, body_length = LENGTHS.unpack(lengths)
    header = read_exactly(fd, header_length)
    body = read_exactly(fd, body_length)
    if header is None or body is None:
        return None
    return json.loads(header.decode()), body


def send(fd: int, header: Header, body: bytes = b"") -> None:
    """Write one message."""
    write_all(fd, pack(header, body))

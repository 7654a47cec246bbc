"""Messages between the host and the runner: a JSON header with an optional binary body.

Wire format: two big-endian unsigned 32-bit lengths (header, body), the header as UTF-8 JSON, the body.
"""

from __future__ import annotations

import json
import os
import struct

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Dict, Optional, Tuple

    Header = Dict[str, Any]
    Message = Tuple[Header, bytes]


LENGTHS = struct.Struct(">II")
LIMIT_BYTES = 1 << 30


def pack(header: Header, body: bytes = b"") -> bytes:
    """The bytes of one message."""
    text = json.dumps(header).encode()
    return LENGTHS.pack(len(text), len(body)) + text + body


def write_all(fd: int, data: bytes) -> None:
    """Write every byte of ``data``; raises OSError when the other side is gone."""
    view = memoryview(data)
    while view:
        view = view[os.write(fd, view) :]


def receive(fd: int) -> Optional[Message]:
    """The next message from a descriptor, or None at the end of the stream."""
    return receive_by(lambda count: os.read(fd, count))


def receive_by(read: Callable[[int], bytes], limit_bytes: int = LIMIT_BYTES) -> Optional[Message]:
    """The next message through ``read``, which gives up to as many bytes as asked, and none at the end.

    Raises:
        ValueError: it is too long, or its header is not a JSON object, or nested too deeply.
    """
    lengths = _exactly(read, LENGTHS.size)
    if lengths is None:
        return None
    header_length, body_length = LENGTHS.unpack(lengths)
    if header_length + body_length > limit_bytes:
        raise ValueError("a message of %d bytes" % (header_length + body_length))
    header = _exactly(read, header_length)
    body = _exactly(read, body_length)
    if header is None or body is None:
        return None
    try:
        decoded = json.loads(header.decode())
    except RecursionError:
        raise ValueError("a message that is nested too deeply") from None
    if not isinstance(decoded, dict):
        raise ValueError("a message that is not an object")
    return decoded, body


def _exactly(read: Callable[[int], bytes], count: int) -> Optional[bytes]:
    """``count`` bytes, or None when the other side closed first."""
    chunks = []
    while count:
        chunk = read(min(count, 1 << 20))
        if not chunk:
            return None
        chunks.append(chunk)
        count -= len(chunk)
    return b"".join(chunks)


def send(fd: int, header: Header, body: bytes = b"") -> None:
    """Write one message."""
    write_all(fd, pack(header, body))

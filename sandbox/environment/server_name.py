"""The host that a TLS connection asks for: the server name of its first message. Pure.

The name is readable (RFC 6066, section 3) unless it is encrypted; then the message has an extension for that
(RFC 9849), and no name is given here.
"""

from collections.abc import Iterator

HEAD = 5
"""Bytes before a record: its kind, two of the version, two of its length."""

MAX_RECORD = (1 << 14) + 256
_HANDSHAKE, _CLIENT_HELLO = 22, 1
_SERVER_NAME, _HOST_NAME, _ENCRYPTED = 0, 0, 0xFE0D


def record_length(head: bytes) -> int:
    """The bytes of the record after ``head``; 0 where that begins no handshake."""
    length = int.from_bytes(head[3:5], "big")
    return length if len(head) == HEAD and head[0] == _HANDSHAKE and length <= MAX_RECORD else 0


def server_name(record: bytes) -> str:
    """The host, in lower case, that a client's first ``record`` names; empty where none is to be seen."""
    try:
        found = dict(_extensions(record))
        if _ENCRYPTED in found or _SERVER_NAME not in found:
            return ""
        names = found[_SERVER_NAME]
        kind, length = names[2], int.from_bytes(names[3:5], "big")
        is_one = kind == _HOST_NAME and len(names) == 5 + length
        return names[5:].decode("ascii").lower().rstrip(".") if is_one else ""
    except (IndexError, ValueError):
        return ""


def _extensions(record: bytes) -> Iterator[tuple[int, bytes]]:
    """The numbers and contents of the extensions.

    Raises:
        ValueError: it is no whole client's hello.
    """
    if not record or record[0] != _CLIENT_HELLO:
        raise ValueError("not a client's hello")
    hello, rest = _sized(record[1:], 3)
    if rest:
        raise ValueError("more than one message")
    _session, rest = _sized(hello[34:], 1)  # behind the version and the random bytes
    _suites, rest = _sized(rest, 2)
    _compression, rest = _sized(rest, 1)
    extensions, _ = _sized(rest, 2)
    seen = set[int]()
    while extensions:
        number = int.from_bytes(extensions[:2], "big")
        content, extensions = _sized(extensions[2:], 2)
        if number in seen:
            raise ValueError("twice the same extension")
        seen.add(number)
        yield number, content


def _sized(data: bytes, size: int) -> tuple[bytes, bytes]:
    """What stands behind its own length of ``size`` bytes, and the rest."""
    end = size + int.from_bytes(data[:size], "big")
    if len(data) < end:
        raise ValueError("shorter than it says")
    return data[size:end], data[end:]

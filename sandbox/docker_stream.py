"""What the engine is spoken to by: its errors, and the attached streams of a container's process 1."""

import os
import socket
import time
from contextlib import suppress
from typing import Any

API_TIMEOUT_S = 60


def engine_errors() -> tuple[type[Exception], ...]:
    """What the client library raises when the engine refuses, is gone, or takes too long."""
    from docker.errors import DockerException
    from requests import RequestException
    from urllib3.exceptions import HTTPError  # while a stream is read, which takes too long

    return DockerException, RequestException, HTTPError, OSError


class AttachedTransport:
    """The multiplexed stream of an attached container; see ``session.RunnerTransport``.

    The engine prefixes each chunk with eight bytes: the stream (1 output, 2 error), three zeros and a
    big-endian length. Source: the engine's API reference, "Attach to a container".
    """

    def __init__(self, stream: Any) -> None:  # noqa: ANN401 - a socket or the library's wrapper of one
        self._stream = stream
        self._socket: socket.socket = getattr(stream, "_sock", stream)
        self._output = bytearray()
        self._raw = bytearray()
        self._errors = b""

    def send(self, data: bytes) -> None:
        """Write all of ``data``."""
        self._socket.settimeout(API_TIMEOUT_S)
        self._socket.sendall(data)

    def receive(self, count: int, *, deadline: float) -> bytes:
        """Exactly ``count`` bytes of the container's output."""
        while len(self._output) < count:
            remaining = deadline - time.monotonic()
            if remaining <= 0:
                raise TimeoutError
            self._socket.settimeout(remaining)
            chunk = self._socket.recv(1 << 20)
            if not chunk:
                raise EOFError
            self._raw += chunk
            self._demultiplex()
        data = bytes(self._output[:count])
        del self._output[:count]
        return data

    def _demultiplex(self) -> None:
        while len(self._raw) >= 8:
            length = int.from_bytes(self._raw[4:8], "big")
            if len(self._raw) < 8 + length:
                return
            chunk = self._raw[8 : 8 + length]
            if self._raw[0] == 1:
                self._output += chunk
            else:
                self._errors = (self._errors + bytes(chunk))[-2000:]
            del self._raw[: 8 + length]

    def diagnosis(self) -> str:
        """The last line that the container wrote to its error output."""
        lines = self._errors.decode("utf-8", "replace").strip().splitlines()
        return lines[-1][:300] if lines else ""

    def close(self) -> None:
        """Close the stream: the runner sees the end of its input and ends."""
        with suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        # urllib3 keeps the response, and through it the connection, open on its own account.
        for part in (getattr(self._stream, "_response", None), self._stream):
            if part is not None:
                with suppress(OSError, ValueError):
                    part.close()
        # What they leave open is the descriptor itself: a wrapper of it stays referenced somewhere.
        with suppress(OSError):
            os.close(self._socket.detach())

"""Bounds on what a server may send: how much, how long, and from where.

A hook on an HTTP client's responses. It sees each response before its body is read and before any redirect
is followed: a request holds code and a key, and goes where the user said, nowhere else.
"""

import math
from collections.abc import Callable, Iterator

import httpx2

from bot.backends.failures import Broken
from bot.errors import quoted
from bot.ports import Clock

# A reply of TEXT_CHARACTERS with the JSON that a stream wraps each token in.
BODY_BYTES = 64 * 1024 * 1024
CONNECT_S = 15.0


def bounding(*, clock: Clock, remaining: Callable[[], float]) -> Callable[[httpx2.Response], None]:
    """A hook that bounds responses; ``remaining`` gives the seconds that the run still has."""

    def bound(response: httpx2.Response) -> None:
        if response.has_redirect_location:
            raise Broken(_strayed(response), lasting=True)
        stream = response.stream
        assert isinstance(stream, httpx2.SyncByteStream)
        response.stream = _Bounded(stream, clock=clock, until=clock() + remaining())

    return bound


class _Bounded(httpx2.SyncByteStream):
    """A body that ends in ``Broken`` when it is too large, or takes longer than there is time."""

    def __init__(self, stream: httpx2.SyncByteStream, *, clock: Clock, until: float) -> None:
        self._stream, self._clock, self._until = stream, clock, until

    def __iter__(self) -> Iterator[bytes]:
        size = 0
        for chunk in self._stream:
            size += len(chunk)
            if size > BODY_BYTES:
                raise Broken(f"sent more than {BODY_BYTES >> 20} MiB for one reply", lasting=True)
            if self._clock() > self._until:
                raise Broken("was still answering when the time budget was used up", lasting=True)
            yield chunk

    def close(self) -> None:
        """Give the connection back."""
        self._stream.close()


def silence_s(limit_s: float, remaining_s: float) -> float:
    """How long a server may be silent: the limit, and no longer than the run has left."""
    return max(0.1, min(limit_s, remaining_s if math.isfinite(remaining_s) else limit_s))


def _strayed(response: httpx2.Response) -> str:
    try:
        target = response.request.url.join(response.headers["location"])
        where = quoted(f"{target.scheme}://{target.netloc.rpartition(b'@')[2].decode('ascii', 'replace')}")
    except (httpx2.InvalidURL, UnicodeError, ValueError):
        where = "an address that cannot be read"
    return f"redirects to {where}, and neither code nor a key is sent there unasked: set the final address"

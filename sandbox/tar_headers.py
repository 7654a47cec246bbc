"""What ``tarfile`` may read of an untrusted archive: no header that takes it minutes or a gigabyte.

A name that is too long for its field stands in a header of its own, which may claim any length; and some
releases of CPython search one in a time that grows with the square of its digits (CVE-2024-6232).
"""

from __future__ import annotations

import re
import tarfile
from typing import IO, Any, Self

EXTENDED_LIMIT_BYTES = 1024 * 1024
"""Of one header: longer paths than Linux takes are left out one by one."""

_DIGITS = re.compile(rb"\d{256}")
_EXTENDED = frozenset(
    {
        *(tarfile.XHDTYPE, tarfile.XGLTYPE, tarfile.SOLARIS_XHDTYPE),
        *(tarfile.GNUTYPE_LONGNAME, tarfile.GNUTYPE_LONGLINK),
    }
)


class PlainHeader(tarfile.TarInfo):
    """For ``tarfile.open(tarinfo=...)``; reading raises ``tarfile.ReadError`` at such a header."""

    def _proc_member(self, archive: Any) -> Self:  # noqa: ANN401 - parts of the library have no types
        if self.type not in _EXTENDED:
            return super()._proc_member(archive)  # type: ignore[misc, no-any-return]
        if not 0 <= self.size <= EXTENDED_LIMIT_BYTES:
            raise tarfile.ReadError("a header is too long")
        behind = archive.fileobj
        held = behind.read(-(-self.size // tarfile.BLOCKSIZE) * tarfile.BLOCKSIZE)
        if _DIGITS.search(held):
            raise tarfile.ReadError("a header holds a number that is too long")
        archive.fileobj = _Again(held, behind)
        try:
            return super()._proc_member(archive)  # type: ignore[misc, no-any-return]
        finally:
            archive.fileobj = behind


class _Again:
    """``held``, which was read of ``behind`` already, and then that."""

    def __init__(self, held: bytes, behind: IO[bytes]) -> None:
        self._held, self._behind = held, behind

    def read(self, size: int) -> bytes:
        """See ``io.RawIOBase``."""
        first, self._held = self._held[:size], self._held[size:]
        return first + self._behind.read(size - len(first)) if len(first) < size else first

    def tell(self) -> int:
        """See ``io.IOBase``."""
        return self._behind.tell() - len(self._held)

    def seek(self, place: int) -> None:
        """Forward or back, to what is not held any more."""
        self._held = b""
        self._behind.seek(place)

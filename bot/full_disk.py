"""Recognises a full or failing disk: libraries have errors of their own for it."""

import errno
import sys

_ERRNOS = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EROFS})
_SQLITE = frozenset({8, 10, 13})  # read-only, disk I/O error, full; the low byte of an extended code


def disk_failure(error: BaseException) -> str:
    """What to say where ``error`` is the disk's, in a sentence that says what to do; empty otherwise."""
    if isinstance(error, OSError) and error.errno in _ERRNOS:
        what = error.strerror or "it failed"
    elif (sqlite := sys.modules.get("sqlite3")) and isinstance(error, sqlite.Error):
        if (getattr(error, "sqlite_errorcode", None) or 0) & 0xFF not in _SQLITE:
            return ""
        what = str(error)
    else:
        return ""
    where = f" at {error.filename!a}" if isinstance(error, OSError) and error.filename else ""
    return f"the disk does not take what has to be written{where} ({what}): free some space, then run again"

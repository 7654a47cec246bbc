"""How a program of Regreen's ends: with which status, what it says then, and by which signals.

A full or failing disk is recognised here, too: libraries have errors of their own for it.
"""

import errno
import signal
import sys
from collections.abc import Iterable
from typing import NoReturn

INTERNAL_ERROR = 70
SIGNALLED = 128  # and the signal's number, as shells count

_ERRNOS = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EROFS})
_SQLITE = frozenset({8, 10, 13})  # read-only, disk I/O error, full; the low byte of an extended code


def ending(error: Exception) -> tuple[int, tuple[str, ...]]:
    """The exit status for ``error``, and what to say of it, a line each."""
    from bot.errors import InvalidConfiguration, MachineError, RegreenError
    from sandbox.errors import SandboxError

    if isinstance(error, InvalidConfiguration):
        return error.exit_code, error.problems
    if isinstance(error, RegreenError):
        return error.exit_code, (str(error),)
    if said := str(error) if isinstance(error, SandboxError) else disk_failure(error):
        return MachineError.exit_code, (said,)
    return INTERNAL_ERROR, (f"internal error: {type(error).__name__}: {error}",)


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


def unwind_on(signals: Iterable[signal.Signals]) -> None:
    """Let each of ``signals`` unwind the stack, which closes every sandbox on the way."""
    numbers = tuple(signals)

    def terminate(signum: int, _frame: object) -> NoReturn:
        # A second signal must not cut that short.
        for number in numbers:
            signal.signal(number, signal.SIG_IGN)
        raise SystemExit(SIGNALLED + signum)

    for number in numbers:
        signal.signal(number, terminate)

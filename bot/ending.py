"""How a program of Regreen's ends: with which status, what it says then, and by which signals."""

import signal
from collections.abc import Iterable
from typing import NoReturn

INTERNAL_ERROR = 70
SIGNALLED = 128  # and the signal's number, as shells count


def ending(error: Exception) -> tuple[int, tuple[str, ...]]:
    """The exit status for ``error``, and what to say of it, a line each."""
    from bot.errors import InvalidConfiguration, MachineError, RegreenError
    from bot.full_disk import disk_failure
    from sandbox.errors import SandboxError

    if isinstance(error, InvalidConfiguration):
        return error.exit_code, error.problems
    if isinstance(error, RegreenError):
        return error.exit_code, (str(error),)
    if said := str(error) if isinstance(error, SandboxError) else disk_failure(error):
        return MachineError.exit_code, (said,)
    return INTERNAL_ERROR, (f"internal error: {type(error).__name__}: {error}",)


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

"""``python -I -m bot.action``: what the Action's image runs."""

import signal
import sys
from typing import NoReturn

from bot.config import sources

ENDING_SIGNALS = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
SIGNALLED = 128  # and the signal's number, as shells count


def main() -> NoReturn:
    """Run the Action; end with its status."""
    # First of all: nothing that is imported or started from here on inherits a secret.
    environment = sources.take_environment()
    for number in ENDING_SIGNALS:
        signal.signal(number, _terminate)

    from bot.action.entry import run

    sys.exit(run(environment, sys.stdout))


def _terminate(signum: int, _frame: object) -> NoReturn:
    # Unwinds the stack, which closes every sandbox on the way. A second signal must not cut that short.
    for number in ENDING_SIGNALS:
        signal.signal(number, signal.SIG_IGN)
    raise SystemExit(SIGNALLED + signum)


if __name__ == "__main__":
    main()

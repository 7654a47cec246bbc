"""``python -I -m bot.action``: what the Action's image runs."""

import signal
import sys
from typing import NoReturn

from bot.config import sources
from bot.ending import unwind_on


def main() -> NoReturn:
    """Run the Action; end with its status."""
    # First of all: nothing that is imported or started from here on inherits a secret.
    environment = sources.take_environment()
    unwind_on((signal.SIGTERM, signal.SIGINT, signal.SIGHUP))

    from bot.action.entry import run

    sys.exit(run(environment, sys.stdout))


if __name__ == "__main__":
    main()

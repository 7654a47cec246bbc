"""The command ``regreen``: starts our packages, and says so where another package has one of their names.

``bot`` and ``sandbox`` are frequent names. In an environment of Regreen's own (uvx, pipx, the image) nothing
else brings them. In a shared one the other package may be imported first.
"""

from __future__ import annotations

import sys
from importlib.util import find_spec
from pathlib import Path
from typing import NoReturn

PACKAGES = ("bot", "sandbox")
EXIT_STATUS = 2


def main() -> NoReturn:
    """Run the command line, unless one of our packages is not the one that Python would import."""
    for name in PACKAGES:
        if other := _other(name):
            message = (
                f"regreen: {other} has the name of a package of Regreen and is imported in its place. "
                "Install Regreen in an environment of its own: 'uvx regreen' or 'pipx install regreen'."
            )
            print(message, file=sys.stderr)  # noqa: T201 - nothing of ours may be imported here
            sys.exit(EXIT_STATUS)
    from bot.cli import main as command

    command()


def _other(name: str) -> str:
    """Where Python would import ``name`` from, if that is not beside this file; else empty."""
    spec = find_spec(name)
    expected = Path(__file__).resolve().with_name(name)
    found = Path(spec.origin).resolve().parent if spec and spec.origin else None
    return "" if found == expected else str(found or f"something called {name}")

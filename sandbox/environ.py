"""The environment variables that code in a sandbox gets: a fixed few, none of the caller's.

There is no terminal, as in CI: TERM, COLUMNS and LINES are not set, and a size that is asked for is 80 by 24.
"""

import os
import pwd
from collections.abc import Mapping

from sandbox import machine

DEFAULT_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"


def scrubbed(
    extra: Mapping[str, str], *, home: str, path: str = DEFAULT_PATH, user: str = machine.USER
) -> dict[str, str]:
    """A fixed user, locale, clock zone and hash seed, so that two runs differ in nothing but the code."""
    return {
        "HOME": home,
        "LANG": "C.UTF-8",
        "LC_ALL": "C.UTF-8",
        "LOGNAME": user,
        "PATH": path,
        "PYTHONHASHSEED": "0",
        "PYTHONUNBUFFERED": "1",
        "SHELL": machine.SHELL,
        "TZ": "UTC",
        "USER": user,
        **extra,
    }


def caller() -> str:
    """The name of the user that this process runs as: what a plain child of it finds by its number."""
    try:
        return pwd.getpwuid(os.getuid()).pw_name
    except KeyError:  # a number without an entry, as in some containers
        return machine.USER

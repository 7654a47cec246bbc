"""The environment variables that code in a sandbox gets: a fixed few, none of the caller's."""

from __future__ import annotations

from collections.abc import Mapping

DEFAULT_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"


def scrubbed(extra: Mapping[str, str], *, home: str, path: str = DEFAULT_PATH) -> dict[str, str]:
    """A fixed locale, clock zone and hash seed, so that two runs differ in nothing but the code."""
    return {
        "HOME": home,
        "LANG": "C.UTF-8",
        "LC_ALL": "C.UTF-8",
        "PATH": path,
        "PYTHONHASHSEED": "0",
        "PYTHONUNBUFFERED": "1",
        "TZ": "UTC",
        **extra,
    }

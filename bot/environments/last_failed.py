"""Which test files failed when somebody last ran pytest here: pytest writes that into its cache.

It is a hint for the order of the first run, nothing else: a suite longer than its time begins with them.
"""

import json
import os
from pathlib import Path

PLACE = Path(".pytest_cache", "v", "cache", "lastfailed")
MAX_BYTES = 1_000_000
MAX_FILES = 50


def last_failed(project: Path) -> tuple[str, ...]:
    """The files of the tests that failed, in the cache's order; none where there is no cache to read."""
    try:
        descriptor = os.open(project / PLACE, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        with os.fdopen(descriptor, "rb") as file:
            data = file.read(MAX_BYTES + 1)
        failed = json.loads(data) if len(data) <= MAX_BYTES else {}
    except (OSError, ValueError, RecursionError):
        return ()
    names = [name for name in failed if isinstance(name, str)] if isinstance(failed, dict) else []
    files = dict.fromkeys(name.partition("::")[0] for name in names)
    return tuple(files)[:MAX_FILES]

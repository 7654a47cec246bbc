"""Which test files failed when somebody last ran pytest here: pytest writes that into its cache.

It is a hint for the order of the first run, nothing else: a suite longer than its time begins with them.
"""

import json
from pathlib import Path

from sandbox.snapshot import read_plain

PLACE = Path(".pytest_cache", "v", "cache", "lastfailed")
MAX_BYTES = 1_000_000
MAX_FILES = 50


def last_failed(project: Path) -> tuple[str, ...]:
    """The files of the tests that failed, in the cache's order; none where there is no cache to read."""
    data = read_plain(project / PLACE, largest=MAX_BYTES)
    try:
        failed = json.loads(data) if data and len(data) <= MAX_BYTES else {}
    except (ValueError, RecursionError):
        return ()
    names = [name for name in failed if isinstance(name, str)] if isinstance(failed, dict) else []
    files = dict.fromkeys(name.partition("::")[0] for name in names)
    return tuple(files)[:MAX_FILES]

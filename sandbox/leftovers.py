"""Removes the directories and files that dead runs left: never those of a live run, host or user."""

import os
import shutil
import stat
import tempfile
from contextlib import suppress

from sandbox.owner import left_by_the_dead


def sweep(directory: str | None = None) -> int:
    """Remove what dead runs left in ``directory`` (default: the temporary one); returns how many entries."""
    count = 0
    with suppress(OSError), os.scandir(directory or tempfile.gettempdir()) as entries:
        for entry in list(entries):
            if left_by_the_dead(entry.name) and _is_ours(entry.path):
                count += _remove(entry.path)
    return count


def _is_ours(path: str) -> bool:
    # The temporary directory is everybody's: an untrusted link or directory of such a name is not touched.
    try:
        status = os.lstat(path)
    except OSError:
        return False
    plain = stat.S_ISDIR(status.st_mode) or stat.S_ISREG(status.st_mode)
    return plain and status.st_uid == os.geteuid()


def _remove(path: str) -> bool:
    if os.path.isdir(path):
        shutil.rmtree(path, ignore_errors=True)
    else:
        with suppress(OSError):
            os.remove(path)
    return not os.path.lexists(path)

"""Makes marked temporary directories, and removes those that dead runs left: never another live run's."""

import atexit
import os
import shutil
import stat
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache

from sandbox.owner import left_by_the_dead, mark

REMOVING_S = 120


@contextmanager
def directory(suffix: str = "") -> Iterator[str]:
    """A temporary directory that names this run; a signal in the middle of its removal leaves nothing."""
    _remove_at_exit()
    path = tempfile.mkdtemp(prefix=mark() + suffix)
    try:
        yield path
    finally:
        remove_tree(path)


@cache
def _remove_at_exit() -> None:
    # The mark is read at the exit: a forked child that ends has another one than its parent.
    atexit.register(_remove_all, tempfile.gettempdir(), lambda name: name.startswith(mark()))


def sweep(where: str | None = None) -> int:
    """Remove what dead runs left in ``where`` (default: the temporary one); returns how many entries."""
    return _remove_all(where or tempfile.gettempdir(), left_by_the_dead)


def _remove_all(where: str, chosen: Callable[[str], bool]) -> int:
    count = 0
    with suppress(OSError), os.scandir(where) as entries:
        for entry in list(entries):
            if chosen(entry.name) and _is_ours(entry.path):
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


def remove_tree(path: str) -> None:
    """Remove the directory at ``path``, whatever untrusted code has made of it; never raises.

    CPython's own way recurses, so that it ends in a deep directory, and ``tempfile`` before 3.11.8 follows
    links where it changes modes (CVE-2023-6597). What is left then is for programs that do neither.
    """
    with suppress(OSError, RecursionError):
        shutil.rmtree(path)
    for argv in (["chmod", "-R", "u+rwx", "--", path], ["rm", "-rf", "--", path]):
        if not os.path.lexists(path):
            return
        with suppress(OSError, subprocess.SubprocessError):
            subprocess.run(
                argv, check=False, timeout=REMOVING_S, stdin=subprocess.DEVNULL, capture_output=True
            )


def _remove(path: str) -> bool:
    if os.path.isdir(path):
        remove_tree(path)
    else:
        with suppress(OSError):
            os.remove(path)
    return not os.path.lexists(path)

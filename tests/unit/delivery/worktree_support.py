"""What the tests of delivery worktree share."""

import os
import stat

UMASK = os.umask(0o022)
BEFORE = {"a.py": b"a = 1\n", "pkg/b.py": b"b = 1\n"}
AFTER = {"a.py": b"a = 2\n", "pkg/b.py": b"b = 2\r\n\xff"}


def contents(root):
    """Every file under ``root``, so that what was left behind shows too."""
    return {p.relative_to(root).as_posix(): p.read_bytes() for p in root.rglob("*") if p.is_file()}


def mode(path):
    return stat.S_IMODE(path.stat().st_mode)

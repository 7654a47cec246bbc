"""Say which files of a traceback belong to the project, and name them relative to its root.

Judged by the text alone: the machine that wrote the log is not this one, so nothing looks at the disk.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

_CHECKOUTS = re.compile(
    r"(?:/home/runner/work|/Users/runner/work|/__w|[A-Za-z]:/a)/[^/]+/[^/]+/|/github/workspace/",
)
_DRIVE = re.compile(r"[A-Za-z]:/")
_FOREIGN = re.compile(r"(?:^|/)(?:site-packages|dist-packages|\.tox|\.nox|lib/python\d[^/]*)/")


def project_path(text: str, *, roots: Iterable[str] = ()) -> str | None:
    """The path relative to the project's root, or None where the file is not the project's.

    ``roots`` are directories that the log names as roots (pytest's ``rootdir``); they come before the
    places where GitHub's runners check projects out.
    """
    path = text.strip().replace("\\", "/")
    if not path or path.startswith(("<", "~")) or _FOREIGN.search(path):
        return None
    if path.startswith("/") or _DRIVE.match(path):
        relative = _below(path, roots)
        if relative is None:
            return None
        path = relative
    while path.startswith("./"):
        path = path[2:]
    parts = path.split("/")
    return None if not path or ".." in parts or "" in parts else path


def _below(path: str, roots: Iterable[str]) -> str | None:
    for root in roots:
        prefix = root.replace("\\", "/").rstrip("/") + "/"
        if len(prefix) > 1 and path.startswith(prefix):
            return path[len(prefix) :]
    found = _CHECKOUTS.match(path)
    return path[found.end() :] if found else None

"""The part of somebody's unified diff that is about one file, short enough to be shown to a model."""

import re

MAX_LINES = 40
_FILE = re.compile(r"^\+\+\+ (?:b/)?(?P<path>[^\t\n]*).*", re.MULTILINE)


def diff_of(diff: str, path: str) -> str:
    """The hunks of ``diff`` that change ``path``, cut to a few lines; empty where there is none."""
    headers = list(_FILE.finditer(diff))
    for number, header in enumerate(headers):
        if header["path"].strip() != path:
            continue
        end = headers[number + 1].start() if number + 1 < len(headers) else len(diff)
        lines = [
            line
            for line in diff[header.end() : end].strip("\n").split("\n")
            if not line.startswith(("diff --git ", "index ", "--- "))
        ]
        return "\n".join(lines[:MAX_LINES])
    return ""

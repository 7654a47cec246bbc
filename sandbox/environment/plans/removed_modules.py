"""Modules that the standard library had once, and the project imports: they say which Python is too new."""

import re
from collections.abc import Mapping
from pathlib import PurePosixPath

REMOVED = {
    "3.12": "asynchat asyncore distutils imp smtpd",
    "3.13": "aifc audioop cgi cgitb chunk crypt imghdr lib2to3 mailcap msilib nis nntplib ossaudiodev pipes"
    " sndhdr spwd sunau telnetlib uu xdrlib",
}
"""The first Python without each (PEP 594, PEP 632 and "What's New In Python 3.12")."""
_SINCE = {name: version for version, names in REMOVED.items() for name in names.split()}
# What stands further in is guarded, by a version or for an ImportError.
_IMPORT = re.compile(rf"^(?:import|from)[ \t]+({'|'.join(_SINCE)})\b".encode(), re.MULTILINE)
_ASIDE = frozenset({"doc", "docs", "example", "examples", "tools", "scripts"})


def first_without(files: Mapping[str, bytes]) -> tuple[str, str]:
    """The first Python (``3.12``) without a module that ``files`` import at their top, and who imports it.

    Both are empty where there is no such module. What is run to build or to document the project does not
    count, and nothing that the project has itself.
    """
    own = {PurePosixPath(path).parent.name for path in files} | {PurePosixPath(path).stem for path in files}
    found = [
        (_SINCE[name], path, name)
        for path, text in files.items()
        if path.endswith(".py") and path != "setup.py" and not _ASIDE & set(path.split("/")[:-1])
        for name in {match.decode() for match in _IMPORT.findall(text)} - own
    ]
    version, path, name = min(found, default=("", "", ""))
    return version, f"{path} imports {name}" if name else ""

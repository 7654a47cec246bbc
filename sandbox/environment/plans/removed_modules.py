"""Modules that the standard library had once, and the project imports: they say which Python is too new."""

import ast
import re
from collections.abc import Mapping
from pathlib import PurePosixPath

from sandbox.formats import parsed

REMOVED = {
    "3.12": "asynchat asyncore distutils imp smtpd",
    "3.13": "aifc audioop cgi cgitb chunk crypt imghdr lib2to3 mailcap nis nntplib ossaudiodev pipes"
    " sndhdr spwd sunau telnetlib uu xdrlib",
}
"""The first Python without each (PEP 594, PEP 632 and "What's New In Python 3.12")."""
_SINCE = {name: version for version, names in REMOVED.items() for name in names.split()}
_SETUPTOOLS = frozenset({"distutils"})
"""What setuptools brings along."""
# What stands further in is guarded, by a version or for an ImportError.
_IMPORT = re.compile(rf"^(?:import|from)[ \t]+(?:{'|'.join(_SINCE)})\b".encode(), re.MULTILINE)
_ROOTS = frozenset({"src", "lib", "test", "tests"})
_DATA = frozenset({"data", "example", "examples", "fixtures", "samples", "testdata"})


def first_without(files: Mapping[str, bytes]) -> tuple[str, str]:
    """The first Python (``3.12``) without a module that ``files`` import at their top, and who imports it.

    Both are empty where there is no such module. Only packages, tests and modules at the top count: not what
    builds or documents the project, no examples. Nothing counts that the project has itself.
    """
    own = {PurePosixPath(path).parent.name for path in files} | {PurePosixPath(path).stem for path in files}
    gone = _SINCE.keys() - own - (_SETUPTOOLS if "setuptools" in own else set())
    found = [
        (_SINCE[name], path, name)
        for path, text in files.items()
        if path.endswith(".py") and _IMPORT.search(text) and _is_code(path, files)
        for name in _imported(text) & gone
    ]
    version, path, name = min(found, default=("", "", ""))
    return version, f"{path} imports {name}" if name else ""


def _is_code(path: str, files: Mapping[str, bytes]) -> bool:
    *directories, name = path.split("/")
    if name == "setup.py" or _DATA & set(directories):
        return False
    return not directories or directories[0] in _ROOTS or f"{directories[0]}/__init__.py" in files


def _imported(text: bytes) -> set[str]:
    """The modules that ``text`` imports outside of functions and conditions."""
    tree = parsed(text)
    body = tree.body if tree else []
    names = [alias.name for node in body if isinstance(node, ast.Import) for alias in node.names]
    names += [node.module or "" for node in body if isinstance(node, ast.ImportFrom) and not node.level]
    return {name.partition(".")[0] for name in names}

"""Which files a repair may change, and which names no file may have.

A repair changes Python sources that are there. What decides a test run or a build is protected: tests,
configuration, dependencies, CI, and the hooks by which Python runs code at start. New modules and data files
are for a person to see; every other kind of file is refused.
"""

import posixpath
import re
import sys
import unicodedata
from collections.abc import Collection

from bot.patch.globs import folded, matches
from bot.patch.policy.dangers import TABLES, words
from bot.patch.policy.files.hidden_characters import is_confusable
from bot.patch.text import is_encodable

MAX_PATH_BYTES = 1024
MAX_NAME_BYTES = 255

TESTS = tuple(
    sorted(
        words("""
            test_*.py *_test.py *_tests.py test.py tests.py conftest.py *.feature *.ambr *.snap
            **/tests/** **/test/** **/testing/** **/test_*/** **/testdata/** **/__snapshots__/**
            **/features/steps/** **/features/environment.py
        """)
    )
)
OF_A_PROJECT: tuple[str, ...] = ("build.py", "ci/**", "jenkins/**", "buildkite/**", "concourse/**")
"""What builds and tests at the top of a project; within a package, the same names are ordinary sources."""

_BY_REASON = TABLES["protected"]
PROTECTED: tuple[str, ...] = (
    *TESTS,
    *(f"/{name}" for name in OF_A_PROJECT),
    *(pattern for text in _BY_REASON.values() for pattern in sorted(words(text))),
)

DATA_SUFFIXES = words(TABLES["files"]["data_suffixes"])
"""Files of data and of documentation: a person sees a change of one."""

_PYTHON = (".py", ".pyi", ".pyw")
# Names by which well-known packages are imported, and which a new file must not take from them.
_PACKAGES = words(TABLES["files"]["packages"])
_TEST_PACKAGES = words("pytest _pytest pluggy iniconfig nose hypothesis xdist coverage exceptiongroup")
_SHADOWING = frozenset(map(str.casefold, {*sys.stdlib_module_names, *_TEST_PACKAGES, *_PACKAGES}))


def is_test_path(path: str) -> bool:
    """Whether ``path`` is a test or part of a test suite, by its name."""
    return matches(path, TESTS)


def is_python(path: str) -> bool:
    """Whether ``path`` is a file of Python code, by its name."""
    return path.casefold().endswith(_PYTHON)


def is_plain_source(path: str) -> bool:
    """Whether ``path`` is Python code that is no test and decides no build."""
    return is_python(path) and not matches(path, PROTECTED)


def kind_problem(path: str) -> str | None:
    """Why no repair may change a file like ``path``, by its kind; None when one may."""
    suffix = posixpath.splitext(folded(path))[1]
    if is_python(path) or suffix in DATA_SUFFIXES:
        return None
    return f"{path} is neither a Python source nor data: no repair changes it"


def name_problem(path: str) -> str | None:
    """Why no file may be called ``path``, whatever the configuration allows; None when it may."""
    shown = ascii(path)[:120]
    if not path:
        return "a path is empty"
    if not is_encodable(path) or any(
        unicodedata.category(char) in {"Cc", "Cf", "Cs", "Zl", "Zp"} for char in path
    ):
        return f"the path {shown} holds control, invisible or undecodable characters"
    if path.startswith(("/", "~")) or path[1:2] == ":":
        return f"the path {shown} is absolute"
    if "\\" in path:
        return f"the path {shown} holds a backslash"
    parts = path.split("/")
    if any(part in {"", ".", ".."} or not part.strip(". ") for part in parts):
        return f"the path {shown} is not a plain relative path"
    if len(path.encode()) > MAX_PATH_BYTES or any(len(part.encode()) > MAX_NAME_BYTES for part in parts):
        return f"the path {shown} is too long"
    if any(part == ".git" or part.startswith("git~") for part in folded(path).split("/")):
        return f"the path {shown} lies in the repository's own storage"
    return None


def creation_problem(path: str, sources: Collection[str]) -> str | None:
    """Why ``path``, which does not exist, may not be created; None when it may."""
    if not path.endswith(".py"):
        return f"{path} would be created: only .py files may be"
    if any(folded(known) == folded(path) for known in sources):
        return f"{path} differs from an existing file only in case or spelling"
    if odd := next(
        (part for part in re.split(r"\W+", path) if not part.isascii() and is_confusable(part)), ""
    ):
        return f"{ascii(path)[:120]} would be created: {odd!a} can be taken for another name"
    parts = folded(path).removesuffix(".py").split("/")
    top = parts[1] if len(parts) > 1 and parts[0] in {"src", "lib"} else parts[0]
    if top in _SHADOWING:
        return f"{path} would shadow the module {top}"
    if any(known.startswith(path + "/") for known in sources):
        return f"{path} is a directory"
    if any(path.startswith(known + "/") for known in sources):
        return f"{path} lies below a file"
    if alternative := next((known for known in sources if _is_alternative(known, path)), None):
        return f"{path} would take the place of {alternative} wherever it is imported"
    return None


def alternative_paths(path: str) -> tuple[str, ...]:
    """Files that a new Python file at ``path`` would take the place of, where they are there."""
    stem = path.removesuffix(".py")
    if stem.endswith("/__init__"):
        package = stem.removesuffix("/__init__")
        return (f"{package}.py", f"{package}.pyi")
    return (f"{stem}/__init__.py", f"{stem}.pyi")


def _is_alternative(known: str, path: str) -> bool:
    """Whether the file ``known`` and the new one at ``path`` are imported by one name."""
    if folded(known) in map(folded, alternative_paths(path)):
        return True
    # A directory of modules is a package without a file of its own, and a module is found before it.
    return is_python(known) and folded(known).startswith(folded(path.removesuffix(".py")) + "/")

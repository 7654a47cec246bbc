"""Which files a project makes tests or parts of a build: by its configuration, or by a failing test."""

import posixpath
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping

from bot.patch.policy.files.protected import OF_A_PROJECT

PROJECT_FILE = "pyproject.toml"
MARKERS = (PROJECT_FILE, "setup.py", "setup.cfg")
"""Files that a directory with a project of its own has."""
CONFIGURATIONS = (
    *("pyproject.toml", "pytest.toml", ".pytest.toml"),
    *("pytest.ini", ".pytest.ini", "tox.ini", "setup.cfg"),
)
_OPTION = re.compile(r"^python_files[ \t]*[=:](.*(?:\n(?:[ \t]+.*|[ \t]*))*)", re.MULTILINE)
_OVERRIDE = re.compile(
    r"(?:-o|--override-ini)[\s=,\"']*python_files=([^\"'\n\]]+?)(?=[\"'\n\]]|\s-|\Z)", re.MULTILINE
)
_SET = re.compile(r"\[[^\]]*\]")
# What plugins of pytest that run linters call their tests, behind the file.
_BY_LINTERS = re.compile(
    r"(?:ruff|mypy|mypy-status|black|flake-?8|isort|pylint|py?code-?style|py?doc-?style|pep-?8)(?:::|\Z)",
    re.IGNORECASE,
)
# With fewer letters, a pattern is for the tests' directories: t*.py names a project's sources as well.
_LETTERS = 3
RULE_FILES = tuple(dict.fromkeys((*MARKERS, *CONFIGURATIONS)))
"""The names of the files that :func:`own_rules` reads."""


def own_rules(files: Mapping[str, bytes]) -> tuple[str, ...]:
    """Glob patterns of what no patch may change beyond ``PROTECTED``, by the project's ``files``."""
    return (*backend_files(files), *project_files(files), *configured_tests(files))


def backend_files(files: Mapping[str, bytes]) -> tuple[str, ...]:
    """Glob patterns of the in-tree build backends that the project's ``pyproject.toml`` files name.

    Source: PEP 517, "In-tree build backends". A file that cannot be read names none.
    """
    found: list[str] = []
    for path in sorted(files):
        if posixpath.basename(path) == PROJECT_FILE:
            found += _backend_patterns(posixpath.dirname(path), files[path])
    return tuple(dict.fromkeys(found))


def project_files(files: Mapping[str, bytes]) -> tuple[str, ...]:
    """What ``OF_A_PROJECT`` is in each directory of ``files`` that holds a project, as glob patterns."""
    places = {posixpath.dirname(path) for path in files if posixpath.basename(path) in MARKERS}
    return tuple(f"/{place}/{name}" for place in sorted(places) if place for name in OF_A_PROJECT)


def _backend_patterns(directory: str, data: bytes) -> list[str]:
    try:
        system = tomllib.loads(data.decode("utf-8")).get("build-system")
    except (ValueError, RecursionError):
        return []
    if not isinstance(system, dict):
        return []
    places, backend = system.get("backend-path"), system.get("build-backend")
    if not isinstance(places, list) or not isinstance(backend, str) or not backend:
        return []
    module = backend.partition(":")[0].strip().replace(".", "/")
    patterns = []
    for place in (one for one in places if isinstance(one, str)):
        base = posixpath.normpath(posixpath.join("/", directory, place))[1:]
        top = posixpath.join(base, module.partition("/")[0])
        # Where a directory holds nothing but the backend, all of it is a part of the build.
        inside = base and base != directory
        patterns += [f"/{base}/**"] if inside else [f"/{top}.py", f"/{top}/**"]
    return patterns


def configured_tests(files: Mapping[str, bytes]) -> tuple[str, ...]:
    """Glob patterns of the tests that pytest's option ``python_files`` names in the project's ``files``.

    A file that cannot be read names none; nor does a pattern that most sources match.
    """
    found = (
        f"{posixpath.dirname(path) or '.'}/**/{pattern}".removeprefix("./")
        for path in sorted(files)
        if posixpath.basename(path) in CONFIGURATIONS and b"python_files" in files[path]
        for pattern in _patterns(path, files[path])
    )
    return tuple(dict.fromkeys(found))


def named_tests(tests: Iterable[str]) -> tuple[str, ...]:
    """The Python files that hold the tests of the node ids ``tests``.

    An example in a docstring stands in a source, and a file alone is one that cannot be imported. What a
    linter's plugin checks is any file.
    """
    found = (test.partition("::") for test in tests)
    held = (
        path
        for path, _, name in found
        if name and path.endswith(".py") and not _is_example(path, name) and not _BY_LINTERS.match(name)
    )
    return tuple(dict.fromkeys(held))


def _is_example(path: str, name: str) -> bool:
    """Whether pytest calls an example in a docstring of ``path`` so: by its module's name."""
    parts = path.removesuffix(".py").removesuffix("/__init__").split("/")
    modules = (".".join(parts[at:]) for at in range(len(parts)))
    return any(name == module or name.startswith(f"{module}.") for module in modules)


def _patterns(path: str, data: bytes) -> Iterator[str]:
    for word in _words(path, data.decode("utf-8", "replace")):
        plain = _SET.sub("?", word.strip("'\"").removeprefix("./").lstrip("/"))
        name = posixpath.basename(plain).removesuffix(".py")
        if sum(map(str.isalnum, name)) >= _LETTERS:
            # Pytest's star matches a slash as well.
            yield plain.replace("*", "**") if "/" in plain else plain


def _words(path: str, text: str) -> Iterator[str]:
    for value in _OVERRIDE.findall(text):  # among the words of addopts
        yield from value.split()
    if not path.endswith(".toml"):
        for value in _OPTION.findall(text):
            lines = (line for line in value.split("\n") if not line.lstrip().startswith(("#", ";")))
            yield from " ".join(lines).split()
        return
    try:
        document = tomllib.loads(text)
    except (ValueError, RecursionError):
        return
    for keys in (("tool", "pytest", "ini_options"), ("tool", "pytest"), ("pytest",)):
        table: object = document
        for key in keys:
            table = table.get(key) if isinstance(table, dict) else None
        value = table.get("python_files") if isinstance(table, dict) else None
        for one in value if isinstance(value, list) else [value]:
            yield from one.split() if isinstance(one, str) else ()

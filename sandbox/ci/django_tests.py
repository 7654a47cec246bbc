"""Says how Django's own test command can be run by pytest with pytest-django, test by test. Pure.

``manage.py test`` and its like are one program with one exit status. pytest-django runs the same tests, sets
up Django and its databases as that program does, and gives each test a verdict of its own.
Source: pytest-django's documentation, "Configuring Django settings" and "Database access".
"""

import posixpath
import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest

from sandbox.ci.commands import inside

PLUGIN = "pytest-django"
"""The package that the command needs beside pytest."""

SETTINGS = "DJANGO_SETTINGS_MODULE"

ARGUMENTS = "REGREEN_ARGUMENTS"
"""The variable that says what ``sys.argv`` holds: settings often ask ``"test" in sys.argv``."""

MAX_SCRIPT = 100_000
"""Characters of a script in which the settings are looked for."""

_NAMED = re.compile(
    r"environ(?:\.setdefault\(|\[)\s*[\"']DJANGO_SETTINGS_MODULE[\"']\s*(?:,|\]\s*=)\s*[\"']([\w.]+)[\"']"
)
_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*=")
_MOVE = re.compile(r"cd (?P<directory>[\w./-]+) && (?P<rest>.*)", re.DOTALL)
_RUNNERS = {"manage.py", "django-admin", "django-admin.py"}


def as_pytest(text: str, files: Mapping[str, bytes]) -> str:
    """The command ``text`` as a call of pytest; empty where it does not run Django's tests.

    ``files`` are the project's; paths in the command and in the answer are seen from its top.
    """
    moved = _MOVE.fullmatch(text)
    directory = moved["directory"] if moved else "."
    try:
        words = shlex.split(moved["rest"] if moved else text)
    except ValueError:
        return ""
    variables: dict[str, str] = {}
    while words and _ASSIGNMENT.match(words[0]):
        name, _, value = words.pop(0).partition("=")
        variables[name] = value
    found = _arguments(words, files, directory)
    if found is None:
        return ""
    script, arguments = found
    named = _NAMED.search(_start(files, script))
    settings = _option(arguments, "--settings") or variables.get(SETTINGS) or (named[1] if named else "")
    if not settings:
        return ""
    place = posixpath.dirname(script) or directory
    paths = list(_places(arguments, files, place)) or ([place] if place != "." else [])
    variables = {**variables, SETTINGS: settings, ARGUMENTS: "manage.py test"}
    if place != ".":
        variables["PYTHONPATH"] = ":".join(filter(None, (place, variables.get("PYTHONPATH", ""))))
    head = [f"{name}={shlex.quote(value)}" for name, value in variables.items()]
    return " ".join([*head, "python -m pytest -o 'python_files=test*.py'", *map(shlex.quote, paths)])


def command_of_manage(files: Mapping[str, bytes]) -> str:
    """The call of the project's own ``manage.py`` that runs all tests; empty where it has none."""
    found = [path for path in files if posixpath.basename(path) == "manage.py" and path.count("/") <= 1]
    first = min(found, key=lambda path: (path.count("/"), path), default="")
    return f"python {shlex.quote(first)} test" if first else ""


def _arguments(
    words: Sequence[str], files: Mapping[str, bytes], directory: str
) -> tuple[str, list[str]] | None:
    """The script, empty for Django's own, with the arguments for Django's tests; None for another program."""
    rest = list(words)
    if rest and re.match(r"(?:.*/)?python[\d.]*$", rest[0]):
        rest.pop(0)
        while rest and rest[0].startswith("-") and rest[0] != "-m":
            rest = rest[2:] if rest[0] in {"-W", "-X"} else rest[1:]
        if rest[:2] == ["-m", "django"]:
            rest = ["django-admin", *rest[2:]]
    if not rest:
        return None
    name = posixpath.basename(rest[0])
    path = inside(directory, rest[0])
    if name in _RUNNERS and rest[1:2] == ["test"]:
        return (path if name == "manage.py" else ""), rest[2:]
    # A script of the project's own that names its settings and starts Django's runner.
    source = _start(files, path)
    starts_runner = "get_runner" in source or "execute_from_command_line" in source
    return (path, rest[1:]) if name.endswith(".py") and starts_runner and _NAMED.search(source) else None


def _option(arguments: Sequence[str], name: str) -> str:
    for word, following in zip_longest(arguments, arguments[1:], fillvalue=""):
        if word == name:
            return following
        if word.startswith(f"{name}="):
            return word.partition("=")[2]
    return ""


def _start(files: Mapping[str, bytes], script: str) -> str:
    return files.get(script, b"")[:MAX_SCRIPT].decode("utf-8", "replace")


def _places(arguments: Sequence[str], files: Mapping[str, bytes], directory: str) -> Iterator[str]:
    """The labels among ``arguments`` that are directories or modules, as paths from the top."""
    directories = {posixpath.dirname(path) for path in files}
    for word in arguments:
        if word.startswith("-"):
            continue
        path = inside(directory, word if "/" in word else word.replace(".", "/"))
        if f"{path}.py" in files:
            yield f"{path}.py"
        elif path != "." and any(one == path or one.startswith(f"{path}/") for one in directories):
            yield path

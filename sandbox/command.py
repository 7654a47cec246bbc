"""What a test command means, by its text alone; ``sandbox.resolve`` looks at the project as well.

Four kinds: pytest with options, unittest with options, a Python program, and any other command. Whatever
is not surely one of the first three stays the last. A tool before the command that would make the project's
environment for it (``uv run``, ``uvx``, ``poetry run``) is taken off: the sandbox has one, and no such tool.
The options of unittest are read as unittest itself reads them.
"""

import argparse
import re
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NoReturn

from sandbox.launchers import launched

PATTERN = "test*.py"


@dataclass(frozen=True, slots=True, kw_only=True)
class UnittestOptions:
    """The options that decide which tests run.

    ``names`` are files, or dotted names of modules, classes and methods; without any, tests are discovered:
    files that match ``pattern`` in ``start`` and its packages, imported from ``top`` (``start`` when empty).
    ``name_patterns`` are those of ``-k``, with their wildcards.
    """

    names: tuple[str, ...] = ()
    start: str = "."
    pattern: str = PATTERN
    top: str = ""
    name_patterns: tuple[str, ...] = ()


class _Refused(Exception):
    """unittest would not take these arguments either."""


class _Parser(argparse.ArgumentParser):
    """Never prints, never exits."""

    def error(self, message: str) -> NoReturn:
        raise _Refused(message)


def read_options(arguments: Sequence[str]) -> UnittestOptions | None:
    """The options in ``arguments``; None where unittest would print its help or refuse them."""
    discovers = bool(arguments) and arguments[0].lower() == "discover"
    try:
        parsed = _parser(discovers=discovers).parse_args(arguments[1:] if discovers else arguments)
    except _Refused:
        return None
    patterns = tuple(text if "*" in text else f"*{text}*" for text in parsed.name_patterns or ())
    if not discovers:
        return UnittestOptions(names=tuple(parsed.names), name_patterns=patterns)
    return UnittestOptions(
        start=parsed.start_option or parsed.start or ".",
        pattern=parsed.pattern_option or parsed.pattern or PATTERN,
        top=parsed.top_option or parsed.top or "",
        name_patterns=patterns,
    )


def _parser(*, discovers: bool) -> _Parser:
    parser = _Parser(add_help=False)
    # How much is printed and when to stop is the runner's business.
    for names in (("-v", "--verbose"), ("-q", "--quiet"), ("-f", "--failfast"), ("-c", "--catch")):
        parser.add_argument(*names, action="store_true")
    parser.add_argument("-b", "--buffer", action="store_true")
    parser.add_argument("--locals", action="store_true")
    parser.add_argument("--durations", type=int)
    parser.add_argument("-k", dest="name_patterns", action="append")
    if discovers:
        for letter, name in (("s", "start-directory"), ("p", "pattern"), ("t", "top-level-directory")):
            parser.add_argument(f"-{letter}", f"--{name}", dest=f"{name.split('-')[0]}_option")
        for name in ("start", "pattern", "top"):
            parser.add_argument(name, nargs="?")
    else:
        parser.add_argument("names", nargs="*")
    return parser


_ASSIGNMENT = re.compile(r"[A-Za-z_][A-Za-z0-9_]*=")
_PYTHON = re.compile(r"(?:.*/)?python(?:3(?:\.\d+)?)?$")
_SHELL_SYNTAX = re.compile(r"[;&|<>`$(){}\n]")
_EXPANDED_BY_A_SHELL = re.compile(r"[*?\[~#!]")
_FLAGS = {"-B", "-u", "-b", "-bb", "-q"}
_FLAGS_WITH_VALUE = ("-W", "-X")
# Options of tools that start programs, by which they go to another directory first.
_MOVES = {"--directory", "-C", "--manifest-path"}
# Programs that start others for the tests, or that need a process of their own kind.
_NOT_SCRIPTS = {"manage.py", "setup.py"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Launch:
    """How a Python program is started: variables set for it, and options of the interpreter."""

    environment: tuple[tuple[str, str], ...] = ()
    options: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PytestCommand:
    """pytest's ``arguments``; with ``add_root_to_path`` as ``python -m pytest`` does.

    ``search_path`` are directories of the project that stand before that on ``sys.path``. ``name_patterns``
    choose methods of ``unittest.TestCase`` by their dotted names, as unittest's ``-k`` does.
    """

    arguments: tuple[str, ...] = ()
    add_root_to_path: bool = True
    search_path: tuple[str, ...] = ()
    name_patterns: tuple[str, ...] = ()
    launch: Launch = Launch()


@dataclass(frozen=True, slots=True, kw_only=True)
class UnittestCommand:
    """``python -m unittest`` with ``arguments``, which mean ``options``; ``text`` is the whole command."""

    text: str
    arguments: tuple[str, ...]
    options: UnittestOptions
    launch: Launch = Launch()


@dataclass(frozen=True, slots=True, kw_only=True)
class ScriptCommand:
    """A Python program: the file at ``path``, or else the ``module``, with its ``arguments``.

    It is one test, which is named after the command, ``text``. ``direct`` is one that is started without
    naming an interpreter, so that it has to be executable.
    """

    text: str
    path: str = ""
    module: str = ""
    arguments: tuple[str, ...] = ()
    direct: bool = False
    launch: Launch = Launch()


@dataclass(frozen=True, slots=True, kw_only=True)
class ShellCommand:
    """Any other command, given to ``sh -c`` inside the sandbox."""

    text: str


TestCommand = PytestCommand | UnittestCommand | ScriptCommand | ShellCommand


def parse(text: str) -> TestCommand:
    """Read a test command as a person writes it.

    Raises:
        ValueError: it is empty, or its quotes do not match; of several lines, a shell reports it.
    """
    text = text.strip()  # a block of YAML ends with a line break
    if not text:
        raise ValueError("the test command is empty")
    if "\n" in text:
        return ShellCommand(text=text)
    words = shlex.split(text)
    if _SHELL_SYNTAX.search(text):
        return ShellCommand(text=text)
    environment: list[tuple[str, str]] = []
    while words and _ASSIGNMENT.match(words[0]):
        name, _, value = words.pop(0).partition("=")
        environment.append((name, value))
    if not words:
        raise ValueError(f"the test command sets variables and runs nothing: {text}")
    return _behind_launcher(words, environment) or _meaning(text, words, environment)


def _behind_launcher(words: list[str], environment: list[tuple[str, str]]) -> TestCommand | None:
    """What the tool at the head of ``words`` starts; None where it is none, or goes elsewhere first."""
    started = launched(words)
    if not started or any(word.partition("=")[0] in _MOVES for word in words[: len(words) - len(started)]):
        return None
    settings = [f"{name}={shlex.quote(value)}" for name, value in environment]
    known = _meaning(" ".join([*settings, shlex.join(started)]), started, environment)
    # What the tool starts by a name of the project's own is not known, so the tool stays.
    return None if isinstance(known, ShellCommand) else known


def _meaning(text: str, words: list[str], environment: list[tuple[str, str]]) -> TestCommand:
    """What ``words`` after the variables of ``environment`` mean; together they are ``text``."""
    launch = Launch(environment=tuple(environment))
    if words[0].rsplit("/", 1)[-1] in {"pytest", "py.test"}:
        return PytestCommand(arguments=tuple(words[1:]), add_root_to_path=False, launch=launch)
    if _PYTHON.match(words[0]):
        return _python(text, words[1:], tuple(environment))
    if "/" in words[0] and words[0].endswith(".py"):
        return _script(text, words, launch, direct=True)
    return ShellCommand(text=text)


def _python(text: str, words: list[str], environment: tuple[tuple[str, str], ...]) -> TestCommand:
    """What ``python`` followed by ``words`` means."""
    options = tuple(_interpreter_options(words))
    rest = words[len(options) :]
    launch = Launch(environment=environment, options=options)
    if not rest or (rest[0].startswith("-") and not rest[0].startswith("-m")):
        return ShellCommand(text=text)
    if not rest[0].startswith("-m"):
        return _script(text, rest, launch)
    module, *arguments = [rest[0][2:], *rest[1:]] if len(rest[0]) > 2 else rest[1:] or [""]
    if module == "pytest":
        return PytestCommand(arguments=tuple(arguments), launch=launch)
    if module == "unittest":
        chosen = read_options(arguments)
        if chosen is not None:
            return UnittestCommand(text=text, arguments=tuple(arguments), options=chosen, launch=launch)
    if not module or _EXPANDED_BY_A_SHELL.search("".join([module, *arguments])):
        return ShellCommand(text=text)
    return ScriptCommand(text=text, module=module, arguments=tuple(arguments), launch=launch)


def _interpreter_options(words: list[str]) -> Iterator[str]:
    """The leading options of ``words`` that a process which runs tests can be started with too."""
    rest = iter(words)
    for word in rest:
        if word in _FLAGS or (word.startswith(_FLAGS_WITH_VALUE) and len(word) > 2):
            yield word
        elif word in _FLAGS_WITH_VALUE:
            value = next(rest, None)
            if value is None:
                return
            yield from (word, value)
        else:
            return


def _script(text: str, words: list[str], launch: Launch, *, direct: bool = False) -> TestCommand:
    path, *arguments = words
    if path.rsplit("/", 1)[-1] in _NOT_SCRIPTS or _EXPANDED_BY_A_SHELL.search("".join(words)):
        return ShellCommand(text=text)
    return ScriptCommand(text=text, path=path, arguments=tuple(arguments), direct=direct, launch=launch)

"""Say a test command that ran in some directory of a CI machine so that it runs at a checkout's top."""

import posixpath
import re
import shlex
from collections.abc import Iterable, Mapping, Sequence

from bot.cilog.command.paths import directory_in, globbed, is_directory
from bot.cilog.command.variables import passed_on
from sandbox.ci.shell import simple_commands
from sandbox.ci.test_words import TestWords, recognise

# pytest's options whose value, the next word, is a path; and those whose value is none.
PATH_OPTIONS = {"-c", "--rootdir", "--confcutdir", "--ignore", "--ignore-glob", "--deselect"}
TEXT_OPTIONS = {"-k", "-m", "-p", "-o", "-W", "--import-mode", "--override-ini", "--pythonwarnings"}
_SPECIAL = re.compile(r"[$`<>]|\*\*\*")


def command_in(directory: str, text: str, files: Mapping[str, bytes]) -> str:
    """``text``, which runs in ``directory`` of the checkout, as a command for the checkout's top."""
    if directory == ".":
        return text
    commands = list(simple_commands(text, variables={}, directory=directory))
    found = recognise(commands[0].words) if len(commands) == 1 else None
    here = ""
    if found:
        environment = (*commands[0].environment, *found.environment)
        here = at_top(found, commands[0].directory, environment, [], files)
    return here or f"cd {shlex.quote(directory)} && {text}"


def at_top(
    found: TestWords,
    directory: str,
    environment: Iterable[tuple[str, str]],
    roots: Sequence[str],
    files: Mapping[str, bytes],
) -> str:
    """``found`` as one line; empty where it holds what only the CI machine could expand.

    ``directory`` is where it ran, relative to the checkout's top; ``roots`` are the places of that top.
    """
    runner = found.runner
    words = [_inside(word, roots) for word in found.words]
    words = [expanded for word in words for expanded in globbed(word, directory, files)]
    options = [word for word in words if not _SPECIAL.search(word)]
    if len(options) < len(words) and not all(word.startswith("-") for word in words if _SPECIAL.search(word)):
        return ""
    variables = passed_on(environment, roots)
    if directory == ".":
        return _line(variables, options)
    if runner not in {"pytest", "unittest"}:
        return f"cd {shlex.quote(directory)} && {_line(variables, options)}"
    if options[0] != "pytest":  # python -m puts the directory on the import path
        variables["PYTHONPATH"] = ":".join(filter(None, (directory, variables.get("PYTHONPATH", ""))))
    inside = _pytest_in(options, directory, files) if runner == "pytest" else _unittest_in(options, directory)
    return _line(variables, inside)


def _line(environment: Mapping[str, str], words: Iterable[str]) -> str:
    settings = [f"{name}={shlex.quote(value)}" for name, value in environment.items()]
    return " ".join([*settings, *map(shlex.quote, words)])


def _inside(word: str, roots: Sequence[str]) -> str:
    """A word with a path of the CI machine's checkout as one relative to its top."""
    name, equals, value = word.partition("=") if word.startswith("-") else ("", "", word)
    if not value.startswith(("/", "$")) and not re.match(r"[A-Za-z]:[\\/]", value):
        return word
    directory = directory_in(value, roots=roots)
    return word if directory is None else f"{name}{equals}{directory}"


def _pytest_in(words: Sequence[str], directory: str, files: Mapping[str, bytes]) -> list[str]:
    """The words for pytest, paths seen from the top."""
    start = words.index("pytest") + 1
    arguments: list[str] = []
    chosen = False
    previous = ""
    for word in words[start:]:
        name, equals, value = word.partition("=")
        if previous in TEXT_OPTIONS:
            arguments.append(word)
        elif previous in PATH_OPTIONS:
            arguments.append(joined(directory, word))
        elif equals and name in PATH_OPTIONS:
            arguments.append(f"{name}={joined(directory, value)}")
        elif not word.startswith("-") and _names_file(word, directory, files):
            arguments.append(joined(directory, word))
            chosen = True
        else:
            arguments.append(word)
        previous = word
    if not any(word.startswith("--rootdir") for word in arguments):
        arguments.append("--rootdir=.")  # else pytest names tests relative to the directory's configuration
    return [*words[:start], *arguments, *([] if chosen else [directory])]


def _unittest_in(words: Sequence[str], directory: str) -> list[str]:
    """The words for unittest: discovery needs a start, and names are imported from the directory."""
    start = words.index("unittest") + 1
    arguments = list(words[start:])
    if arguments[:1] != ["discover"] and any(not word.startswith("-") for word in arguments):
        return list(words)
    arguments = arguments[1:] if arguments[:1] == ["discover"] else arguments
    for option in ("-s", "--start-directory", "-t", "--top-level-directory"):
        if option in arguments[:-1]:
            place = arguments.index(option) + 1
            arguments[place] = joined(directory, arguments[place])
    if "-s" not in arguments and "--start-directory" not in arguments:
        if arguments and not arguments[0].startswith("-"):
            arguments[0] = joined(directory, arguments[0])
        else:
            arguments = ["-s", directory, *arguments]
    return [*words[:start], "discover", *arguments]


def _names_file(word: str, directory: str, files: Mapping[str, bytes]) -> bool:
    path = posixpath.normpath(posixpath.join(directory, word.partition("::")[0]))
    if files:
        return path in files or is_directory(path, files)
    return "/" in word or "::" in word or word.endswith(".py") or word in {".", "test", "tests"}


def joined(directory: str, path: str) -> str:
    """The path, or the test's id, ``path`` of ``directory`` as the checkout's top sees it."""
    file, separator, rest = path.partition("::")
    return posixpath.normpath(posixpath.join(directory, file)) + separator + rest

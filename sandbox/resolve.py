"""A test command together with the project's files: what will be run, and which files are the tests."""

import posixpath
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TypeAlias

from sandbox.command import (
    Launch,
    PytestCommand,
    ScriptCommand,
    ShellCommand,
    TestCommand,
    UnittestCommand,
    read_options,
)
from sandbox.snapshot import Entry, Snapshot
from sandbox.unittest_discovery import (
    SOURCE_DIRECTORIES,
    WILDCARD,
    Unresolved,
    is_unittest_program,
    select,
    select_in_file,
)

# unittest knows no configuration of pytest, no conftest.py, and no test that is not a TestCase's.
AS_UNITTEST = (
    *("-c", "/dev/null", "--rootdir", ".", "--noconftest"),
    *("-o", "python_functions=", "-o", "python_classes="),
)
NOTHING_TO_COLLECT = "--ignore-glob=*"
# Modules from elsewhere that run a project's tests in their own process.
_FOREIGN_RUNNERS = {"doctest", "nose2", "unittest"}
_PYTHON_SHEBANG = re.compile(rb"#!.*\bpython(3(\.\d+)?)?[ \t]*\r?\n")


ResolvedCommand: TypeAlias = PytestCommand | ScriptCommand | ShellCommand


@dataclass(frozen=True, slots=True, kw_only=True)
class Resolved:
    """What a testbed runs.

    ``test_files`` are those that the command names as tests, whatever they are called: no patch may touch
    them. ``note`` says in one line why a command is run in another way than its kind usually is.
    """

    command: ResolvedCommand
    test_files: tuple[str, ...] = ()
    note: str = ""


def resolve(command: TestCommand, snapshot: Snapshot) -> Resolved:
    """Look up in ``snapshot`` what ``command`` names."""
    match command:
        case UnittestCommand():
            return _unittest(command, snapshot)
        case ScriptCommand():
            return _script(command, snapshot)
        case _:
            return Resolved(command=command)


def _unittest(command: UnittestCommand, snapshot: Snapshot) -> Resolved:
    launch = command.launch
    try:
        selection = select(command.options, snapshot.files, _module_roots(launch))
    except Unresolved as reason:
        note = f"unittest runs as one test, which is slower: {reason}"
        if any(map(WILDCARD.search, command.options.names)):  # a shell puts files in their place
            return Resolved(command=ShellCommand(text=command.text), note=note)
        text, arguments = command.text, command.arguments
        script = ScriptCommand(text=text, module="unittest", arguments=arguments, launch=launch)
        return Resolved(command=script, note=note)
    found = PytestCommand(
        arguments=(*AS_UNITTEST, *(selection.targets or (NOTHING_TO_COLLECT,))),
        search_path=selection.search_path,
        name_patterns=command.options.name_patterns,
        launch=launch,
    )
    return Resolved(command=found, test_files=selection.files)


def _script(command: ScriptCommand, snapshot: Snapshot) -> Resolved:
    shell = Resolved(command=ShellCommand(text=command.text))
    files = snapshot.files
    if command.module:
        found = _module_file(command, files)
        if found is None and command.module not in _FOREIGN_RUNNERS:
            return shell
    else:
        path = posixpath.normpath(command.path)
        entry = next((entry for entry in snapshot.entries if entry.path == path), Entry(path=path))
        if command.direct and not (entry.executable and _PYTHON_SHEBANG.match(entry.data)):
            return shell
        found = next((name for name in (path, f"{path}/__main__.py") if name in files), None)
    program = replace(command, direct=False)
    test_files = (found,) if found else ()
    cases = _cases_of(program, found, files) if found else None
    return Resolved(command=cases or program, test_files=test_files)


def _cases_of(program: ScriptCommand, path: str, files: Mapping[str, bytes]) -> PytestCommand | None:
    """The tests of a program that does nothing but run its own unittest cases; None for any other."""
    if program.arguments[:1] == ("discover",) or not is_unittest_program(files[path]):
        return None
    options = read_options(program.arguments)
    if options is None:
        return None
    try:
        selection = select_in_file(options.names, path, files)
    except Unresolved:
        return None
    directory = "." if program.module else posixpath.dirname(path) or "."
    return PytestCommand(
        arguments=(*AS_UNITTEST, *selection.targets),
        add_root_to_path=False,
        search_path=(directory,),
        name_patterns=options.name_patterns,
        launch=program.launch,
    )


def _module_file(command: ScriptCommand, files: Mapping[str, bytes]) -> str | None:
    """The file that ``python -m`` runs, where it is one of the project's."""
    base = command.module.replace(".", "/")
    ends, roots = (f"{base}/__main__.py", f"{base}.py"), _module_roots(command.launch)
    names = (posixpath.join(root, end) for root in roots for end in ends)
    return next((name for name in names if name in files), None)


def _module_roots(launch: Launch) -> tuple[str, ...]:
    """Directories of the project that its modules may lie in; the project's own is the empty text."""
    given = dict(launch.environment).get("PYTHONPATH", "").split(":")
    inside = [posixpath.normpath(one) for one in given if one and not one.startswith("/")]
    return (*SOURCE_DIRECTORIES, *(one for one in inside if one != "." and one[:2] != ".."))

"""The commands that a project's tests may be run by, the likeliest first: the log's, the CI job's, pytest."""

import posixpath
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fnmatch import fnmatch
from functools import partial

from bot.cilog.command.checkout import command_in
from bot.cilog.command.recovered import RecoveredCommand, command_of_job
from bot.config.settings import Settings
from bot.errors import ConfigurationError, quoted
from bot.internal_errors import each, guarded
from bot.triage.log import LogAnswer
from sandbox.ci import django_tests
from sandbox.ci.job_choice import NARROW, TestJob, narrowness
from sandbox.command import PytestCommand, ShellCommand, TestCommand, parse
from sandbox.resolve import Resolved, resolve
from sandbox.snapshot import Snapshot

# Runners whose single tests have verdicts of their own in the sandbox.
_SINGLE_TESTS = {"pytest", "unittest"}
PLAIN = "pytest itself"
# By nose's own rule a file of tests has "test" at the start of a word of its name.
NOSE_FILES = "test*.py *_tests.py"
_CONFIGURATION = ("pytest.ini", "pyproject.toml", "tox.ini", "setup.cfg")


@dataclass(frozen=True, slots=True, kw_only=True)
class Way:
    """A command for the tests: its ``text`` (empty for plain pytest), who says so, and what it resolves to.

    ``tests`` are those that a log names, in the ids that this command gives them; ``needs`` are packages
    without which the command cannot run.
    """

    text: str
    source: str
    command: Resolved
    tests: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()


def ways(
    settings: Settings,
    snapshot: Snapshot,
    answer: LogAnswer | None,
    job: TestJob | None,
    *,
    named: tuple[str, ...] = (),
) -> tuple[Way, ...]:
    """The commands to try, in their order; only the one that was asked for, where one was.

    ``named`` are the tests to repair where a person names them; else those of the log, else all that fail.

    Raises:
        ConfigurationError: the command or the directory that was asked for cannot be used.
    """
    tests = named or (answer.tests if answer else ())
    found: dict[str, str] = {}
    needs: dict[str, tuple[str, ...]] = {}
    for text, source in each("the test commands", partial(_texts, settings, snapshot, answer, job)):
        by_test = ""
        with guarded("Django's test command"):
            by_test = django_tests.as_pytest(text, snapshot.files)
        if by_test:
            found.setdefault(by_test, f"{source}, by {django_tests.PLUGIN}")
            needs[by_test] = (django_tests.PLUGIN,)
        if not by_test or settings.test_command or settings.working_directory:
            found.setdefault(text, source)
    usable: list[Way] = []
    for text, source in (found or {"": PLAIN}).items():
        with guarded("the test command's reading"):
            usable.append(_way(text, source, snapshot, tests, needs.get(text, ())))
    chosen = settings.test_command or settings.working_directory
    if not chosen and not (answer and answer.command):
        # Of a program that is one test nobody learns which part of it fails.
        usable.sort(key=lambda one: not isinstance(one.command.command, PytestCommand))
    return tuple(usable) or (Way(text="", source=PLAIN, command=Resolved(command=PytestCommand())),)


def _texts(
    settings: Settings, snapshot: Snapshot, answer: LogAnswer | None, job: TestJob | None
) -> Iterator[tuple[str, str]]:
    if settings.working_directory:
        yield _in_directory(settings, snapshot), settings.origins["working-directory"]
        return
    if settings.test_command:
        yield settings.test_command, settings.origins.get("test-command", "--test-command")
        return
    isolated = settings.isolated
    if answer and answer.command and (text := answer.test_command(isolated=isolated)):
        yield text, f"the command that is {answer.command.source}"
    elif job and (found := command_of_job(job, snapshot.files)):
        by_test = django_tests.as_pytest(found.text, snapshot.files)
        if by_test or (narrowness(job.test) < NARROW and _is_usable(found, isolated=isolated)):
            yield found.text, f"as in {found.source}"
    elif job is None and (text := django_tests.command_of_manage(snapshot.files)):
        yield text, "the project's manage.py"
    if named_as_nose_does(snapshot.files):
        yield f"python -m pytest -o 'python_files={NOSE_FILES}'", "pytest with the names of nose"
    yield "", PLAIN


def _in_directory(settings: Settings, snapshot: Snapshot) -> str:
    """The test command for the project's top that does what it does in the working directory.

    Raises:
        ConfigurationError: there is no such directory.
    """
    directory = settings.tests_directory
    if directory != "." and not any(path.startswith(f"{directory}/") for path in snapshot.files):
        raise ConfigurationError(f"working-directory: there is no directory {quoted(directory)}")
    return command_in(directory, settings.test_command or "python -m pytest", snapshot.files)


def named_as_nose_does(files: Mapping[str, bytes]) -> bool:
    """Whether there are files of tests, and pytest would find none of them by itself."""
    names = [posixpath.basename(path) for path in files if path.endswith(".py")]
    if any(fnmatch(name, form) for name in names for form in ("test_*.py", "*_test.py")):
        return False
    configured = any(b"python_files" in files.get(name, b"") for name in _CONFIGURATION)
    return not configured and any(fnmatch(name, form) for name in names for form in NOSE_FILES.split())


def _is_usable(found: RecoveredCommand, *, isolated: bool) -> bool:
    """Whether a workflow's word is enough to run the tests so."""
    # A program of the project's own is run by it only where that can do no harm.
    if found.runner not in _SINGLE_TESTS and not (isolated and found.runner == "program"):
        return False
    try:
        return not isinstance(parse(found.text), ShellCommand) and found.text.isprintable()
    except ValueError:
        return False


def _way(text: str, source: str, snapshot: Snapshot, named: tuple[str, ...], needs: tuple[str, ...]) -> Way:
    resolved = resolve(test_command(text), snapshot)
    # Any other command is one test, whatever the log calls those in it.
    tests = named if isinstance(resolved.command, PytestCommand) else ()
    return Way(text=text, source=source, command=resolved, tests=tests, needs=needs)


def test_command(text: str) -> TestCommand:
    """The command that ``text`` says; pytest for an empty one.

    Raises:
        ConfigurationError: it cannot be read.
    """
    if not text:
        return PytestCommand()
    try:
        return parse(text)
    except ValueError as error:
        raise ConfigurationError(f"--test-command: {error}") from error

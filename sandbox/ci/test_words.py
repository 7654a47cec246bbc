"""Recognise a test command among a shell's words, and take off what only dresses it.

``coverage run -m pytest``, ``uv run pytest`` and ``xvfb-run pytest`` all run pytest. Options that only
report, measure or share out the work are dropped: a sandbox reports by itself, and has none of the plugins
that the project does not need. What chooses tests or changes how they behave stays.
"""

import re
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from sandbox.launchers import after_options, launched, tool_options

_ASSIGNMENT = re.compile(r"[A-Za-z_][A-Za-z0-9_]*=")
_PYTHON = re.compile(r"(?:.*[/\\])?(?:python(?:\d(?:\.\d+)?)?|py)(?:\.exe)?$")
_PYTEST = re.compile(r"(?:.*[/\\])?(?:pytest|py\.test)(?:\.exe)?$")

_FIRST_IS_VALUE = {"timeout"}
_TASK_RUNNERS = {"tox", "nox", "make", "just", "invoke", "inv", "task", "poe", "gmake"}
_LINT = re.compile(r"lint|docs?|type|mypy|flake|black|format|build|style|pre-commit|package")
_TESTS = re.compile(r"(?:^|[-_:.])(?:tests?|check|coverage|unit|pytest|ci)(?:$|[-_:.])")
_LAUNCHED = re.compile(r"-\d(?:\.\d+)?(?:-\d\d)?$")  # which Python the launcher on Windows is to start

_PERHAPS_WITH_VALUE = "--cov"  # the next word is its value, unless that is an option
_SHORT_REPORTING = re.compile(r"-(?:v+|q+|s|x|l|[vqsxl]{2,}|r[A-Za-z]+|n(?:\d+|auto|logical))$")
# Words by which a command of no known kind is still one that runs tests.
_TEST_SCRIPT = re.compile(r"test_\w+\.py$|\w+_tests?\.py$|tests?\.py$")
_TESTING_PROGRAM = re.compile(r"(?:.*[/\\])?(?:run_?tests?|test_?runner|runtests|run-tests)(?:\.py|\.sh)?$")


@dataclass(frozen=True, slots=True, kw_only=True)
class TestWords:
    """A test command without what dressed it.

    ``runner`` is ``pytest``, ``unittest``, ``django``, ``doctest``, ``setup``, ``program`` (whatever runs
    tests and is none of these), or the name of a tool that runs another command: ``tox``, ``nox``, ``make``
    and the like. ``words`` can be run as they are.
    """

    __test__ = False

    runner: str
    words: tuple[str, ...]
    environment: tuple[tuple[str, str], ...] = ()


def recognise(words: Sequence[str]) -> TestWords | None:
    """The test command that ``words`` are, or None where they run no tests."""
    environment: list[tuple[str, str]] = []
    found = _plain(undressed(words, environment))
    return replace(found, environment=tuple(environment)) if found else None


def undressed(words: Sequence[str], environment: list[tuple[str, str]] | None = None) -> tuple[str, ...]:
    """The command that ``words`` start in the end; ``environment`` gets the variables that are set for it."""
    return _started(words, [] if environment is None else environment, _unwrap)


def wrapped(words: Sequence[str], environment: list[tuple[str, str]]) -> tuple[str, ...]:
    """The command that wrappers (``sudo``, ``env A=1``) start; ``environment`` gets the variables."""
    return _started(words, environment, _without_wrapper)


def _started(
    words: Sequence[str],
    environment: list[tuple[str, str]],
    unwrap: Callable[[list[str]], list[str] | None],
) -> tuple[str, ...]:
    rest = list(words)
    for _ in range(20):  # a wrapper may wrap a wrapper, though not for ever
        while rest and _ASSIGNMENT.match(rest[0]):
            name, _, value = rest.pop(0).partition("=")
            environment.append((name, value))
        unwrapped = unwrap(rest) if rest else None
        if unwrapped is None:
            break
        rest = unwrapped
    return tuple(rest)


def pytest_options(arguments: Sequence[str]) -> tuple[str, ...]:
    """The ``arguments`` for pytest without those that only report, measure or share out the work."""
    dropped, valued = tool_options("dropped")["pytest"], tool_options("dropped-with-value")["pytest"]
    kept: list[str] = []
    rest = deque(arguments)
    while rest:
        word = rest.popleft()
        name, equals, _ = word.partition("=")
        if name in valued:
            takes_next = not equals
        elif word == _PERHAPS_WITH_VALUE:
            takes_next = bool(rest) and not rest[0].startswith("-")
        elif (
            word in dropped
            or name == _PERHAPS_WITH_VALUE
            or _SHORT_REPORTING.match(word)
            or word.startswith(("--cov-report", "--benchmark-"))
        ):
            takes_next = False
        else:
            kept.append(word)
            continue
        if takes_next and rest:
            rest.popleft()
    return tuple(kept)


def _unwrap(words: list[str]) -> list[str] | None:
    """What the first word starts, where it is known to start another program; None where it is not."""
    started = launched(words)
    started = _without_wrapper(words) if started is None else started
    if started is not None:
        return started
    if _program_name(words[0]) == "coverage":
        return _coverage(words[1:])
    if _PYTHON.match(words[0]):
        start = 1
        while start < len(words) and words[start].startswith("-") and words[start] != "-m":
            start += 2 if words[start] in tool_options("tools")["python"] else 1
        if words[start : start + 2] == ["-m", "coverage"]:
            return _coverage(words[start + 2 :])
        if words[start : start + 2] in (["-m", "tox"], ["-m", "nox"]):
            return words[start + 1 :]
    return None


def _without_wrapper(words: list[str]) -> list[str] | None:
    program = _program_name(words[0])
    valued = tool_options("wrappers").get(program)
    return None if valued is None else after_options(words[1:], valued)[program in _FIRST_IS_VALUE :]


def _program_name(word: str) -> str:
    """``word`` without its directory and its suffix."""
    return word.replace("\\", "/").rpartition("/")[2].removesuffix(".exe")


def _coverage(words: list[str]) -> list[str] | None:
    """``coverage run …`` runs what ``python …`` does."""
    if words[:1] != ["run"]:
        return None
    rest = words[1:]
    # A variable that only the machine knew stands for options here.
    while rest and rest[0].startswith(("-", "$")) and rest[0] not in {"-m", "--module"}:
        rest = rest[2:] if rest[0] in tool_options("tools")["coverage"] else rest[1:]
    return ["python", *(["-m", *rest[1:]] if rest[:1] in (["-m"], ["--module"]) else rest)]


def _plain(words: Sequence[str]) -> TestWords | None:
    """A test command that nothing dresses any more."""
    if not words:
        return None
    program = _program_name(words[0])
    if _PYTEST.match(words[0]):
        if any(word in {"--version", "-V", "--help", "-h", "--collect-only", "--co"} for word in words):
            return None
        return TestWords(runner="pytest", words=("pytest", *pytest_options(words[1:])))
    if _PYTHON.match(words[0]):
        return _python(words)
    if program in _TASK_RUNNERS and _names_tests(program, words[1:]):
        return TestWords(runner=program, words=tuple(words))
    if program in {"nosetests", "trial", "stestr", "ward", "zope-testrunner"}:
        return TestWords(runner="program", words=tuple(words))
    if program in {"django-admin", "django-admin.py"} and words[1:2] == ("test",):
        return TestWords(runner="django", words=tuple(words))
    return _program(words) if _TESTING_PROGRAM.match(words[0]) or program == "manage.py" else None


def _python(words: Sequence[str]) -> TestWords | None:
    rest = list(words[1:])
    options: list[str] = []
    while rest and rest[0].startswith("-") and not rest[0].startswith(("-m", "-c")):
        if _LAUNCHED.match(rest[0]):
            rest.pop(0)
            continue
        options.append(rest.pop(0))
        if options[-1] in tool_options("tools")["python"] and rest:
            options.append(rest.pop(0))
    if rest[:1] == ["-m"]:
        rest = ["-m" + (rest[1] if len(rest) > 1 else ""), *rest[2:]]
    if not rest:
        return None
    if not rest[0].startswith("-m"):
        return _program(("python", *options, *rest)) if _is_test_script(rest) else None
    return _module(options, rest[0][2:], rest[1:])


def _module(options: Sequence[str], module: str, arguments: Sequence[str]) -> TestWords | None:
    """What ``python -m module`` with ``arguments`` runs."""
    runner = "program" if "test" in module.replace(".", "_").split("_") else ""
    match module:
        case "pytest" | "py.test":
            runner, module, arguments = "pytest", "pytest", pytest_options(arguments)
        case "unittest":
            quiet = {"-v", "--verbose", "-q", "-f", "-b"}
            runner, arguments = "unittest", [word for word in arguments if word not in quiet]
        case "django" if arguments[:1] == ["test"]:
            runner = "django"
        case "doctest":
            runner = "doctest"
        case "nose" | "nose2" | "twisted.trial" | "testtools.run":
            runner = "program"
    words = ("python", *options, "-m", module, *arguments)
    return TestWords(runner=runner, words=words) if runner else None


def _is_test_script(words: Sequence[str]) -> bool:
    name = _program_name(words[0])
    if name in {"setup.py", "manage.py"}:
        return "test" in words[1:]
    return bool(_TESTING_PROGRAM.match(words[0]) or _TEST_SCRIPT.match(name))


def _program(words: Sequence[str]) -> TestWords | None:
    script = next((word for word in words if word.endswith(".py") or _TESTING_PROGRAM.match(word)), "")
    name = _program_name(script)
    if name == "manage.py":
        return TestWords(runner="django", words=tuple(words)) if "test" in words else None
    return TestWords(runner="setup" if name == "setup.py" else "program", words=tuple(words))


def _names_tests(program: str, words: Sequence[str]) -> bool:
    """Whether what a tool is asked to do sounds like running tests; tox and nox do so by themselves."""
    if program in {"tox", "nox"}:
        wanted = [word for word in words if not word.startswith("-")]
        return not wanted or not all(map(_LINT.search, wanted))
    return any(map(_TESTS.search, words))

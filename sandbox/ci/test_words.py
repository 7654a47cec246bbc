"""Recognise a test command among a shell's words, and take off what only dresses it.

``coverage run -m pytest``, ``uv run pytest`` and ``xvfb-run pytest`` all run pytest. Options that only
report, measure or share out the work are dropped: a sandbox reports by itself, and has none of the plugins
that the project does not need. What chooses tests or changes how they behave stays.
"""

import re
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass

from sandbox.launchers import after_options, launched

_ASSIGNMENT = re.compile(r"[A-Za-z_][A-Za-z0-9_]*=")
_PYTHON = re.compile(r"(?:.*[/\\])?(?:python(?:\d(?:\.\d+)?)?|py)(?:\.exe)?$")
_PYTEST = re.compile(r"(?:.*[/\\])?(?:pytest|py\.test)(?:\.exe)?$")

# Programs that run another: their options with a value, so that the program's own name can be found.
_WRAPPERS: dict[str, frozenset[str]] = {
    "sudo": frozenset({"-u", "-g"}),
    "env": frozenset({"-u"}),
    "time": frozenset({"-f", "-o"}),
    "nice": frozenset({"-n"}),
    "exec": frozenset(),
    "command": frozenset(),
    "xvfb-run": frozenset({"-s", "-n", "-e", "-f", "-p"}),
    "dbus-run-session": frozenset(),
    "stdbuf": frozenset(),
    "timeout": frozenset({"-k", "-s"}),
    "retry": frozenset({"-n", "-t"}),
}
_FIRST_IS_VALUE = {"timeout"}
_COVERAGE_VALUES = {
    "--rcfile",
    "--source",
    "--omit",
    "--include",
    "--data-file",
    "--concurrency",
    "--context",
}
_INTERPRETER_VALUES = {"-W", "-X"}
_LAUNCHED = re.compile(r"-\d(?:\.\d+)?(?:-\d\d)?$")  # which Python the launcher on Windows is to start

# pytest's options that report, measure or share out: with a value that may be a word of its own.
_DROPPED_WITH_VALUE = (
    *("-n", "--numprocesses", "--maxprocesses", "--dist", "--tx", "--cov-report", "--cov-config"),
    *(
        "--cov-context",
        "--cov-fail-under",
        "--junitxml",
        "--junit-xml",
        "--junit-prefix",
        "--html",
        "--color",
    ),
    *("--durations", "--durations-min", "--durations-path", "--splits", "--group", "--splitting-algorithm"),
    *("--tb", "-r", "--maxfail", "--reruns", "--reruns-delay", "--timeout", "--timeout-method"),
    *("--report-log", "--json-report-file", "--log-file", "--basetemp", "--alluredir", "--csv", "--md"),
    *("--show-capture", "--capture", "--code-highlight", "--force-flaky", "--max-runs", "--benchmark-json"),
    *("--verbosity", "--max-worker-restart", "--ctrf", "--session-timeout", "--code-coverage"),
)
_PERHAPS_WITH_VALUE = "--cov"  # the next word is its value, unless that is an option
_DROPPED = {
    *(
        "-v",
        "-vv",
        "-vvv",
        "-q",
        "-qq",
        "-s",
        "-x",
        "-l",
        "--verbose",
        "--quiet",
        "--exitfirst",
        "--showlocals",
    ),
    *("--cov", "--cov-append", "--cov-branch", "--no-cov", "--no-cov-on-fail", "--full-trace", "--no-header"),
    *("--no-summary", "--json-report", "--self-contained-html", "--cache-clear", "--lf", "--last-failed"),
    *("--ff", "--failed-first", "--nf", "--new-first", "--sw", "--stepwise", "--forked", "--boxed", "--pdb"),
    *("--benchmark-skip", "--benchmark-disable", "--benchmark-only", "--no-flaky-report", "--instafail"),
    *("--codspeed", "--memray", "--trace-config", "--setup-show", "--store-durations", "--disable-warnings"),
    *("--disable-pytest-warnings", "--force-sugar", "--old-summary"),
}
_SHORT_REPORTING = re.compile(r"-(?:v+|q+|s|x|l|[vqsxl]{2,}|r[A-Za-z]+|n(?:\d+|auto|logical))$")
# Words by which a command of no known kind is still one that runs tests.
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
    if found is None:
        return None
    return TestWords(runner=found.runner, words=found.words, environment=tuple(environment))


def undressed(words: Sequence[str], environment: list[tuple[str, str]] | None = None) -> tuple[str, ...]:
    """The command that ``words`` start in the end; ``environment`` gets the variables that are set for it."""
    rest = list(words)
    for _ in range(20):  # a wrapper may wrap a wrapper, though not for ever
        while rest and _ASSIGNMENT.match(rest[0]):
            name, _, value = rest.pop(0).partition("=")
            if environment is not None:
                environment.append((name, value))
        unwrapped = _unwrap(rest)
        if unwrapped is None:
            break
        rest = unwrapped
    return tuple(rest)


def wrapped(words: Sequence[str], environment: list[tuple[str, str]]) -> tuple[str, ...]:
    """The command that wrappers (``sudo``, ``env A=1``) start; ``environment`` gets the variables."""
    rest = list(words)
    for _ in range(20):
        while rest and _ASSIGNMENT.match(rest[0]):
            name, _, value = rest.pop(0).partition("=")
            environment.append((name, value))
        program = rest[0].rpartition("/")[2] if rest else ""
        if program not in _WRAPPERS:
            break
        rest = after_options(rest[1:], _WRAPPERS[program])[program in _FIRST_IS_VALUE :]
    return tuple(rest)


def pytest_options(arguments: Sequence[str]) -> tuple[str, ...]:
    """The ``arguments`` for pytest without those that only report, measure or share out the work."""
    kept: list[str] = []
    rest = deque(arguments)
    while rest:
        word = rest.popleft()
        name, equals, _ = word.partition("=")
        if (
            word in _DROPPED
            or _SHORT_REPORTING.match(word)
            or word.startswith(("--cov-report", "--benchmark-"))
        ):
            if rest and (word in _DROPPED_WITH_VALUE or _takes_next(word, rest[0])):
                rest.popleft()
            continue
        if name in _DROPPED_WITH_VALUE or name == _PERHAPS_WITH_VALUE:
            if not equals and rest:
                rest.popleft()
            continue
        kept.append(word)
    return tuple(kept)


def _takes_next(word: str, following: str) -> bool:
    return word == _PERHAPS_WITH_VALUE and not following.startswith("-")


def _unwrap(words: list[str]) -> list[str] | None:
    """What the first word starts, where it is known to start another program; None where it is not."""
    if not words:
        return None
    started = launched(words)
    if started is not None:
        return started
    program = words[0].replace("\\", "/").rpartition("/")[2].removesuffix(".exe")
    if program in _WRAPPERS:
        rest = after_options(words[1:], _WRAPPERS[program])
        return rest[1:] if program in _FIRST_IS_VALUE else rest
    if program == "coverage":
        return _coverage(words[1:])
    if _PYTHON.match(words[0]):
        start = 1
        while start < len(words) and words[start].startswith("-") and words[start] != "-m":
            start += 2 if words[start] in _INTERPRETER_VALUES else 1
        if words[start : start + 2] == ["-m", "coverage"]:
            return _coverage(words[start + 2 :])
        if words[start : start + 2] == ["-m", "tox"] or words[start : start + 2] == ["-m", "nox"]:
            return words[start + 1 :]
    return None


def _coverage(words: list[str]) -> list[str] | None:
    """``coverage run …`` runs what ``python …`` does."""
    if words[:1] != ["run"]:
        return None
    rest = words[1:]
    # A variable that only the machine knew stands for options here.
    while rest and rest[0].startswith(("-", "$")) and rest[0] not in {"-m", "--module"}:
        rest = rest[2:] if rest[0] in _COVERAGE_VALUES else rest[1:]
    return ["python", *(["-m", *rest[1:]] if rest[:1] in (["-m"], ["--module"]) else rest)]


def _plain(words: Sequence[str]) -> TestWords | None:
    """A test command that nothing dresses any more."""
    if not words:
        return None
    program = words[0].replace("\\", "/").rpartition("/")[2]
    if _PYTEST.match(words[0]):
        if any(word in {"--version", "-V", "--help", "-h", "--collect-only", "--co"} for word in words):
            return None
        return TestWords(runner="pytest", words=("pytest", *pytest_options(words[1:])))
    if _PYTHON.match(words[0]):
        return _python(words)
    if program in {"tox", "nox", "make", "just", "invoke", "inv", "task", "poe", "gmake"}:
        return TestWords(runner=program, words=tuple(words)) if _names_tests(program, words[1:]) else None
    if program in {"nosetests", "trial", "stestr", "ward", "zope-testrunner"}:
        return TestWords(runner="program", words=tuple(words))
    if program in {"django-admin", "django-admin.py"}:
        return TestWords(runner="django", words=tuple(words)) if words[1:2] == ("test",) else None
    if _TESTING_PROGRAM.match(words[0]) or program == "manage.py":
        return _program(words)
    return None


def _python(words: Sequence[str]) -> TestWords | None:
    rest = list(words[1:])
    options: list[str] = []
    while rest and rest[0].startswith("-") and not rest[0].startswith(("-m", "-c")):
        if _LAUNCHED.match(rest[0]):
            rest.pop(0)
            continue
        options.append(rest.pop(0))
        if options[-1] in _INTERPRETER_VALUES and rest:
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
    start = ("python", *options, "-m", module)
    match module:
        case "pytest" | "py.test":
            words = ("python", *options, "-m", "pytest", *pytest_options(arguments))
            return TestWords(runner="pytest", words=words)
        case "unittest":
            quiet = {"-v", "--verbose", "-q", "-f", "-b"}
            chosen = (word for word in arguments if word not in quiet)
            return TestWords(runner="unittest", words=(*start, *chosen))
        case "django" if arguments[:1] == ["test"]:
            return TestWords(runner="django", words=(*start, *arguments))
        case "doctest":
            return TestWords(runner="doctest", words=(*start, *arguments))
        case "nose" | "nose2" | "twisted.trial" | "testtools.run":
            return TestWords(runner="program", words=(*start, *arguments))
    testing = "test" in module.replace(".", "_").split("_")
    return TestWords(runner="program", words=(*start, *arguments)) if testing else None


def _is_test_script(words: Sequence[str]) -> bool:
    name = words[0].replace("\\", "/").rpartition("/")[2]
    if name in {"setup.py", "manage.py"}:
        return "test" in words[1:]
    return bool(
        _TESTING_PROGRAM.match(words[0]) or re.match(r"test_\w+\.py$|\w+_tests?\.py$|tests?\.py$", name)
    )


def _program(words: Sequence[str]) -> TestWords | None:
    script = next((word for word in words if word.endswith(".py") or _TESTING_PROGRAM.match(word)), "")
    name = script.replace("\\", "/").rpartition("/")[2]
    if name == "manage.py":
        return TestWords(runner="django", words=tuple(words)) if "test" in words else None
    return TestWords(runner="setup" if name == "setup.py" else "program", words=tuple(words))


def _names_tests(program: str, words: Sequence[str]) -> bool:
    """Whether what a tool is asked to do sounds like running tests; tox and nox do so by themselves."""
    if program in {"tox", "nox"}:
        lint = re.compile(r"lint|docs?|type|mypy|flake|black|format|build|style|pre-commit|package")
        wanted = [word for word in words if not word.startswith("-")]
        return not wanted or not all(lint.search(word) for word in wanted)
    return any(
        re.search(r"(?:^|[-_:.])(?:tests?|check|coverage|unit|pytest|ci)(?:$|[-_:.])", word) for word in words
    )

"""Chooses the job that runs the tests, and the combination of its matrix; says which Python it has. Pure."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import takewhile

from sandbox.ci.commands import Command
from sandbox.ci.expand import Effort, commands_of
from sandbox.ci.managers import is_install
from sandbox.ci.shell import MAX_SCRIPT
from sandbox.ci.test_words import TestWords, recognise
from sandbox.ci.workflows.expression_values import as_text
from sandbox.ci.workflows.jobs import ActionStep, CiJob, read_jobs
from sandbox.internal_errors import guarded

MAX_TRIED = 60
"""Jobs that are expanded: of a matrix, those for one Python are alike."""

MAX_NAME = 200
"""Characters of a job's names and values that are looked at."""

DEFAULT_PYTHON = "3.13"

_OTHER_SYSTEM = re.compile(r"windows|macos|mac-|darwin|freebsd", re.IGNORECASE)
_NUMBER = re.compile(r"[0-9]{1,6}")
_TESTING = re.compile(r"test|unit|pytest|\bci\b|check|build|py3|python", re.IGNORECASE)
_OTHER_PURPOSE = re.compile(
    r"lint|format|ruff|flake8|pep8|no[- _]test|elastic|opensearch|"
    r"docs?\b|docset|sphinx|generate|dispatch|slow|pgo|perf\b|scripts?\b|weekly|artifact|linux_|misc\b|"
    r"typ(?:e|ing)|mypy|pyright|publish|release|deploy|bench|codspeed|downstream|upstream|"
    r"integration|e2e|smoke|nightly|wheel|sdist|package|mobile|pyodide|emscripten|wasm|alpine|musl|docker|"
    r"coverage|codecov|security|codeql|audit|minimal|mindeps|min-deps|oldest|lowest|pre-?release|dev-deps|"
    r"javascript|\bjs(?:_|\b)|frontend|front-end|"
    r"numpy-dev|free-?thread|asan|valgrind|i386|32-?bit|s390|aarch64|pypy|conda|template|example|gpu|cuda",
    re.IGNORECASE,
)
_PRE_RELEASE = re.compile(r"3\.\d+(?:\.\d+)?-(?:dev|alpha|beta|rc)")
_MEASURING = re.compile(r"bench|codspeed", re.IGNORECASE)
_SERVICES = {("docker", "compose"), ("docker-compose", "up"), ("docker", "run"), ("podman", "run")}
_USUAL_EVENTS = frozenset({"pull_request", "push", "merge_group"})
NARROW = 2
"""From this narrowness on, a command is no word on how the whole suite is run."""

OTHER = "other"
"""The runner of a command of which only the words hint at tests."""

_OWN_PROGRAM = re.compile(r"\w\.(?:py|sh)$")
_TEST_TASK = re.compile(r"(?:run[-_])?(?:unit[-_]?)?tests?(?:[-_]\w+)*$")
_RUNNER_RANK = {"pytest": 3, "unittest": 3, "django": 3, "program": 1, "setup": 2, "doctest": 0, OTHER: 1}


@dataclass(frozen=True, slots=True, kw_only=True)
class TestJob:
    """A job that runs tests: its commands up to the tests, how it runs them, and with which Python.

    ``python`` is like ``3.12``, and empty where nothing says. ``directory`` is where the tests run.
    """

    __test__ = False

    job: CiJob
    commands: tuple[Command, ...]
    test: TestWords
    test_command: Command
    python: str

    @property
    def source(self) -> str:
        """Where it stands, for a person."""
        return f"{self.job.file}, job {self.job.title}"

    @property
    def directory(self) -> str:
        """Where the tests run, relative to the repository."""
        return self.test_command.directory


def choose_job(files: Mapping[str, bytes], *, available: Sequence[str], name: str = "") -> TestJob | None:
    """The job that most likely runs the whole suite on Linux with one of the Pythons that are ``available``.

    ``name`` is what GitHub called the job that failed, where that is known. None where no job runs tests.
    """
    with guarded("the choice of the CI's job"):
        return _chosen(files, available, name)
    return None


def _chosen(files: Mapping[str, bytes], available: Sequence[str], name: str) -> TestJob | None:
    every = list(read_jobs(files))
    jobs = [job for job in every if not _is_elsewhere(job)]
    if not name:  # what measures the speed runs tests of its own
        jobs = [job for job in jobs if not _MEASURING.search(f"{job.key[:MAX_NAME]} {job.name[:MAX_NAME]}")]
    named = [job for job in jobs if name and is_named(job, name)]
    order = {(job.file, job.key): at for at, job in reversed(list(enumerate(jobs)))}
    ranked = sorted(
        named or jobs,
        key=lambda job: (-_likelihood(job, available, files), order[job.file, job.key], _newest_first(job)),
    )
    best: tuple[float, TestJob] | None = None
    seen: Counter[tuple[str, str]] = Counter()
    read = partial(_test_job, files=files, available=available, effort=Effort())
    for job in ranked:
        seen[job.file, job.key] += 1
        if seen[job.file, job.key] > 3 or len(seen) > MAX_TRIED:
            continue
        found: TestJob | None = None
        with guarded("the reading of a job of the CI"):
            found = read(job)
        if found is None:
            continue
        score = _likelihood(job, available, files) + _RUNNER_RANK.get(found.test.runner, 0)
        score += 1.0 * any(is_install(command.words) for command in found.commands)
        score -= 4.0 * found.test_command.fresh + 1.5 * (narrowness(found.test) >= NARROW)
        score -= 3.0 * bool(found.python and found.python not in available)
        if best is None or score > best[0]:
            best = (score, found)
    if best is None or not _starts_services(best[1]):
        return best[1] if best else None
    with guarded("the search for a job without services"):
        return _without_services(best[1], filter(_is_elsewhere, every), read)
    return best[1]


def _starts_services(found: TestJob) -> bool:
    """Whether the job has databases or the like beside it, which a sandbox has not."""
    started = any(command.words[:2] in _SERVICES for command in found.commands)
    return started or bool(found.job.needs_services)


def _without_services(
    found: TestJob, elsewhere: Iterable[CiJob], read: Callable[[CiJob], TestJob | None]
) -> TestJob:
    """``found`` with the test command of a job for another system, where containers cannot be had either."""
    for job in elsewhere:
        other = read(job) if job.file == found.job.file else None
        if other is None or _starts_services(other) or other.test.runner != found.test.runner:
            continue
        if other.directory == found.directory and narrowness(other.test) <= narrowness(found.test):
            return replace(found, test=other.test, test_command=other.test_command)
    return found


def _is_elsewhere(job: CiJob) -> bool:
    """Whether ``job`` runs on another system than Linux, perhaps in a virtual machine on Linux."""
    file = job.file.rpartition("/")[2]
    return bool(_OTHER_SYSTEM.search(job.runs_on) or _OTHER_SYSTEM.search(file[:MAX_NAME]))


def _newest_first(job: CiJob) -> tuple[int, ...]:
    """Sorts combinations of one matrix: those with the newest versions first."""
    numbers = (number for value in job.values[:MAX_NAME] for number in _NUMBER.findall(value[:MAX_NAME]))
    return tuple(-int(number) for number in numbers)


def is_named(job: CiJob, name: str) -> bool:
    """Whether GitHub shows ``job`` as ``name``: by its name, or by its key and combination."""
    shown = {job.name, job.title, f"{job.name} ({', '.join(job.values)})"}
    return name in shown or any(name.endswith(f"/ {one}") for one in shown)


def _likelihood(job: CiJob, available: Sequence[str], files: Mapping[str, bytes]) -> float:
    words = f"{job.key[:MAX_NAME]} {job.name[:MAX_NAME]}"
    values = [value[:MAX_NAME] for value in job.values[:MAX_NAME]]
    score = 2.0 * bool(_TESTING.search(words))
    score += 1.0 * bool(_TESTING.search(f"{job.file} {job.workflow[:MAX_NAME]}"))
    score -= 3.0 * bool(_OTHER_PURPOSE.search(f"{words} {' '.join(values)}"))
    score -= 2.0 * bool(_OTHER_PURPOSE.search(job.file.rpartition("/")[2]))
    score += 1.5 if job.events & _USUAL_EVENTS else -1.5
    score -= 1.0 * bool(job.needs_services) + 0.5 * bool(job.container) + 3.0 * job.may_fail
    version = python_of(job, files)
    if version:
        score += 1.0 if version in available else -2.0
        score += 0.01 * int(version.partition(".")[2])
        score -= 1.0 * any(_PRE_RELEASE.search(value) for value in values)
    elif any(re.search(r"pypy|graalpy|3\.\d+t\b|-dev\b|-alpha|-beta|rc", value) for value in values):
        score -= 3.0
    return score


def _test_job(
    job: CiJob, *, files: Mapping[str, bytes], available: Sequence[str], effort: Effort
) -> TestJob | None:
    version = python_of(job, files)
    assumed = version or (available[0] if available else DEFAULT_PYTHON)
    commands = commands_of(job.steps, files, python=assumed, effort=effort)
    testing = [
        (at, test)
        for at, command in enumerate(commands)
        # A tool whose own commands are known is no test command itself.
        if (test := recognise(command.words)) and not (command.fresh and _goes_on(commands, at))
    ]
    if all(commands[at].fresh for at, _ in testing):
        testing = _hinted(commands) or testing
    if not testing:
        return None
    at, test = max(
        testing, key=lambda one: (_RUNNER_RANK.get(one[1].runner, 0), -narrowness(one[1]), -one[0])
    )
    begin = max((number for number in range(at + 1) if commands[number].fresh), default=0)
    end = len(commands) if commands[at].fresh else at
    return TestJob(
        job=job,
        commands=commands[begin:end],
        test=test,
        test_command=commands[at],
        python=version or python_of_commands(commands),
    )


def _hinted(commands: Sequence[Command]) -> list[tuple[int, TestWords]]:
    """The last command that asks a program of the project's own for tests: ``python tools/do.py test_fast``.

    How it runs them is unknown, so only the environment that was installed before it is of use.
    """
    hinting = [
        (at, TestWords(runner=OTHER, words=tuple(command.words)))
        for at, command in enumerate(commands)
        if not command.fresh
        and any(_OWN_PROGRAM.search(word) for word in command.words[:2])
        and any(_TEST_TASK.match(word) for word in command.words[1:])
    ]
    return hinting[-1:]


def _goes_on(commands: Sequence[Command], at: int) -> bool:
    """Whether tests run in the environment that the command at ``at`` begins."""
    own = takewhile(lambda command: not command.fresh, commands[at + 1 :])
    return any(recognise(command.words) for command in own)


def narrowness(test: TestWords) -> int:
    """How few tests a command chooses: 0 for all, 1 for directories, 2 for files or names, 3 for one test."""
    if test.runner == OTHER:
        return 0
    paths = [word for word in test.words[1:] if not word.startswith("-")]
    if any("::" in word for word in paths):
        return 3
    if test.runner == "unittest" and any(".test" in word for word in paths):
        return 2
    if "-k" in test.words or any(word.endswith(".py") for word in paths):
        return 2
    return int(any("/" in word for word in paths))


_VERSION = re.compile(r"3\.\d{1,2}(?:\.\d+)?$")
_FIRST_VERSION = re.compile(r"(?<![\d.])(3\.\d{1,2})(?!\d)")


def python_of(job: CiJob, files: Mapping[str, bytes]) -> str:
    """The version of CPython that ``job`` sets up, like ``3.12``; empty where none is known."""
    for step in reversed(job.steps):  # a later step replaces the Python of an earlier one
        if not isinstance(step, ActionStep):
            continue
        asked = step.inputs.get("python-version", "").strip()
        if step.action in {"actions/setup-python", "astral-sh/setup-uv", "pdm-project/setup-pdm"} or asked:
            lines = [line.strip() for line in asked.splitlines() if line.strip()]
            versions = [found for line in lines if (found := _plain_version(line))]
            if versions:
                return versions[-1]
            path = step.inputs.get("python-version-file", "")
            head = files.get(path, b"")[:MAX_SCRIPT].decode("utf-8", "replace")
            if named := _FIRST_VERSION.search(head):
                return named[1]
    if image := re.match(r"(?:docker\.io/)?(?:library/)?python:(3\.\d{1,2})", job.container):
        return image[1]
    for name, value in job.combination.items():
        if "py" in name.lower() and (version := _plain_version(as_text(value))):
            return version
    return ""


def _plain_version(text: str) -> str:
    """``3.12`` of ``3.12.1`` or ``~3.12.0-0``; empty for what is no plain release of CPython."""
    bare = text.strip().strip("'\"").removeprefix("~").removeprefix("cpython-").split("-")[0]
    bare = bare.removesuffix(".x").removesuffix(".*").removeprefix("py")
    return ".".join(bare.split(".")[:2]) if _VERSION.match(bare) else ""


def python_of_commands(commands: Sequence[Command]) -> str:
    """The version that ``uv venv --python 3.12`` and the like name."""
    for command in commands:
        for option, value in zip(command.words, command.words[1:], strict=False):
            if option in {"-p", "--python"} and (version := _plain_version(value)):
                return version
        if command.words[:3] == ("uv", "python", "install"):
            return next((v for word in command.words[3:] if (v := _plain_version(word))), "")
    return ""

"""Recover from a log how the tests were run, and say it so that the same tests run in a checkout.

What a tool showed before the failing session is preferred to the step's script, that to the checkout's files,
those to the workflow. The command is hostile text like all else: it is run in the sandbox only, and a wrong
one leads to "not reproduced", never to a wrong patch.
"""

import re
import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from bot.cilog.command.checkout import PATH_OPTIONS, TEXT_OPTIONS, at_top, joined
from bot.cilog.command.paths import directory_in
from bot.cilog.model import LogReading, LogSession, LogStep
from sandbox.ci.expand import commands_of
from sandbox.ci.job_choice import TestJob, choose_job, is_named
from sandbox.ci.shell import simple_commands
from sandbox.ci.test_words import TestWords, recognise
from sandbox.ci.workflows.jobs import RunStep, read_jobs
from sandbox.environment.plans.python_version import DEFAULT_VERSION, KNOWN_VERSIONS

MAX_PATHS = 200
"""Failing tests' paths by which the directory is looked for where the tests ran."""

LAST = 1 << 60
DIRECT = {"pytest", "unittest", "django", "doctest"}
_WINDOWS_SHELL = re.compile(r"pwsh|powershell|cmd\.exe|^cmd\b", re.IGNORECASE)
_TOOLS = {"tox", "nox", "make", "gmake", "just", "invoke", "inv", "task", "poe"}


@dataclass(frozen=True, slots=True, kw_only=True)
class RecoveredCommand:
    """A test command for the checkout's top.

    ``text`` is what ``--test-command`` would take. ``directory`` is where it ran, relative to the top.
    ``runner`` is that of ``TestWords``. ``source`` says where it was found.
    """

    text: str
    runner: str
    directory: str
    source: str


@dataclass(frozen=True, slots=True, kw_only=True)
class _Candidate:
    """A command that may have run the failing tests; ``rank`` orders them, the lowest first."""

    found: TestWords
    directory: str
    environment: tuple[tuple[str, str], ...]
    source: str
    rank: tuple[int, int]


def recover_command(
    reading: LogReading, *, files: Mapping[str, bytes] | None = None, job: str = ""
) -> RecoveredCommand | None:
    """The command that ran the failing tests, or None where neither the log nor ``files`` show it.

    ``files`` are the checkout's, by path. ``job`` is what GitHub calls the job of the log, where it is known.
    """
    checkout = files or {}
    roots = [session.root for session in reading.sessions if session.root]
    session = _failing_session(reading)
    failing = {frame.path for failure in reading.failures for frame in failure.frames}
    failing |= {failure.path or failure.test.partition("::")[0] for failure in reading.failures}
    candidates = sorted(
        _candidates(reading, session, checkout, job),
        key=lambda one: (one.rank[0], not _covers(one, failing), one.rank[1]),
    )
    tests_directory = _tests_directory(reading, session, checkout)
    for candidate in candidates:
        recovered = _at_top(candidate, roots, tests_directory, checkout)
        if recovered:
            return recovered
    return None


def command_of_job(found: TestJob, files: Mapping[str, bytes]) -> RecoveredCommand | None:
    """How the job ``found`` runs the tests, for the checkout's top; None where only its machine knows."""
    return _at_top(_of_job(found), [], ".", files)


def _at_top(
    chosen: _Candidate, roots: Sequence[str], tests_directory: str, files: Mapping[str, bytes]
) -> RecoveredCommand | None:
    """``chosen`` as a command for the checkout's top; None where it holds what cannot be expanded here."""
    directory = directory_in(chosen.directory, roots=roots) or "."
    directory = tests_directory if directory == "." else directory
    text = at_top(chosen.found, directory, chosen.environment, roots, files)
    if not text:
        return None
    return RecoveredCommand(text=text, runner=chosen.found.runner, directory=directory, source=chosen.source)


def _failing_session(reading: LogReading) -> LogSession | None:
    """The last session with a failing test, else the last that did not end, else the last."""
    failing = [one for one in reading.sessions if one.failed or one.errors]
    unfinished = [one for one in reading.sessions if not one.finished]
    return next(iter([*failing[::-1], *unfinished[::-1], *reading.sessions[::-1]]), None)


def _candidates(
    reading: LogReading, session: LogSession | None, files: Mapping[str, bytes], job: str
) -> Iterator[_Candidate]:
    step = _step_of(reading, session)
    start, end = (step.log_line, step.end_log_line) if step else (1, reading.log_lines or 1 << 60)
    opened = session.log_line if session else end
    variables = dict(step.environment) if step else {}
    # A step's script is shown at its head: that is no sign yet that a line of it was run.
    body = start + len(step.script) + 1 if step and step.script else start
    for echo in reading.shown:
        if body < echo.log_line <= end or (step is None and echo.log_line <= end):
            # What was shown last before the session opened is what opened it.
            distance = opened - echo.log_line
            place = distance if distance >= 0 else 1_000_000 - distance
            source = f"shown in line {echo.log_line} of the log"
            yield from _of_script(echo.text, echo.directory or ".", variables, source, (0, place))
    if step and step.script:
        source = f"the step 'Run {step.title[:80]}' in line {step.log_line} of the log"
        directory = _working_directory(step, files, job)
        # The n-th report of a step is that of its n-th command.
        end = session.log_line if session else 0
        ordinal = sum(step.log_line <= one.log_line < end for one in reading.sessions)
        yield from _of_script(
            _script(step),
            directory,
            variables,
            source,
            (1, 0),
            files=files,
            ordinal=ordinal if session else LAST,
        )
    if step is None and (found := choose_job(files, available=KNOWN_VERSIONS, name=job)):
        yield _of_job(found)


def _of_script(  # noqa: PLR0913 - what a candidate is made of
    script: str,
    directory: str,
    variables: Mapping[str, str],
    source: str,
    rank: tuple[int, int],
    *,
    files: Mapping[str, bytes] | None = None,
    ordinal: int = LAST,
) -> Iterator[_Candidate]:
    """The test commands of a script, that first which the report number ``ordinal``, from 0, may be of."""
    testing = [
        (found, command)
        for command in simple_commands(script, variables=variables, directory=directory)
        if (found := recognise(command.words))
    ]
    wanted = min(ordinal, len(testing) - 1)
    for number, (found, command) in enumerate(testing):
        kind = 0 if found.runner in DIRECT else 2 if found.runner in _TOOLS else 1
        environment = (*variables.items(), *command.environment, *found.environment)
        candidate = _Candidate(
            found=found,
            directory=command.directory,
            environment=environment,
            source=source,
            rank=(rank[0] + 3 * (kind == 2) + (kind == 1 and rank[0] == 0), rank[1] + abs(wanted - number)),
        )
        yield candidate
        if kind == 2 and files:
            yield from _of_tool(candidate, environment, files)


def _of_tool(
    tool: _Candidate, environment: tuple[tuple[str, str], ...], files: Mapping[str, bytes]
) -> Iterator[_Candidate]:
    """The test commands that the project's files say that a tool runs: tox, nox, make and their like."""
    words = shlex.join(tool.found.words)
    step = RunStep(script=words, directory=tool.directory)
    for command in commands_of([step], files, python=DEFAULT_VERSION):
        found = None if command.fresh else recognise(command.words)
        if found and found.runner not in _TOOLS:
            yield replace(
                tool,
                found=found,
                directory=command.directory,
                environment=(*environment, *command.environment, *found.environment),
                source=f"what {words} runs, after {tool.source}",
                rank=(2, 0),
            )


def _of_job(found: TestJob) -> _Candidate:
    return _Candidate(
        found=found.test,
        directory=found.directory,
        environment=(*found.test_command.environment, *found.test.environment),
        source=found.source,
        rank=(4, 0),
    )


def _covers(candidate: _Candidate, failing: Iterable[str]) -> bool:
    """Whether the paths that a command chooses hold a failing test; a command that chooses none runs all."""
    words = candidate.found.words
    # After ``python -m`` comes a module; pytest's own option of that name is one among its arguments.
    module = words.index("-m") + 2 if "-m" in words and words[0] != "pytest" else 1
    chosen = [
        joined(candidate.directory, word).partition("::")[0]
        for before, word in zip(words[module - 1 :], words[module:], strict=False)
        if not word.startswith("-") and before not in {*TEXT_OPTIONS, *PATH_OPTIONS} and word != "discover"
    ]
    pairs = ((name, path) for name in chosen for path in failing)
    return not chosen or any(path == name or path.startswith(f"{name}/") for name, path in pairs)


def _step_of(reading: LogReading, session: LogSession | None) -> LogStep | None:
    """The step around the session; else the one that failed; else the last that runs tests."""
    if session:
        around = [one for one in reading.steps if one.log_line <= session.log_line <= one.end_log_line]
        if around:
            return around[-1]
    failed = [one for one in reading.steps if one.exit_status]
    if failed:
        return failed[-1]
    for step in reversed(reading.steps):
        if any(recognise(command.words) for command in simple_commands("\n".join(step.script))):
            return step
    return None


def _script(step: LogStep) -> str:
    """The step's script, in the notation of a POSIX shell as far as a test command goes."""
    script = "\n".join(step.script)
    if _WINDOWS_SHELL.search(step.shell):
        script = script.replace("`\n", " ").replace("\\", "/")
    return script


def _working_directory(step: LogStep, files: Mapping[str, bytes], name: str) -> str:
    """Where the workflow's step with the same script runs: a log does not say.

    Of several jobs with that step, it is the one that GitHub shows as ``name``.
    """
    wanted = " ".join(" ".join(step.script).split())
    jobs = read_jobs(files)
    named = [job for job in jobs if name and is_named(job, name)]
    for among in (named, jobs):
        found = {
            one.directory for job in among for one in job.scripts if " ".join(one.script.split()) == wanted
        }
        if found:
            return found.pop() or "." if len(found) == 1 else "."
    return "."


def _tests_directory(reading: LogReading, session: LogSession | None, files: Mapping[str, bytes]) -> str:
    """The directory from which the failing tests' paths are those of files; the top where it is unknown."""
    paths = {failure.test.partition("::")[0] for failure in reading.failures if ".py" in failure.test}
    if not paths:
        return "."
    root = directory_in(session.root) if session and session.root else None
    if root and root != "." and all(f"{root}/{path}" in files for path in paths):
        return root  # where tests ran from above their root, their paths begin with it
    if paths & files.keys():
        return "."
    directories: set[str] = set()
    for path in sorted(paths)[:MAX_PATHS]:
        directories |= {name[: -len(path)].rstrip("/") for name in files if name.endswith(f"/{path}")}
    return directories.pop() if len(directories) == 1 else "."

"""Look at a repository as untrusted: which workflows test it, by which command, with which Python.

Everything is read as plain data within limits; a file that cannot be read is left out, with a note.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from bot.cilog.command.recovered import RecoveredCommand, recover_command
from bot.cilog.model import LogReading
from bot.console import plain
from bot.environments.versions import git_files
from bot.errors import ConfigurationError, listed, quoted
from sandbox.ci.workflows.jobs import events_of
from sandbox.ci.workflows.workflow_file import is_workflow, load_workflow
from sandbox.command import parse
from sandbox.environment.images import default_images
from sandbox.environment.plans.candidate_plans import candidate_plans
from sandbox.snapshot import take

LARGEST_FILE_BYTES = 500_000
"""Of one file that is read: what names tests is short."""

LISTED = 10
_USES = re.compile(
    rb"\buses:[ \t]*[\"']?([A-Za-z0-9-]+/regreen)(?:/\.github/workflows/repair\.yml)?@([A-Za-z0-9._/-]+)"
)
TESTING_EVENTS = frozenset({"pull_request", "push", "merge_group"})
"""Events of which a failed run is of interest: somebody waits for it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Workflow:
    """A workflow; ``name`` is what GitHub calls it. ``command`` is how it runs tests, or None."""

    path: str
    name: str
    events: frozenset[str]
    command: RecoveredCommand | None
    action: str
    """Where it uses Regreen from, as ``octo/regreen@v0``; empty where it does not."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RepositoryFindings:
    """What a repository shows. ``watched`` are the workflows after which a repair is looked for.

    ``command`` is the test command, empty where none is named; ``source`` says where it stands, and
    ``commands`` how many different ones there are. ``python`` is the version for the tests, and why.
    ``notes`` are lines for a person. ``action`` is where a workflow uses Regreen from already.
    """

    top: Path
    watched: tuple[Workflow, ...]
    command: str
    source: str
    commands: int
    python: str
    notes: tuple[str, ...]
    action: str = ""


def top_of(path: Path) -> Path:
    """The top of the git work tree around ``path``.

    Raises:
        ConfigurationError: there is none.
    """
    here = path.resolve()
    if not here.is_dir():
        raise ConfigurationError(f"not a repository: {path} is not a directory; pass the checkout's path")
    top = git_files.top_of(here)
    if top is None:
        raise ConfigurationError(
            f"not a git repository: there is no .git in {here} nor above it; run this in a checkout of the "
            "repository that is on GitHub"
        )
    return top


def look(top: Path, *, named: Sequence[str] = (), own: Sequence[str] = ()) -> RepositoryFindings:
    """Look at the repository at ``top``.

    Args:
        top: where ``.git`` lies.
        named: the workflows to watch, by their names or files; without any, those that run the tests.
        own: the paths of the workflows that will be written: none of them can be one that is watched.

    Raises:
        ConfigurationError: no workflow here can be watched, or it is no Python project.
        sandbox.errors.SandboxError: the repository is too large to be read.
    """
    snapshot = take(top, largest=LARGEST_FILE_BYTES)
    files = snapshot.files
    if not any(path.endswith(".py") for path in files):
        raise ConfigurationError(f"there is no .py file in {top}: Regreen repairs Python projects")
    notes: list[str] = []
    every = list(_workflows(files, notes))
    workflows = [one for one in every if one.path not in own]
    watched = _named(workflows, named) if named else _testing(workflows, notes)
    notes += [f"{one.path} uses Regreen already" for one in workflows if one.action]
    found = {one.command.text: one for one in watched if one.command and _is_usable(one.command.text)}
    text, first = next(iter(found.items()), ("", None))
    python = candidate_plans(snapshot, available=tuple(default_images())).plans[0].python
    return RepositoryFindings(
        top=top,
        watched=tuple(watched),
        command=text,
        source=first.path if first else "",
        commands=len(found),
        python=plain(f"{python.version}, {python.reason}"),
        notes=tuple(notes),
        action=next((one.action for one in every if one.action), ""),
    )


def _workflows(files: Mapping[str, bytes], notes: list[str]) -> Iterator[Workflow]:
    others = {path: content for path, content in files.items() if not is_workflow(path)}
    for path in sorted(set(files) - set(others)):
        document = load_workflow(files[path])
        if not isinstance(document, dict):
            notes.append(f"{path} cannot be read as a workflow, and is left out")
            continue
        name, used = document.get("name"), _USES.search(files[path])
        yield Workflow(
            path=path,
            # What GitHub calls a workflow without a name.
            name=name.strip() if isinstance(name, str) and name.strip() else path,
            events=events_of(document),
            command=recover_command(LogReading(), files={**others, path: files[path]}),
            action=f"{used[1].decode()}@{used[2].decode()}" if used else "",
        )


def _named(workflows: Sequence[Workflow], wanted: Sequence[str]) -> list[Workflow]:
    found = []
    for text in wanted:
        fitting = [one for one in workflows if text in {one.name, one.path, one.path.rpartition("/")[2]}]
        if not fitting:
            raise ConfigurationError(f"there is no workflow {quoted(text)} here{_there_are(workflows)}")
        found += [one for one in fitting if one not in found]
    return found


def _testing(workflows: Sequence[Workflow], notes: list[str]) -> list[Workflow]:
    """Those that run the tests of changes; else those that may, with a note."""
    usable = [one for one in workflows if one.events & TESTING_EVENTS]
    testing = [one for one in usable if one.command]
    if testing:
        return testing
    asked = [one for one in usable if "pull_request" in one.events]
    if not asked:
        raise ConfigurationError(
            f"no workflow here runs Python tests on a push or a pull request{_there_are(workflows)}: add one "
            "first (docs/quickstart.md has a short one), or name the one that does with --workflow"
        )
    notes.append(
        "no workflow shows how it runs the tests: all that run on pull requests are watched; "
        "--workflow names fewer"
    )
    return asked


def _there_are(workflows: Sequence[Workflow]) -> str:
    if not workflows:
        return " (.github/workflows holds none)"
    return f" (there are {listed([quoted(one.name) for one in workflows], LISTED)})"


def _is_usable(text: str) -> bool:
    """Whether ``--test-command`` takes it."""
    try:
        parse(text)
    except ValueError:
        return False
    return text.isprintable()

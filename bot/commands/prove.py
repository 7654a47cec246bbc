"""``regreen prove``: the proof alone, for a patch that somebody else wrote."""

from __future__ import annotations

import os
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from bot.commands.printing import deliver
from bot.config.options.command_line import (
    GroupedCommand,
    PatchOutput,
    delivery_options,
    log_option,
    project_argument,
    table_options,
)

if TYPE_CHECKING:
    from contextlib import ExitStack

    from bot.domain import Patch
    from bot.environments.chosen import ChosenEnvironment
    from bot.ports import Progress
    from bot.result import RepairResult
    from sandbox.snapshot import Snapshot

MAX_BYTES = 1_000_000
STANDARD_INPUT = "-"


@click.command(cls=GroupedCommand, short_help="Prove a patch of yours, or say why it is none.")
@click.argument("patch", metavar="PATCH")
@project_argument
@log_option(help="A CI log: its failures count.")
@delivery_options
@table_options("Tests", "Sandbox", "Limits of the sandbox")
@click.option("--test-command", metavar="COMMAND", help="Runs the tests; else found.")
@click.option("--time-budget", metavar="TIME", help="For the whole, without building the environment: 5m.")
@click.pass_context
def prove(context: click.Context, /, *, patch: str, shown: PatchOutput, **options: object) -> None:
    """Judge PATCH for the project at PATH: a unified diff in a file or on standard input (-), or a branch.

    The project is as it was before the patch, with failing tests. The patch is verified as one of Regreen's
    own: the policy admits it, every failing test passes with it several times in a fresh sandbox, no other
    test fails, and altered copies of the tests do fail. What it does not need is taken out. Where it
    brings tests, these have to fail without the rest of it, and a person must read them. Exit status: 0
    and the verified diff, 7 and the diff where a person must read it first, or 1 and the reason.
    """
    from bot import compose
    from bot.agent.state import PROVE
    from bot.config import sources
    from bot.environments.versions.given_change import given_change
    from bot.errors import ConfigurationError, InexpressibleChange, PatchError
    from bot.result import refused
    from sandbox.snapshot import take

    settings = replace(sources.load(options), strategy=PROVE)
    snapshot = take(settings.project)
    try:
        given = given_change(_read(patch, settings.project, snapshot), snapshot)
    except InexpressibleChange as error:
        result = refused(str(error))
        deliver(context, settings, lambda _: compose.Repaired(result=result, snapshot=snapshot), shown)
    except PatchError as error:
        name = "the patch on standard input" if patch == STANDARD_INPUT else patch
        raise ConfigurationError(f"{name} does not fit the project: {error}; give a unified diff") from error

    def work(progress: Progress) -> compose.Repaired:
        def judge(version: Snapshot, patch: Patch, tests: tuple[str, ...]) -> RepairResult:
            # With a log, its failures count, and no others.
            origin = compose.VersionOrigin(given=patch, tests=() if settings.log else tests)
            return compose.fix(settings, progress, snapshot=version, origin=origin).result

        def choose(version: Snapshot, resources: ExitStack) -> ChosenEnvironment:
            return compose.choose(settings, version, progress, resources=resources)

        return compose.Repaired(result=given.judged(judge, choose), snapshot=snapshot)

    deliver(context, settings, work, shown)


def _read(place: str, project: Path, snapshot: Snapshot) -> Patch:
    """The patch in a file, on standard input, or on a branch where no file has that name.

    Raises:
        ConfigurationError: it cannot be read.
        PatchError: it does not fit the project.
    """
    from bot.environments.versions.branch_change import branch_change
    from bot.environments.versions.git_files import UnreadableRepository, place_in_repository, top_of
    from bot.errors import ConfigurationError
    from bot.patch.change import patch_in, patch_of

    name = "the patch on standard input" if place == STANDARD_INPUT else place
    is_file = os.path.lexists(place) and not Path(place).is_dir()
    if place != STANDARD_INPUT and not is_file and top_of(project):
        try:
            return patch_of(branch_change(project, place), snapshot.files)
        except UnreadableRepository as error:
            raise ConfigurationError(f"{name} is no file, and cannot be read as a branch: {error}") from error
    try:
        if place == STANDARD_INPUT:
            data = sys.stdin.buffer.read(MAX_BYTES + 1)
        else:
            with Path(place).open("rb") as file:
                data = file.read(MAX_BYTES + 1)
        text = data.decode("utf-8")
    except OSError as error:
        raise ConfigurationError(f"{name} cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise ConfigurationError(f"{name} is not UTF-8: it is no diff of Python sources") from error
    if len(data) > MAX_BYTES:
        raise ConfigurationError(f"{name} is longer than {MAX_BYTES} bytes")
    parts = place_in_repository(project) if top_of(project) else ()
    return patch_in(text, snapshot.files, above="".join(f"{part}/" for part in parts))

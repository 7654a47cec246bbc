"""``regreen prove``: the proof alone, for a patch that somebody else wrote."""

from __future__ import annotations

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
    from bot.domain import Patch
    from bot.ports import Progress
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
    """Judge PATCH, a unified diff in a file or on standard input (-), for the project at PATH.

    The project is as it was before the patch, with failing tests. The patch is verified as one of Regreen's
    own: the policy admits it, every failing test passes with it several times in a fresh sandbox, no other
    test fails, and altered copies of the tests do fail. What it does not need is taken out. Exit status: 0
    and the verified diff, 7 and the diff where a person must read it first, or 1 and the reason.
    """
    from bot import compose
    from bot.agent.state import PROVE
    from bot.config import sources
    from sandbox.snapshot import take

    settings = replace(sources.load(options), strategy=PROVE)
    snapshot = take(settings.project)
    origin = compose.VersionOrigin(given=_read(patch, snapshot))

    def work(progress: Progress) -> compose.Repaired:
        return compose.fix(settings, progress, snapshot=snapshot, origin=origin)

    deliver(context, settings, work, shown)


def _read(place: str, snapshot: Snapshot) -> Patch:
    """The patch in a file, or on standard input.

    Raises:
        ConfigurationError: it cannot be read, or does not fit the project.
    """
    from bot.errors import ConfigurationError, PatchError
    from bot.patch.replies.parse import parse_reply
    from bot.patch.text import decode

    name = "the patch on standard input" if place == STANDARD_INPUT else place
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
    code = {path: decode(data) for path, data in snapshot.files.items() if path.endswith(".py")}
    try:
        return parse_reply(text, code).patch
    except PatchError as error:
        said = str(error).partition(": answer with")[0].replace("the reply", "it", 1)
        raise ConfigurationError(f"{name} does not fit the project: {said}; give a unified diff") from error

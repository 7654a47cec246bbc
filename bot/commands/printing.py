"""What the commands write: results on standard output, evidence and reasons on standard error."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from bot.compose import Repaired
    from bot.config.options.command_line import PatchOutput
    from bot.config.settings import Settings
    from bot.ports import Progress
    from bot.result import RepairResult


def deliver(
    context: click.Context, settings: Settings, work: Callable[[Progress], Repaired], shown: PatchOutput
) -> None:
    """Do ``work``, show what came of it, write its patch where that was asked for, and end."""
    from rich.console import Console

    from bot.console import ConsoleProgress, plain, show_result
    from bot.delivery.journal import Journal
    from bot.delivery.json_report import exit_status
    from bot.delivery.worktree import write_patch
    from bot.errors import DeliveryError
    from bot.internal_errors import collected, guarded

    console = Console(stderr=True)
    project, state = settings.project, settings.state_directory
    if restored := Journal.of(state, project).undo(project):
        said = f"restored: {plain(', '.join(restored), 500)} (a run with --apply was killed half-way)"
        console.print(said, markup=False, soft_wrap=True)
    with ConsoleProgress(console, verbose=shown.verbose) as progress:
        repaired = work(progress)
    result = repaired.result
    with collected() as defects:
        # Shown before it is written anywhere: a write that fails must not lose a verified patch.
        _print_result(result, shown)
        if not shown.as_json or not result.patch:
            with guarded("the result in the terminal"):
                show_result(console, result)
    for defect in defects.found:
        console.print(plain(f"internal error: {defect}", 500), markup=False, highlight=False, soft_wrap=True)
    if shown.write and result.patch and result.warnings:
        raise DeliveryError(
            "the patch is not written into the working tree: the policy does not know it to be harmless "
            f"({plain(result.warnings[0], 200)}); read the diff, and apply it by hand if it is right"
        )
    if shown.write and result.patch:
        write_patch(project, result.patch, files=repaired.snapshot.files, state=state)
    context.exit(exit_status(result))


def _print_result(result: RepairResult, shown: PatchOutput) -> None:
    from bot.delivery.json_report import plain_data
    from bot.delivery.worktree import write_atomically
    from bot.errors import DeliveryError
    from bot.patch.text import encode

    diff = encode(result.diff or result.adapted_diff)
    if shown.as_json:
        write_out(f"{json.dumps(plain_data(result), indent=2)}\n".encode("ascii"))
    elif not shown.output:
        write_out(escaped(diff) if sys.stdout.isatty() else diff)
    if shown.output and (result.patch or result.adapted):
        try:
            write_atomically(shown.output.absolute(), diff)
        except DeliveryError:
            if not shown.as_json:
                write_out(escaped(diff) if sys.stdout.isatty() else diff)
            raise


def escaped(data: bytes) -> bytes:
    """``data`` for a terminal: characters that control it, or cannot be seen, are written out.

    A file's lines may hold sequences that move the cursor, or that hide a part of the line. What is written
    into a file or a pipe stays as it is.
    """
    text = data.decode("utf-8", "backslashreplace").replace("\r\n", "\n")
    return "".join(_visible(character) for character in text).encode()


def _visible(character: str) -> str:
    from bot.patch.policy.files.hidden_characters import is_hidden

    if character in "\n\t" or not (is_hidden(character) or "\ud800" <= character <= "\udfff"):
        return character
    if character > "\x7f":
        return character.encode("ascii", "backslashreplace").decode()
    return f"\\x{ord(character):02x}"


def write_out(data: bytes) -> None:
    """Write ``data`` to standard output.

    Raises:
        DeliveryError: it cannot be written.
    """
    from bot.errors import DeliveryError

    try:
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        # The reader has seen enough; nothing more may be written when the interpreter ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (OSError, AttributeError) as error:
        raise DeliveryError(f"cannot write to standard output: {error}") from error

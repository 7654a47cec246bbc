"""Say a test command that somebody chose, with the directory that it runs in, for a checkout's top."""

import shlex
from collections.abc import Mapping

from bot.cilog.command_checkout import at_top
from sandbox.ci.shell import simple_commands
from sandbox.ci.test_words import recognise


def command_in(directory: str, text: str, files: Mapping[str, bytes]) -> str:
    """``text``, which runs in ``directory`` of the checkout, as a command for the checkout's top."""
    if directory == ".":
        return text
    commands = list(simple_commands(text, variables={}, directory=directory))
    found = recognise(commands[0].words) if len(commands) == 1 else None
    here = ""
    if found:
        environment = (*commands[0].environment, *found.environment)
        here = at_top(found, commands[0].directory, environment, [], files)
    return here or f"cd {shlex.quote(directory)} && {text}"

"""Expands what a job runs into plain commands: scripts, make, tox, nox, hatch and launchers are followed."""

import posixpath
import re
import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice, pairwise

from sandbox.ci.commands import Command, ToolInvocation, directory_of
from sandbox.ci.shell import MAX_SCRIPT, simple_commands
from sandbox.ci.test_words import wrapped
from sandbox.ci.tools import hatch, makefile, nox, tox
from sandbox.ci.tools.scripts import named_script
from sandbox.ci.workflows.jobs import ActionStep, RunStep
from sandbox.launchers import launched

MAX_DEPTH = 6
"""Tools within scripts within tools that are followed."""

MAX_COMMANDS = 2_000
"""Commands of one job."""

MAX_ARGUMENTS = 500
"""Characters of the arguments that a script is given."""

TOOL_COST = 20
"""Commands that one call of a tool counts for, since its configuration is read."""

_PYTHON = re.compile(r"(?:.*/)?(?:python(?:\d(?:\.\d+)?)?|py)(?:\.exe)?$")
_SHELLS = {"sh", "bash", "dash", "zsh", "source", "."}
_TOOLS = {"tox": tox.expand, "nox": nox.expand, "hatch": hatch.expand}
# Modules that `python -m` runs as the program of that name.
_MODULES = {"pip", "tox", "nox", "hatch", "poetry", "pdm", "pipenv", "uv", "poethepoet", "invoke", "flit"}
_ALIASES = {
    "pip3": "pip",
    "poethepoet": "poe",
    "inv": "invoke",
    "gmake": "make",
    "mamba": "conda",
    "micromamba": "conda",
}
_LAUNCHERS = {"uv", "uvx", "poetry", "pdm", "pipenv", "pipx", "rye", "hatch", "conda", "micromamba", "pixi"}
_ARGUMENTS = re.compile(r"[\"']?\$(?:\{[@*](?::?-[^}]*)?\}|[@*])[\"']?")
_SCRIPT_RUNNERS = {"poe", "invoke", "just", "task", "pdm", "poetry", "pipenv", "rye"}
_KNOWN = {"make", "pip", "pytest", "coverage"}.union(_TOOLS, _MODULES, _LAUNCHERS, _SCRIPT_RUNNERS, _SHELLS)


@dataclass(slots=True)
class Effort:
    """What may still be read: scripts may call each other, and tools be called in each of them.

    ``tools`` are the calls of tools that were expanded already, as jobs of a matrix repeat them.
    """

    characters: int = 1_000_000
    commands: int = 20_000
    tools: dict[tuple[object, ...], list[Command]] = field(default_factory=dict)

    def takes(self, *, characters: int = 0, commands: int = 0) -> bool:
        """Take so much of it; False where that is more than is left."""
        self.characters -= characters
        self.commands -= commands
        return self.characters >= 0 and self.commands >= 0


def commands_of(
    steps: Iterable[RunStep | ActionStep],
    files: Mapping[str, bytes],
    *,
    python: str,
    effort: Effort | None = None,
) -> tuple[Command, ...]:
    """The commands of ``steps``, for ``python`` (``3.12``); fewer once ``effort`` is used up."""
    expansion = _Expansion(files=files, python=python, effort=effort or Effort())
    found = (command for step in steps for command in expansion.of_step(step))
    return tuple(islice(found, MAX_COMMANDS))


def _of_action(step: ActionStep) -> list[Command]:
    """What actions install that make an environment from a file of the repository."""
    inputs = step.inputs
    if step.action in {"conda-incubator/setup-miniconda", "mamba-org/setup-micromamba"}:
        path, named = inputs.get("environment-file", ""), inputs.get("create-args", "").split()
        found = [Command(words=("conda", "env", "update", "-f", path))] if path else []
        return [*found, *([Command(words=("conda", "install", *named))] if named else [])]
    if step.action == "actions/setup-python" and inputs.get("pip-install"):
        return [Command(words=("pip", "install", *inputs["pip-install"].split()))]
    return []


@dataclass(frozen=True, slots=True)
class _Expansion:
    files: Mapping[str, bytes]
    python: str
    effort: Effort

    def of_step(self, step: RunStep | ActionStep) -> Iterator[Command]:
        if isinstance(step, ActionStep):
            yield from _of_action(step)
            # Actions that retry a script, watch it or give it a display take it as an input.
            script = step.inputs.get("run") or step.inputs.get("command") or ""
            place = directory_of(step.inputs.get("working-directory") or ".")
            if script and place is not None:
                yield from self.of_script(script, place, step.environment, 0)
        elif (directory := directory_of(step.directory or ".")) is not None:
            yield from self.of_script(step.script, directory, step.environment, 0)

    def of_script(
        self, script: str, directory: str, environment: Sequence[tuple[str, str]], depth: int
    ) -> Iterator[Command]:
        script = script[:MAX_SCRIPT]
        if not self.effort.takes(characters=len(script)):
            return
        for simple in simple_commands(script, variables=dict(environment), directory=directory):
            place = directory_of(simple.directory)
            if place is not None:
                command = Command(
                    words=simple.words, directory=place, environment=(*environment, *simple.environment)
                )
                yield from self.of_command(command, depth)

    def of_command(self, command: Command, depth: int) -> Iterator[Command]:
        """What ``command`` runs in the end."""
        if not self.effort.takes(commands=1):
            return
        if command.fresh or depth > MAX_DEPTH:
            yield command
            return
        settings: list[tuple[str, str]] = []
        words = _as_program(wrapped(command.words, settings))
        command = replace(command, words=words, environment=(*command.environment, *settings))
        if not words:
            return
        if words[0] in _TOOLS and (inner := self._expanded(command)):
            for one in inner:
                yield from self.of_command(one, depth + 1)
        elif script := self._script(command):
            yield from self.of_script(script, command.directory, command.environment, depth + 1)
        elif words[0] in _LAUNCHERS:
            yield from self._of_launcher(command, depth)
        else:
            yield command

    def _expanded(self, command: Command) -> list[Command]:
        """What a call of a tool runs; calls that are alike are read once."""
        tools = self.effort.tools
        key = (command.words, command.directory, command.environment, self.python)
        if key not in tools:
            tools[key] = self._of_tool(command) if self.effort.takes(commands=TOOL_COST) else []
        return tools[key]

    def _of_tool(self, command: Command) -> list[Command]:
        call = ToolInvocation(
            words=command.words,
            files=self.files,
            directory=command.directory,
            variables=dict(command.environment),
            python=self.python,
        )
        found = _TOOLS[command.words[0]](call)
        return [replace(one, environment=(*command.environment, *one.environment)) for one in found]

    def _script(self, command: Command) -> str:
        """The text of the project's script that ``command`` starts; empty where it starts none."""
        words = command.words
        if words[0] == "make" and self.effort.takes(commands=TOOL_COST):
            variables = dict(command.environment)
            return makefile.script_of(words, self.files, directory=command.directory, variables=variables)
        if words[0] in _SCRIPT_RUNNERS and len(words) > 1:
            return named_script(words, self.files, directory=command.directory)
        name, arguments = words[0], words[1:]
        if name in _SHELLS:
            rest = [word for word in words[1:] if not word.startswith("-")]
            name, arguments = (rest[0], tuple(rest[1:])) if rest and "-c" not in words else ("", ())
        elif not name.endswith(".sh") and "/" not in name:
            return ""
        path = directory_of(name, base=command.directory) if name else None
        if path not in self.files or path is None or path.endswith(".py"):
            return ""
        data = self.files[path][: 2 * MAX_SCRIPT]
        if data[:2] == b"#!" and b"sh" not in data.split(b"\n", 1)[0]:
            return ""
        given = shlex.join(arguments)
        given = given if len(given) <= MAX_ARGUMENTS else ""
        return _ARGUMENTS.sub(lambda _: given, data.decode("utf-8", "replace")[:MAX_SCRIPT])

    def _of_launcher(self, command: Command, depth: int) -> Iterator[Command]:
        """``uv run --group test pytest`` brings the environment up to date, and runs pytest."""
        words = command.words
        started = launched(words)
        if not started:
            yield command
            return
        options = words[: len(words) - len(started)]
        if words[0] == "uv" and "run" in options:
            # It brings the environment up to date first.
            yield replace(command, words=("uv", "sync", *[word for word in options[1:] if word != "run"]))
            yield from _with_options(command, options)
        elif words[0] in {"uvx", "pipx"} or options[:3] == ("uv", "tool", "run"):
            yield replace(command, words=("pip", "install", started[0]), fresh=True)
            yield from _with_options(command, options)
        yield from self.of_command(replace(command, words=tuple(started)), depth + 1)


def _with_options(command: Command, options: Sequence[str]) -> Iterator[Command]:
    """What ``--with`` adds to an environment for one run."""
    for option, value in pairwise(options):
        if option in {"--with", "-w"}:
            yield replace(command, words=("pip", "install", *value.split(",")), fresh=False)
        elif option == "--with-requirements":
            yield replace(command, words=("pip", "install", "-r", value), fresh=False)


def _as_program(words: Sequence[str]) -> tuple[str, ...]:
    """``python -m pip …`` as ``pip …``; a program without its directory and its suffix."""
    if not words:
        return ()
    if _PYTHON.match(words[0]):
        return _module_of(words[1:]) or ("python", *words[1:])
    name = posixpath.basename(words[0].replace("\\", "/")).removesuffix(".exe")
    name = _ALIASES.get(name, name)
    return (name, *words[1:]) if name in _KNOWN else tuple(words)


def _module_of(words: Sequence[str]) -> tuple[str, ...]:
    """The program that ``python`` with ``words`` runs as a module; empty where it is none that is known."""
    rest = list(words)
    while rest and rest[0].startswith("-"):
        option = rest.pop(0)
        if option.endswith("m") and not option.startswith("--"):
            return _as_program(rest) if rest and rest[0] in _MODULES else ()
        if option in {"-W", "-X"} and rest:
            rest.pop(0)
    return ()

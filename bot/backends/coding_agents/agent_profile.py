"""How a coding agent is called: a YAML file with its command, its variables and what it costs."""

import re
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Annotated, Self

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from bot.errors import ConfigurationError

MAX_BYTES = 100_000
MAX_DOLLARS = 10_000.0
"""What a turn may cost; whoever prints more has printed something else."""
# What says who may do what on GitHub, and what belongs to Regreen itself, is for no agent.
FORBIDDEN = re.compile(r"(GITHUB|GH|ACTIONS|RUNNER|REGREEN)_.*|LD_.*", re.IGNORECASE)
_PROFILES = resources.files("bot.backends.coding_agents").joinpath("profiles")
_PLACEHOLDER = re.compile(r"\{(\w+)\}")
ANY_HOST = "*"
MAX_PORT = 65_535
_HOST = re.compile(r"\*|[A-Za-z0-9.-]{1,253}(?::([0-9]{1,5}))?")
_BASE_URL = "{base_url}"
_SINGLE = frozenset({"task", "task_file", "model", "model_name", "base_url"})
_SEVERAL = frozenset({"{files}", "{with_model}", "{with_base_url}"})

Words = Annotated[tuple[str, ...], Field(max_length=100)]


class AgentProfile(BaseModel):
    """One agent.

    ``command`` holds placeholders: ``{task}`` and ``{task_file}`` (the text, and a file with it, which is on
    standard input too), ``{model}`` and ``{base_url}`` as in the options, ``{model_name}`` for the model
    without its provider (what ends with the first slash); and, each as an argument of its own, ``{files}``
    for those to look at first, ``{with_model}`` and ``{with_base_url}`` for the words that are needed where
    one is named. ``again`` is the command of all turns after the first. ``variables`` are names of
    environment variables to hand over, ``settings`` others with their values; one with ``{base_url}`` is left
    out where there is none. ``own_files`` are globs of what the agent leaves for itself. ``cost`` is a
    regular expression whose group is the cost in US dollars in what it prints; the last one counts.
    ``install`` says how to get it.

    ``hosts`` are, for each of the ``variables`` that is set, the hosts that its value is for: ``NAME`` or
    ``NAME:PORT`` (443 else). No others can be reached but those of the addresses in ``--base-url`` and
    ``settings``; ``*`` opens the whole network.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,60}$")]
    command: Annotated[Words, Field(min_length=1)]
    again: Words = ()
    with_model: Words = ()
    with_base_url: Words = ()
    variables: Words = ()
    settings: Mapping[str, str] = Field(default_factory=dict)
    hosts: Mapping[str, Words] = Field(default_factory=dict)
    own_files: Words = ()
    cost: str = ""
    install: str = ""

    @model_validator(mode="after")
    def _usable(self) -> Self:
        for word in self._texts():
            unknown = set(_PLACEHOLDER.findall(word)) - _SINGLE
            if unknown and word not in _SEVERAL:
                raise ValueError(f"unknown placeholder in {word!r}; known: {_known()}")
        for name in (*self.variables, *self.settings):
            if FORBIDDEN.fullmatch(name):
                raise ValueError(f"the variable {name} is not for an agent")
        for name, hosts in self.hosts.items():
            if name not in self.variables:
                raise ValueError(f"hosts: {name} is none of the variables")
            if wrong := [host for host in hosts if not _is_host(host)]:
                raise ValueError(f"hosts: {wrong[0]!r} is no NAME or NAME:PORT")
        try:
            groups = re.compile(self.cost).groups
        except re.error as error:
            raise ValueError(f"cost is no regular expression: {error}") from error
        if self.cost and groups != 1:
            raise ValueError("cost needs one group: the number of US dollars")
        return self

    def _texts(self) -> tuple[str, ...]:
        """All that may have placeholders."""
        words = (*self.command, *self.again, *self.with_model, *self.with_base_url)
        return (*words, *self.settings.values())

    def words(self, call: "AgentCall", *, turn: int) -> list[str]:
        """The command line of a turn, from 1."""
        command = self.again if turn > 1 and self.again else self.command
        found: list[str] = []
        for word in command:
            if word == "{files}":
                found += call.files
            elif word == "{with_model}":
                found += [call.filled(one) for one in self.with_model] if call.model else []
            elif word == "{with_base_url}":
                found += [call.filled(one) for one in self.with_base_url] if call.base_url else []
            else:
                found.append(call.filled(word))
        return found

    def set_here(self, call: "AgentCall") -> dict[str, str]:
        """The variables of ``settings`` that have a value."""
        needed = (
            (name, value) for name, value in self.settings.items() if call.base_url or _BASE_URL not in value
        )
        return {name: filled for name, value in needed if (filled := call.filled(value))}

    def dollars(self, said: str) -> float:
        """What the turn cost; 0 where nothing says it."""
        found = re.findall(self.cost, said) if self.cost else []
        try:
            dollars = float(found[-1]) if found else 0.0
        except ValueError:
            return 0.0
        return dollars if 0.0 <= dollars <= MAX_DOLLARS else 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentCall:
    """What the placeholders of a command stand for."""

    task: str = ""
    task_file: str = ""
    model: str = ""
    base_url: str = ""
    files: Sequence[str] = ()

    @property
    def model_name(self) -> str:
        """The model without its provider."""
        return self.model.partition("/")[2] or self.model

    def filled(self, word: str) -> str:
        """``word`` with its placeholders replaced."""
        return _PLACEHOLDER.sub(lambda found: str(getattr(self, found[1], found[0])), word)


def _is_host(text: str) -> bool:
    found = _HOST.fullmatch(text)
    return found is not None and 1 <= int(found[1] or 1) <= MAX_PORT


def names() -> tuple[str, ...]:
    """The agents that there is a profile for."""
    files = _PROFILES.iterdir()
    return tuple(sorted(file.name.removesuffix(".yaml") for file in files if file.name.endswith(".yaml")))


def load(agent: str) -> AgentProfile:
    """The profile that ``agent`` names: one of ours, a YAML file, or a command.

    Raises:
        ConfigurationError: it is none of these.
    """
    if agent in names():
        return read(_PROFILES.joinpath(f"{agent}.yaml").read_text("utf-8"), agent)
    if agent.endswith((".yaml", ".yml")):
        try:
            with Path(agent).open("rb") as file:
                data = file.read(MAX_BYTES + 1)
            text = data.decode("utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise ConfigurationError(f"the agent's profile {agent} cannot be read: {error}") from error
        if len(data) > MAX_BYTES:
            raise ConfigurationError(f"the agent's profile {agent} is longer than {MAX_BYTES} bytes")
        return read(text, agent)
    try:
        words = tuple(shlex.split(agent))
    except ValueError as error:
        raise ConfigurationError(f"agent: {error} in {agent!r}") from error
    if not words:
        raise ConfigurationError(f"--strategy agent needs --agent: {', '.join(names())}, a file or a command")
    name = re.sub(r"[^A-Za-z0-9._-]", "-", Path(words[0]).name).lstrip("._-")[:60] or "agent"
    return _checked({"name": name, "command": words}, agent)


def read(text: str, place: str) -> AgentProfile:
    """The profile that a YAML ``text`` holds; ``place`` is for messages.

    Raises:
        ConfigurationError: it holds none.
    """
    try:
        raw = yaml.safe_load(text)
    except (yaml.YAMLError, RecursionError) as error:
        raise ConfigurationError(f"the agent's profile {place} is no YAML: {error}") from error
    if not isinstance(raw, dict):
        raise ConfigurationError(f"the agent's profile {place} is no mapping of name, command and the like")
    return _checked(raw, place)


def _checked(raw: Mapping[str, object], place: str) -> AgentProfile:
    try:
        return AgentProfile.model_validate(raw)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"]))
        problem = first["msg"].removeprefix("Value error, ")
        raise ConfigurationError(f"agent {place}: {f'{where}: ' if where else ''}{problem}") from error


def _known() -> str:
    return ", ".join(sorted({f"{{{name}}}" for name in _SINGLE} | _SEVERAL))

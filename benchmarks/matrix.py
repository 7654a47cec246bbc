"""A YAML file that names a benchmark, options for all, and configurations that each add their own."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from bot.errors import ConfigurationError

# A configuration's name is that of its run's file.
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
Value = str | int | float | bool | list[str]


class _File(BaseModel):
    """A matrix as it is written down."""

    model_config = ConfigDict(extra="forbid")

    benchmark: str
    about: str = ""
    arguments: list[str] = []
    options: dict[str, Value] = {}
    configurations: Annotated[dict[str, dict[str, Value] | None], Field(min_length=1)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Configuration:
    """One run of a matrix: a command of the benchmarks with its arguments."""

    name: str
    command: tuple[str, ...]


def read(path: Path) -> tuple[Configuration, ...]:
    """The configurations of the matrix at ``path``, in its order.

    Raises:
        OSError: it cannot be read.
        ConfigurationError: it is no matrix; the message says where.
    """
    try:
        matrix = _File.model_validate(yaml.safe_load(path.read_text("utf-8")))
    except (yaml.YAMLError, UnicodeDecodeError, RecursionError) as error:
        raise ConfigurationError(f"{path} is no YAML file: {' '.join(str(error).split())}") from error
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"])) or "the file"
        raise ConfigurationError(f"{path}: {where}: {first['msg']}") from error
    for name in matrix.configurations:
        if not NAME.fullmatch(name):
            raise ConfigurationError(
                f"{path}: {name!r} cannot be a file's name: letters, digits, '.', '_', '-'"
            )
    return tuple(
        Configuration(
            name=name,
            command=(matrix.benchmark, *_options({**matrix.options, **(own or {})}), *matrix.arguments),
        )
        for name, own in matrix.configurations.items()
    )


def _options(values: Mapping[str, Any]) -> list[str]:
    """The command line: a switch for true, nothing for false, an option once for each of a list."""
    words: list[str] = []
    for name, value in values.items():
        flag = f"--{name.replace('_', '-')}"
        if isinstance(value, bool):
            words += [flag] if value else []
        else:
            for one in value if isinstance(value, list) else [value]:
                words += [f"{flag}={one}"]
    return words

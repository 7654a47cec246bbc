"""What is run: releases by version and digest, repositories by commit, read from ``catalogue.yaml``."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Literal

import yaml
from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError

from benchmarks.libraries.sources import Commit, Release, Source
from benchmarks.runs.tasks import Bare
from bot.config.options import OPTIONS
from bot.errors import ConfigurationError

CATALOGUE = Path(__file__).with_name("catalogue.yaml")
LIBRARY = "library"
_FIELDS = frozenset(option.field for option in OPTIONS)

Name = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]*$")]
Repository = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9-]*/[A-Za-z0-9._-]+$")]
Version = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9.!+]*$")]
Digest = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]
CommitId = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{40}$")]


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class _Release(_Part):
    name: Name
    version: Version
    sha256: Digest
    options: dict[str, Any] = Field(default_factory=dict)


class _Commit(_Part):
    commit: CommitId
    date: Any
    options: dict[str, Any] = Field(default_factory=dict)


class _Repository(_Part):
    name: Repository
    commits: dict[int, _Commit]
    options: dict[str, Any] = Field(default_factory=dict)


class _File(_Part):
    format: Literal[1]
    rules: dict[str, str]
    skipped: list[dict[Literal["name", "reason"], str]] = Field(default_factory=list)
    libraries: list[_Release] = Field(default_factory=list)
    repositories: list[_Repository] = Field(default_factory=list)


@dataclass(frozen=True, slots=True, kw_only=True)
class Item(Bare):
    """A project to run (``tasks.Task``).

    ``options`` are options of ``regreen fix`` that make it work where it does not work without: they are
    tried in a second attempt, which is reported and counts for nothing.
    """

    name: str
    group: str
    source: Source
    options: Mapping[str, Any] = field(default_factory=dict)

    def lay_out(self, directory: Path) -> Path:
        """Write the project to ``directory``; returns it."""
        return self.source.lay_out(directory)


def items(path: Path = CATALOGUE, *, cache: Path, clones: Path | None = None) -> list[Item]:
    """The items of the catalogue at ``path``: the releases, then the commits of each repository.

    ``cache`` is for what is downloaded, ``clones`` has clones that are there already.

    Raises:
        OSError: it cannot be read.
        ConfigurationError: it is no catalogue.
    """
    try:
        read = _File.model_validate(yaml.safe_load(path.read_text("utf-8")))
    except (yaml.YAMLError, ValidationError, UnicodeDecodeError) as error:
        raise ConfigurationError(f"{path} is no catalogue of libraries: {_first_line(error)}") from error
    found = [
        Item(
            name=one.name,
            group=LIBRARY,
            source=Release(name=one.name, version=one.version, sha256=one.sha256, cache=cache),
            options=one.options,
        )
        for one in read.libraries
    ]
    found += [
        Item(
            name=f"{one.name}@{year}",
            group=f"checkout {year}",
            source=Commit(repository=one.name, commit=at.commit, cache=cache, clones=clones),
            options={**one.options, **at.options},
        )
        for one in read.repositories
        for year, at in sorted(one.commits.items())
    ]
    for item in found:
        if unknown := sorted(item.options.keys() - _FIELDS):
            raise ConfigurationError(f"{path}: {item.name}: there is no option {', '.join(unknown)}")
    return found


def _first_line(error: Exception) -> str:
    if isinstance(error, ValidationError):
        first = error.errors()[0]
        return f"{'.'.join(map(str, first['loc']))}: {first['msg']}"
    return str(error).splitlines()[0]

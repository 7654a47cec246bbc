"""What is run: releases by version and digest, repositories by commit, read from ``catalogue.yaml``."""

from collections.abc import Iterator, Mapping
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


class _Skipped(_Part):
    name: str
    reason: str


class _File(_Part):
    format: Literal[1]
    rules: dict[str, str]
    skipped: list[_Skipped] = Field(default_factory=list)
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Places:
    """Where sources are: ``cache`` for what is downloaded, ``clones`` with clones that are there already."""

    cache: Path
    clones: Path | None = None


def items(places: Places, path: Path = CATALOGUE) -> list[Item]:
    """The items of the catalogue at ``path``: the releases, then the commits of each repository.

    Raises:
        OSError: it cannot be read.
        ConfigurationError: it is no catalogue.
    """
    try:
        read = _File.model_validate(yaml.safe_load(path.read_text("utf-8")))
    except (yaml.YAMLError, ValidationError, UnicodeDecodeError) as error:
        raise ConfigurationError(f"{path} is no catalogue of libraries: {_first_line(error)}") from error
    found = [*_releases(read, places), *_commits(read, places)]
    for item in found:
        if unknown := sorted(item.options.keys() - _FIELDS):
            raise ConfigurationError(f"{path}: {item.name}: there is no option {', '.join(unknown)}")
    return found


def _releases(read: _File, places: Places) -> Iterator[Item]:
    for library in read.libraries:
        release = Release(
            name=library.name, version=library.version, sha256=library.sha256, cache=places.cache
        )
        yield Item(name=library.name, group=LIBRARY, source=release, options=library.options)


def _commits(read: _File, places: Places) -> Iterator[Item]:
    for repository in read.repositories:
        for year, at in sorted(repository.commits.items()):
            commit = Commit(
                repository=repository.name, commit=at.commit, cache=places.cache, clones=places.clones
            )
            yield Item(
                name=f"{repository.name}@{year}",
                group=f"checkout {year}",
                source=commit,
                options={**repository.options, **at.options},
            )


def _first_line(error: Exception) -> str:
    if isinstance(error, ValidationError):
        first = error.errors()[0]
        return f"{'.'.join(map(str, first['loc']))}: {first['msg']}"
    return str(error).splitlines()[0]

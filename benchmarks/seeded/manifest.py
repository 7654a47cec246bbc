"""The libraries that get bugs, and these as a file: where each change is, without the library's source."""

import json
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import yaml

from benchmarks.libraries.sources import Release
from benchmarks.runs.tasks import Bare
from benchmarks.seeded.mutants import TOOL, Mutant
from bot.errors import ConfigurationError
from bot.patch.text import decode, encode

FORMAT = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Library:
    """A release; ``modules`` are glob patterns of what is mutated, its own tests apart."""

    name: str
    version: str
    sha256: str
    modules: list[str]


_ROWS = yaml.safe_load(Path(__file__).with_name("libraries.yaml").read_text("utf-8"))
LIBRARIES = {row["name"]: Library(**row) for row in _ROWS}


def fetched(library: Library, *, cache: Path) -> Path:
    """The library's source tree below ``cache``, downloaded the first time.

    Raises:
        MachineError: it is not there and cannot be downloaded, or is not what it should be.
    """
    release = Release(name=library.name, version=library.version, sha256=library.sha256, cache=cache)
    source = cache / "sources" / release.directory_name
    return source if source.exists() else release.lay_out(source)


@dataclass(frozen=True, slots=True, kw_only=True)
class Bug(Bare):
    """A seeded bug (``tasks.Task``) in the library whose source tree is ``source``."""

    name: str
    library: str
    mutant: Mutant
    source: Path

    @property
    def group(self) -> str:
        """The library."""
        return self.library

    @property
    def reference(self) -> Mapping[str, str]:
        """The module as it was."""
        return {self.mutant.path: decode((self.source / self.mutant.path).read_bytes())}

    def lay_out(self, directory: Path) -> Path:
        """A copy of the library with the bug in it."""
        shutil.copytree(self.source, directory, symlinks=True)
        mutated = self.mutant.apply(self.reference[self.mutant.path])
        (directory / self.mutant.path).write_bytes(encode(mutated))
        return directory


def made(
    library: Library, *, seed: int, tests: int, tried: int, kept: Mapping[Mutant, Sequence[str]]
) -> dict[str, Any]:
    """The manifest of ``tried`` mutants, of which those ``kept`` make the tests fail that they map to."""
    return {
        "format": FORMAT,
        "library": library.name,
        "version": library.version,
        "sha256": library.sha256,
        "seed": seed,
        "tool": list(TOOL),
        "tests": tests,
        "tried": tried,
        "bugs": [{**asdict(mutant), "noticed_by": list(noticed)} for mutant, noticed in kept.items()],
    }


def write(path: Path, plain: Mapping[str, Any]) -> None:
    """Write the manifest to ``path``.

    Raises:
        OSError: it cannot be written.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(plain, indent=1) + "\n", "utf-8")


def bugs(path: Path, *, cache: Path) -> list[Bug]:
    """The bugs of the manifest at ``path``, with the library's source fetched below ``cache``.

    Raises:
        OSError: it cannot be read.
        ConfigurationError: it is no manifest, or of another release than the one that is known here.
        MachineError: the source cannot be had.
    """
    try:
        plain = json.loads(path.read_text("utf-8"))
        fields = Mutant.__dataclass_fields__
        mutants = [Mutant(**{name: bug[name] for name in fields}) for bug in plain["bugs"]]
        release = LIBRARIES[plain["library"]]
        known = plain["format"] == FORMAT and plain["sha256"] == release.sha256
    except (ValueError, KeyError, TypeError) as error:
        raise ConfigurationError(f"{path} is no manifest of seeded bugs: {error}") from error
    if not known:
        raise ConfigurationError(f"{path} is about another release of {release.name}: make it anew")
    source = fetched(release, cache=cache)
    return [
        Bug(name=f"{release.name}/{number:02d}", library=release.name, mutant=mutant, source=source)
        for number, mutant in enumerate(mutants)
    ]

"""The libraries that get bugs, as ``libraries.yaml`` names them."""

from dataclasses import dataclass
from pathlib import Path

import yaml

from benchmarks.libraries.sources import Release


@dataclass(frozen=True, slots=True, kw_only=True)
class Library:
    """A release; ``modules`` are glob patterns of what is mutated, its own tests apart."""

    name: str
    version: str
    sha256: str
    modules: list[str]


_ROWS = yaml.safe_load(Path(__file__).with_suffix(".yaml").read_text("utf-8"))
LIBRARIES = {row["name"]: Library(**row) for row in _ROWS}


def fetched(library: Library, *, cache: Path) -> Path:
    """The library's source tree below ``cache``, downloaded the first time.

    Raises:
        MachineError: it is not there and cannot be downloaded, or is not what it should be.
    """
    release = Release(name=library.name, version=library.version, sha256=library.sha256, cache=cache)
    source = cache / "sources" / release.directory_name
    return source if source.exists() else release.lay_out(source)

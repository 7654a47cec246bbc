"""Real libraries as their source distributions, with their own tests; fetched once, kept elsewhere."""

import subprocess
import sys
import tempfile
from dataclasses import dataclass
from functools import cache
from pathlib import Path

KEPT_IN = Path.home() / ".cache" / "regreen-tests"
FETCH_TIMEOUT_S = 180


@dataclass(frozen=True)
class Library:
    """A release, by the digest of its archive; ``passing`` is how many tests must pass at least."""

    name: str
    version: str
    sha256: str
    kind: str
    module: str
    passing: int


LIBRARIES = (
    Library(
        name="jinja2",
        version="3.1.6",
        sha256="0137fb05990d35f1275a587e9aee6d56da821fc83491a0fb838183be43f66d6d",
        kind="with dependencies",
        module="src/jinja2/lexer.py",
        passing=900,
    ),
    Library(
        name="pyflakes",
        version="3.4.0",
        sha256="b24f96fafb7d2ab0ec5075b7350b3d2d2218eab42003821c06344973d3ea2f58",
        kind="unittest-style",
        module="pyflakes/checker.py",
        passing=700,
    ),
    Library(
        name="markupsafe",
        version="3.0.3",
        sha256="722695808f4b6457b320fdc131280796bdceb04ab50fe1795cd540799ebe1698",
        kind="compiled extension",
        module="src/markupsafe/__init__.py",
        passing=75,
    ),
)


class NotFetched(Exception):
    """The package index does not answer."""


@cache
def index_answers() -> bool:
    """Whether a small package can be downloaded; tried once a process."""
    with tempfile.TemporaryDirectory() as directory:
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--retries", "0"]
        command += ["--disable-pip-version-check", "--timeout", "10", "-d", directory, "six==1.17.0"]
        done = subprocess.run(command, capture_output=True, timeout=FETCH_TIMEOUT_S, check=False)
    return done.returncode == 0


def fetch(library: Library, directory: Path) -> Path:
    """The library's source tree, unpacked below ``directory``.

    Raises:
        NotFetched: it is not kept here and cannot be downloaded.
    """
    from benchmarks.libraries.sources import Release  # most tests fetch nothing
    from bot.errors import MachineError

    release = Release(name=library.name, version=library.version, sha256=library.sha256, cache=KEPT_IN)
    try:
        return release.lay_out(directory / release.directory_name)
    except MachineError as error:
        raise NotFetched(str(error)) from error

"""Releases of real libraries with test suites of over 300 tests, by the digests of their archives."""

import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from benchmarks.packed import extract
from benchmarks.pins import digest
from bot.errors import ConfigurationError, MachineError

FETCH_TIMEOUT_S = 300


@dataclass(frozen=True, slots=True, kw_only=True)
class Library:
    """A release; ``modules`` are glob patterns of what is mutated, its own tests apart."""

    name: str
    version: str
    sha256: str
    archive: str
    modules: tuple[str, ...]

    @property
    def directory(self) -> str:
        """The name of the one directory in the archive."""
        return self.archive.removesuffix(".tar.gz")


LIBRARIES = (
    Library(
        name="boltons",
        version="26.2.0",
        sha256="d39cfd15c1a1c3bd4d705c82252fa9edb8e4f5e8cc039f8e39afac7b1b47e92c",
        archive="boltons-26.2.0.tar.gz",
        modules=("boltons/*.py",),
    ),
    Library(
        name="jinja2",
        version="3.1.6",
        sha256="0137fb05990d35f1275a587e9aee6d56da821fc83491a0fb838183be43f66d6d",
        archive="jinja2-3.1.6.tar.gz",
        modules=("src/jinja2/*.py",),
    ),
    Library(
        name="humanize",
        version="4.17.0",
        sha256="1d6a36c453dbfbb3f0b34601d2e0b4ce5d48d780305cd45714843f0068fde6ac",
        archive="humanize-4.17.0.tar.gz",
        modules=("src/humanize/*.py",),
    ),
    Library(
        name="pyflakes",
        version="4.1.0",
        sha256="592beb57058eb82eb190fb7514f2081c555c51000b029ff71286a681e6cf2f83",
        archive="pyflakes-4.1.0.tar.gz",
        modules=("pyflakes/*.py",),
    ),
)


def library(name: str) -> Library:
    """The library called ``name``.

    Raises:
        ConfigurationError: there is none.
    """
    found = next((library for library in LIBRARIES if library.name == name), None)
    if found is None:
        known = ", ".join(library.name for library in LIBRARIES)
        raise ConfigurationError(f"no such library: {name}; there are {known}")
    return found


def fetched(library: Library, *, directory: Path) -> Path:
    """The library's source tree below ``directory``; downloaded the first time, and checked each time.

    Raises:
        MachineError: it is not there and cannot be downloaded, or is not what it should be.
    """
    directory.mkdir(parents=True, exist_ok=True)
    archive = directory / library.archive
    if not archive.exists():
        _download(library, archive)
    if digest(archive) != library.sha256:
        raise MachineError(f"{archive} is not the release: remove it, and it will be downloaded again")
    source = directory / library.directory
    if not source.exists():
        with tempfile.TemporaryDirectory(dir=directory) as made:
            extract(archive, Path(made))
            (Path(made) / library.directory).rename(source)
    return source


def _download(library: Library, archive: Path) -> None:
    with tempfile.TemporaryDirectory(dir=archive.parent) as made:
        wanted = Path(made, "wanted.txt")
        wanted.write_text(f"{library.name}=={library.version} --hash=sha256:{library.sha256}\n", "utf-8")
        argv = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--no-binary", ":all:"]
        argv += ["--require-hashes", "--disable-pip-version-check", "-d", made, "-r", str(wanted)]
        done = subprocess.run(argv, capture_output=True, text=True, timeout=FETCH_TIMEOUT_S, check=False)
        if done.returncode or not (Path(made) / library.archive).exists():
            raise MachineError(f"{library.archive} cannot be downloaded: {done.stderr.strip()[-300:]}")
        (Path(made) / library.archive).replace(archive)

"""Where a project comes from: a source distribution by its digest, or a commit of a repository.

Nothing of it is run. uv resolves a release to an address without building anything, as long as the release
has a wheel or says its metadata in the archive. Links that lead out of an archive are refused.
"""

import fcntl
import shutil
import tempfile
import tomllib
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from benchmarks.datasets.packed import extract
from benchmarks.runs.pins import digest
from benchmarks.runs.tools import git, uv
from bot.config import sources
from bot.errors import MachineError

DOWNLOAD_TIMEOUT_S = 120
# Whichever Python the project is run with: this one every release in the catalogue admits.
RESOLVED_FOR = "3.13"


@dataclass(frozen=True, slots=True, kw_only=True)
class Release:
    """A source distribution of the package index, whose archive is kept below ``cache``."""

    name: str
    version: str
    sha256: str
    cache: Path

    @property
    def directory_name(self) -> str:
        """What a user's own directory of it would be called."""
        return f"{self.name}-{self.version}"

    def lay_out(self, directory: Path) -> Path:
        """Write the project to ``directory``, which is not there yet; returns it.

        Raises:
            MachineError: it cannot be had.
        """
        archive = self._archive()
        with tempfile.TemporaryDirectory(dir=_made(directory.parent)) as made:
            extract(archive, Path(made))
            inside = list(Path(made).iterdir())
            top = inside[0] if len(inside) == 1 and inside[0].is_dir() else Path(made)
            shutil.move(top, directory)
        return directory

    def _archive(self) -> Path:
        kept = _made(self.cache / "releases") / f"{self.name}-{self.version}.archive"
        with _locked(kept.with_suffix(".lock")):
            if not kept.exists():
                _download(_address(self.name, self.version), kept)
        if digest(kept) != self.sha256:
            raise MachineError(f"{kept} is not the release {self.name} {self.version}: remove it")
        return kept


@dataclass(frozen=True, slots=True, kw_only=True)
class Commit:
    """A checkout of ``commit``, with its history, out of a clone below ``clones``, else one in ``cache``.

    Its objects stay in that clone, which must outlive the checkout.
    """

    repository: str
    commit: str
    cache: Path
    clones: Path | None = None

    @property
    def directory_name(self) -> str:
        """What a user's own directory of it would be called."""
        return self.repository.rpartition("/")[2]

    def lay_out(self, directory: Path) -> Path:
        """See ``Release``."""
        clone = self._clone()
        _made(directory.parent)
        git("clone", "--quiet", "--shared", "--no-checkout", "--template=", clone, directory)
        git("-C", directory, "checkout", "--quiet", "--detach", self.commit)
        return directory

    def _clone(self) -> Path:
        joined = self.repository.replace("/", "+")
        if self.clones:
            for place in (self.clones / joined / "repo", self.clones / joined, self.clones / self.repository):
                if (place / "HEAD").exists() or (place / ".git").exists():
                    return place.absolute()
        kept = _made(self.cache / "clones") / joined
        with _locked(kept.with_name(f"{joined}.lock")):
            if not kept.exists():
                with tempfile.TemporaryDirectory(dir=kept.parent) as made:
                    fresh = Path(made, "clone")
                    git("clone", "--quiet", "--bare", f"https://github.com/{self.repository}", fresh)
                    fresh.rename(kept)
        return kept


Source = Release | Commit


def cache_directory() -> Path:
    """Where archives and clones are kept."""
    return sources.load({}).cache_directory / "benchmarks" / "libraries"


def _made(directory: Path) -> Path:
    directory.mkdir(parents=True, exist_ok=True)
    return directory


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    with path.open("ab") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        yield


def _address(name: str, version: str) -> str:
    """Where the source distribution can be downloaded, as uv finds it."""
    with tempfile.TemporaryDirectory() as directory:
        wanted, lock = Path(directory, "wanted.txt"), Path(directory, "pylock.toml")
        wanted.write_text(f"{name}=={version}\n", "utf-8")
        arguments = ["--quiet", "--no-deps", "--python-version", RESOLVED_FOR, "--format", "pylock.toml"]
        uv("pip", "compile", *arguments, str(wanted), "-o", str(lock))
        try:
            (package,) = tomllib.loads(lock.read_text("utf-8"))["packages"]
            address = package["sdist"]["url"]
        except (KeyError, ValueError, TypeError) as error:
            raise MachineError(f"{name} {version} has no source distribution in the package index") from error
    if not isinstance(address, str) or not address.startswith("https://"):
        raise MachineError(f"{name} {version} can only be fetched from an address of https")
    return address


def _download(address: str, target: Path) -> None:
    draft = target.with_suffix(".draft")
    try:
        request = urllib.request.Request(address)  # noqa: S310 - it is https
        with (
            urllib.request.urlopen(request, timeout=DOWNLOAD_TIMEOUT_S) as response,  # noqa: S310
            draft.open("wb") as sink,
        ):
            shutil.copyfileobj(response, sink)
    except (urllib.error.URLError, OSError) as error:
        raise MachineError(f"{target.stem} cannot be downloaded: {error}") from error
    draft.replace(target)

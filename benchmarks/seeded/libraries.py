"""Releases of real libraries with test suites of over 300 tests, by the digests of their archives."""

from dataclasses import dataclass
from pathlib import Path

from benchmarks.libraries.sources import Release


@dataclass(frozen=True, slots=True, kw_only=True)
class Library:
    """A release; ``modules`` are glob patterns of what is mutated, its own tests apart."""

    name: str
    version: str
    sha256: str
    modules: tuple[str, ...]


LIBRARIES = {
    library.name: library
    for library in (
        Library(
            name="boltons",
            version="26.2.0",
            sha256="d39cfd15c1a1c3bd4d705c82252fa9edb8e4f5e8cc039f8e39afac7b1b47e92c",
            modules=("boltons/*.py",),
        ),
        Library(
            name="jinja2",
            version="3.1.6",
            sha256="0137fb05990d35f1275a587e9aee6d56da821fc83491a0fb838183be43f66d6d",
            modules=("src/jinja2/*.py",),
        ),
        Library(
            name="humanize",
            version="4.17.0",
            sha256="1d6a36c453dbfbb3f0b34601d2e0b4ce5d48d780305cd45714843f0068fde6ac",
            modules=("src/humanize/*.py",),
        ),
        Library(
            name="pyflakes",
            version="4.1.0",
            sha256="592beb57058eb82eb190fb7514f2081c555c51000b029ff71286a681e6cf2f83",
            modules=("pyflakes/*.py",),
        ),
    )
}


def fetched(library: Library, *, cache: Path) -> Path:
    """The library's source tree below ``cache``, downloaded the first time.

    Raises:
        MachineError: it is not there and cannot be downloaded, or is not what it should be.
    """
    release = Release(name=library.name, version=library.version, sha256=library.sha256, cache=cache)
    source = cache / "sources" / release.directory_name
    return source if source.exists() else release.lay_out(source)

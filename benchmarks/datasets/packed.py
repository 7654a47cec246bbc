"""Collections of broken programs as archives: the tree of this repository shows its own code only.

``data/SHA256SUMS`` pins the archives; ``data/README.md`` says how to change one.
"""

import lzma
import tarfile
import tempfile
import zipfile
from contextlib import suppress
from pathlib import Path

from benchmarks.runs.pins import digest
from bot.errors import ConfigurationError, MachineError

DATA = Path(__file__).resolve().parent.parent / "data"
SUMS = DATA / "SHA256SUMS"


def extract(archive: Path, directory: Path) -> None:
    """Write the files of ``archive``, a tar or zip archive, below ``directory``; none lands outside of it.

    Raises:
        MachineError: it cannot be read, or a member leads out of the directory.
    """
    try:
        if zipfile.is_zipfile(archive):
            with zipfile.ZipFile(archive) as packed:
                packed.extractall(directory)  # noqa: S202 - zipfile keeps within the directory
        else:
            with tarfile.open(archive) as tar:
                tar.extraction_filter = getattr(tarfile, "data_filter", None)  # Python has it since 3.11.4
                tar.extractall(directory)  # noqa: S202 - its digest is known, or the caller named it
    except (tarfile.TarError, zipfile.BadZipFile, lzma.LZMAError, OSError) as error:
        raise MachineError(f"{archive} cannot be unpacked: {error}") from error


def unpacked(place: Path, cache: Path) -> Path:
    """The directory of the collection at ``place``; an archive is unpacked below ``cache``, once.

    Raises:
        ConfigurationError: it is one of our archives, and not the one that SHA256SUMS names.
        MachineError: it cannot be unpacked.
    """
    if place.is_dir():
        return place
    found = digest(place)
    if place.parent == DATA and found != _pinned(place.name):
        raise ConfigurationError(f"{place} is not the archive that {SUMS} names: check it out anew")
    kept = cache / "benchmarks" / f"{place.name.partition('.')[0]}-{found[:16]}"
    if not kept.exists():
        kept.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=kept.parent) as made:
            extract(place, Path(made, "files"))
            with suppress(OSError):  # another process was quicker
                Path(made, "files").rename(kept)
    return kept


def _pinned(name: str) -> str:
    pairs = (line.split() for line in SUMS.read_text("utf-8").splitlines())
    return next((found for found, one in pairs if one == name), "")

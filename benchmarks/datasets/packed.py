"""Collections of broken programs as archives: the tree of this repository shows its own code only.

``data/SHA256SUMS`` pins the archives. ``python -m benchmarks unpack`` and ``pack`` are the way to change one.
"""

import io
import lzma
import os
import shutil
import tarfile
import tempfile
import zipfile
from pathlib import Path

from benchmarks.runs.pins import digest
from bot.errors import ConfigurationError, MachineError

DATA = Path(__file__).resolve().parent.parent / "data"
SUMS = DATA / "SHA256SUMS"


def pack(directory: Path, archive: Path) -> str:
    """Write the files below ``directory`` to ``archive`` (tar.xz); returns its SHA-256, in hexadecimal.

    Equal files give equal bytes: times, owners and permissions are left out, and the order is that of the
    paths. Bytecode and links are left out.

    Raises:
        OSError: a file cannot be read, or the archive not be written.
    """
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w", format=tarfile.USTAR_FORMAT) as tar:
        for path in sorted(directory.rglob("*")):
            if path.is_file() and not path.is_symlink() and path.suffix != ".pyc":
                data = path.read_bytes()
                entry = tarfile.TarInfo(path.relative_to(directory).as_posix())
                entry.size = len(data)
                tar.addfile(entry, io.BytesIO(data))
    draft = archive.with_suffix(".draft")
    draft.write_bytes(lzma.compress(packed.getvalue(), preset=9))
    draft.replace(archive)
    return digest(archive)


def unpack(archive: Path, directory: Path) -> None:
    """Write the files of ``archive`` to ``directory``, which is not there yet.

    Raises:
        MachineError: the archive cannot be read, or the directory not be written.
    """
    directory.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=directory.parent) as made:
        extract(archive, Path(made))
        try:
            shutil.copytree(made, directory)
        except OSError as error:
            raise MachineError(f"{directory} cannot be written: {error}") from error


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
        draft = kept.with_name(f"{kept.name}.{os.getpid()}")
        unpack(place, draft)
        try:
            draft.rename(kept)
        except OSError:  # another process was quicker
            shutil.rmtree(draft, ignore_errors=True)
    return kept


def _pinned(name: str) -> str:
    pairs = (line.split() for line in SUMS.read_text("utf-8").splitlines())
    return next((found for found, one in pairs if one == name), "")

"""Reads what a build left behind: files to lay over the workspace, and where its packages lie.

Untrusted build scripts may have written it. It is read in memory, never extracted here, and reaches
nothing but sandboxes.
"""

import io
import json
import tarfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from sandbox.base import MIB
from sandbox.errors import ArchiveRefused
from sandbox.formats import normalised, table, texts
from sandbox.snapshot import ENTRY_LIMIT, Entry, PlainHeader, Snapshot, can_be_made

LIMIT_BYTES = 200 * MIB
MAX_LEFT_OUT = 200
SHOWN = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Built:
    """``entries`` are files by their place in the project; ``import_roots`` its directories with packages."""

    entries: tuple[Entry, ...] = ()
    import_roots: tuple[str, ...] = ()

    def over(self, snapshot: Snapshot) -> Snapshot:
        """``snapshot`` with the built files added; what the project holds itself stays as it is."""
        if not self.entries:
            return snapshot
        present = {entry.path for entry in snapshot.entries}
        taken = present | {above for path in present for above in _above(path)}
        links = {entry.path for entry in snapshot.entries if entry.link is not None}
        free = (entry for entry in self.entries if entry.path not in taken)
        added = [entry for entry in free if links.isdisjoint(_above(entry.path))]
        return Snapshot(entries=tuple(sorted([*snapshot.entries, *added], key=lambda entry: entry.path)))


@dataclass(frozen=True, slots=True, kw_only=True)
class InstallReport:
    """What a build says that it installed, by name, and what it left out. Nothing of it is to be trusted.

    ``left_out`` has a line for each place that asked for something.
    """

    left_out: tuple[str, ...] = ()
    installed: Mapping[str, str] = field(default_factory=dict)


def read_report(data: bytes) -> InstallReport:
    """What ``install.py`` wrote; empty where there is nothing.

    Raises:
        ArchiveRefused: it is no such report.
    """
    if not data:
        return InstallReport()
    parts: dict[str, list[tuple[str, str]]] = {}
    try:
        report = json.loads(data)
        for one in report["left_out"][:MAX_LEFT_OUT]:
            parts.setdefault(str(one["part"]), []).append((str(one["requirement"]), str(one["reason"])))
        versions = {normalised(str(name)): str(version) for name, version in report["installed"].items()}
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise ArchiveRefused(f"what the build left cannot be read: {error}") from error
    return InstallReport(left_out=tuple(map(_left_out, parts, parts.values())), installed=versions)


def _left_out(part: str, found: Sequence[tuple[str, str]]) -> str:
    more = f" and {len(found) - SHOWN} more" if len(found) > SHOWN else ""
    names = ", ".join(requirement for requirement, _ in found[:SHOWN])
    return f"left out of {part}: {names}{more} ({found[0][1]})"


def read_built(archive: bytes, report: bytes) -> Built:
    """What the build wrote, as far as it is plain files inside the project.

    Raises:
        ArchiveRefused: it is no such archive, or holds too much.
    """
    entries: list[Entry] = []
    try:
        with tarfile.open(fileobj=io.BytesIO(archive), mode="r:", tarinfo=PlainHeader) as tar:
            for info in tar:
                # A sparse one may claim any size.
                if not info.isreg() or info.issparse() or not _inside(info.name):
                    raise ArchiveRefused(f"the build left what is no file of the project: {info.name!r}")
                source = tar.extractfile(info)
                data = source.read() if source else b""
                if len(entries) >= ENTRY_LIMIT:
                    raise ArchiveRefused(
                        f"the build left more than {ENTRY_LIMIT:,} files beside the project's"
                    )
                entries.append(Entry(path=info.name, data=data, executable=bool(info.mode & 0o100)))
            _expect_one_place(entries)
        said = json.loads(report)
    except (tarfile.TarError, ValueError, OSError, RecursionError) as error:
        raise ArchiveRefused(f"what the build left cannot be read: {error}") from error
    roots = texts(table(said).get("import_roots"))
    kept = tuple(root for root in roots if not root or _inside(root))
    return Built(entries=tuple(entries), import_roots=kept)


def _expect_one_place(entries: Sequence[Entry]) -> None:
    places = {entry.path for entry in entries}
    below = next((entry.path for entry in entries if not places.isdisjoint(_above(entry.path))), "")
    if below or len(places) < len(entries):
        raise ArchiveRefused("the build left two files at one place" + (f": {below!r}" if below else ""))


def _above(path: str) -> Iterator[str]:
    """The directories that ``path`` lies in."""
    return (path[:at] for at, letter in enumerate(path) if letter == "/")


def _inside(path: str) -> bool:
    parts = path.split("/")
    plain = all(part not in {"", ".", ".."} for part in parts)
    return plain and can_be_made(path) and ":" not in path

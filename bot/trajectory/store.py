"""Where trajectories lie, and which of them is meant: names by time, the newest kept."""

from __future__ import annotations

from contextlib import suppress
from datetime import datetime
from pathlib import Path

from bot.errors import ConfigurationError

KEPT = 50
SUFFIX = ".jsonl"


def path_of(folder: Path, run: str, now: datetime, *, resume: bool) -> Path:
    """The file for ``run``: a new one, or with ``resume`` the one that it had."""
    if resume and (known := [path for path in files(folder) if path.stem.endswith(f"-{run[:8]}")]):
        return known[0]
    return folder / f"{now:%Y%m%d-%H%M%S}-{run[:8]}{SUFFIX}"


def files(folder: Path) -> list[Path]:
    """The trajectories in ``folder``, the newest first."""
    if not folder.is_dir():
        return []
    return sorted(folder.glob(f"*{SUFFIX}"), key=lambda path: path.name, reverse=True)


def prune(folder: Path, *, keep: int = KEPT) -> None:
    """Delete all but the newest ``keep``."""
    for path in files(folder)[keep:]:
        with suppress(OSError):
            path.unlink()


def find(folder: Path, run: str) -> Path:
    """The file that ``run`` names: a path, or a name in ``folder``, its beginning or end; the last if empty.

    Raises:
        ConfigurationError: there is none, or more than one.
    """
    known = files(folder)
    if not run:
        if not known:
            raise ConfigurationError(f"no run is kept in {folder}: 'regreen fix' keeps one each time it runs")
        return known[0]
    if Path(run).is_file():
        return Path(run)
    found = [path for path in known if path.stem == run] or [
        path for path in known if path.stem.startswith(run) or path.stem.endswith(run)
    ]
    if len(found) == 1:
        return found[0]
    if found:
        raise ConfigurationError(f"{run!r} names {len(found)} runs: 'regreen show --list' lists them")
    raise ConfigurationError(f"no run and no file is called {run!r}: 'regreen show --list' lists the runs")

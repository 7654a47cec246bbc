"""Where trajectories lie, and which of them is meant: names by time, the newest kept."""

from contextlib import suppress
from datetime import datetime
from pathlib import Path

from bot.errors import ConfigurationError

KEPT = 50
SUFFIX = ".jsonl"


def path_of(directory: Path, run: str, now: datetime, *, resume: bool) -> Path:
    """The file for ``run``: a new one, or with ``resume`` the one that it had."""
    if resume and (known := [path for path in files(directory) if path.stem.endswith(f"-{run[:8]}")]):
        return known[0]
    return directory / f"{now:%Y%m%d-%H%M%S}-{run[:8]}{SUFFIX}"


def files(directory: Path) -> list[Path]:
    """The trajectories in ``directory``, the newest first."""
    if not directory.is_dir():
        return []
    return sorted(directory.glob(f"*{SUFFIX}"), key=lambda path: path.name, reverse=True)


def prune(directory: Path, *, keep: int = KEPT) -> None:
    """Delete all but the newest ``keep``."""
    for path in files(directory)[keep:]:
        with suppress(OSError):
            path.unlink()


def find(directory: Path, run: str) -> Path:
    """The file that ``run`` names: a path, or the start or end of a name in ``directory``; else the last.

    Raises:
        ConfigurationError: there is none, or more than one.
    """
    known = files(directory)
    if not run:
        if not known:
            raise ConfigurationError(
                f"no run is kept in {directory}: 'regreen fix' keeps one each time it runs"
            )
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

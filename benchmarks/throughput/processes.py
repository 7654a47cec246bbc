"""What the processor did for this process and all below it, those in sandboxes too."""

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

_TICKS = os.sysconf("SC_CLK_TCK")


def tree_cpu_s() -> float:
    """The seconds of this process, of those below it, and of those that ended there."""
    times: dict[int, tuple[int, float]] = dict(_processes())
    wanted, found = {os.getpid()}, set[int]()
    while wanted:
        found |= wanted
        wanted = {pid for pid, (parent, _seconds) in times.items() if parent in wanted} - found
    return sum(times[pid][1] for pid in found if pid in times)


def _processes() -> Iterator[tuple[int, tuple[int, float]]]:
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with suppress(OSError):
                yield int(entry.name), parsed((entry / "stat").read_text("utf-8", "replace"))


def parsed(stat: str) -> tuple[int, float]:
    """The parent, and the seconds of a process with those of its children that it waited for; see proc(5)."""
    fields = stat.rpartition(")")[2].split()
    return int(fields[1]), sum(map(int, fields[11:15])) / _TICKS

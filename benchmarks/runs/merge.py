"""The parts of a run that was divided (``--shard``), put together to what one run would have written."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from benchmarks.runs import runfile
from benchmarks.runs.runfile import UNPINNED, Row
from benchmarks.runs.selection import Shard
from benchmarks.runs.tasks import Key
from bot.errors import ConfigurationError

SHARD = "shard"


def merge_runs(paths: Sequence[Path], output: Path) -> int:
    """Write the run whose parts are at ``paths`` to ``output``; the number of its rows.

    Trial by trial as the parts dealt them out, where none is missing.

    Raises:
        OSError: a file cannot be read or written.
        ConfigurationError: they are not the parts of one run, or a part or a row is missing or twice there.
    """
    parts = {path: runfile.header(path) for path in paths}
    shards = _shards(parts)
    rows: dict[Path, list[Row]] = {path: list(runfile.rows(path)) for path in shards}
    total = _total(next(iter(parts.values())))
    _complete(shards, rows, total)
    order = [
        rows[path][turn]
        for turn in range(max(map(len, rows.values()), default=0))
        for path in shards
        if turn < len(rows[path])
    ]
    head = {name: value for name, value in next(iter(parts.values())).items() if name != SHARD}
    machines = [part["machine"] for part in parts.values()]
    if any(machine != machines[0] for machine in machines):
        head["machines"] = machines
    with runfile.write(output, head, resume=False) as run:
        for row in order:
            run.add(row)
    return len(order)


def _shards(parts: Mapping[Path, Row]) -> Sequence[Path]:
    """The paths in the order of their parts."""
    first_path, first = next(iter(parts.items()))
    found: dict[int, Path] = {}
    for path, head in parts.items():
        if SHARD not in head:
            raise ConfigurationError(f"{path} is a whole run, no part of one")
        differing = sorted(
            name
            for name in {*first, *head} - UNPINNED - {SHARD}
            if json.dumps(first.get(name), sort_keys=True) != json.dumps(head.get(name), sort_keys=True)
        )
        shard, of = Shard.parse(head[SHARD]), Shard.parse(first[SHARD])
        if differing or shard.count != of.count:
            what = ", ".join(differing) or f"{of.count} parts and {shard.count}"
            raise ConfigurationError(f"{first_path} and {path} are not parts of one run: {what}")
        if shard.number in found:
            raise ConfigurationError(f"{found[shard.number]} and {path} are the same part, {shard}")
        found[shard.number] = path
    missing = [str(number) for number in range(1, shard.count + 1) if number not in found]
    if missing:
        raise ConfigurationError(f"of {shard.count} parts there is no {', '.join(missing)}")
    return [found[number] for number in sorted(found)]


def _total(head: Row) -> int:
    configuration = head["configuration"]
    return int(configuration["tasks"]) * int(configuration.get("samples", 1))


def _complete(shards: Sequence[Path], rows: Mapping[Path, Sequence[Row]], total: int) -> None:
    seen: set[Key] = set()
    for number, path in enumerate(shards):
        expected = len(range(number, total, len(shards)))
        if len(rows[path]) < expected:
            raise ConfigurationError(
                f"{path} has {len(rows[path])} of its {expected} rows: go on with it by --resume first"
            )
        for row in rows[path]:
            if Key.of(row) in seen:
                raise ConfigurationError(f"{path}: {row['task']} is there twice")
            seen.add(Key.of(row))

"""Remembers what servers can do, in a small file of the cache directory, so that each is asked once a week.

The file is a convenience: one that is missing, broken or cannot be written changes nothing but the number
of questions. What was learnt grows old, so that a server that has learnt something is asked again.
"""

import json
import os
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path

from bot.backends.abilities import Abilities

LIFETIME_S = 7 * 86_400.0
ENTRIES = 200
SIZE_LIMIT_BYTES = 1 << 20


@dataclass(frozen=True, slots=True, kw_only=True)
class _Entry:
    learnt_at: float
    abilities: Abilities


class AbilityMemory:
    """Abilities by endpoint and model; ``path`` is None to remember within this process only.

    ``now`` gives seconds since the epoch, since other processes read what is written.
    """

    def __init__(self, path: Path | None = None, *, now: Callable[[], float] = time.time) -> None:
        self._path = path
        self._now = now
        self._known: dict[str, _Entry] | None = None

    def recall(self, key: str) -> Abilities:
        """What is known of ``key``; the hopeful defaults where that is nothing, or too old."""
        if self._known is None:
            self._known = self._read()
        entry = self._known.get(key)
        return entry.abilities if entry and self._fresh(entry) else Abilities()

    def learn(self, key: str, abilities: Abilities) -> None:
        """Keep ``abilities`` of ``key`` from now on; nothing is written where that is known already."""
        if self._known is None:
            self._known = self._read()
        entry = self._known.get(key)
        if entry and self._fresh(entry) and entry.abilities == abilities:
            return
        # What other processes have learnt meanwhile stays.
        self._known = {**self._read(), **self._known}
        self._known[key] = _Entry(learnt_at=self._now(), abilities=abilities)
        self._write()

    def forget(self, key: str) -> None:
        """Believe in the defaults again, until something else is learnt."""
        self.learn(key, Abilities())

    def _fresh(self, entry: _Entry) -> bool:
        return 0 <= self._now() - entry.learnt_at < LIFETIME_S

    def _read(self) -> dict[str, _Entry]:
        from pydantic import TypeAdapter, ValidationError

        if self._path is None:
            return dict(self._known or {})
        try:
            with self._path.open("rb") as stream:
                raw = json.loads(stream.read(SIZE_LIMIT_BYTES))
        except (OSError, ValueError, RecursionError):
            return {}
        entries, adapter = {}, TypeAdapter(_Entry)
        for key, value in raw.items() if isinstance(raw, dict) else ():
            with suppress(ValidationError):
                entries[key] = adapter.validate_python(value)
        return {key: entry for key, entry in entries.items() if self._fresh(entry)}

    def _write(self) -> None:
        if self._path is None or self._known is None:
            return
        newest = sorted(self._known.items(), key=lambda item: -item[1].learnt_at)[:ENTRIES]
        text = json.dumps({key: asdict(entry) for key, entry in newest}, indent=1)
        with suppress(OSError):
            self._path.parent.mkdir(parents=True, exist_ok=True)
            descriptor, name = tempfile.mkstemp(dir=self._path.parent, prefix=f".{self._path.name}")
            try:
                with os.fdopen(descriptor, "w", encoding="utf-8") as stream:
                    stream.write(text)
                Path(name).replace(self._path)
            except OSError:
                Path(name).unlink(missing_ok=True)
                raise

"""Checkpoints that give back exactly what was saved, and build no type but the loop's own.

The library's serialiser turns tuples into lists and replaces lone surrogates, which stand for a source
file's undecodable bytes. This one writes tagged JSON: lossless for the state, and closed to every type
that is not on its list.
"""

from __future__ import annotations

import dataclasses
import enum
import json
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bot import domain
from bot.agent.state import RepairState
from sandbox import reports

if TYPE_CHECKING:
    from langgraph.checkpoint.sqlite import SqliteSaver

STALE_AFTER_S = 7 * 24 * 3600


def _known_types() -> dict[str, Any]:
    modules = (domain, reports)
    found = [value for module in modules for value in vars(module).values() if isinstance(value, type)]
    wanted = [t for t in found if dataclasses.is_dataclass(t) or issubclass(t, enum.Enum)]
    return {t.__name__: t for t in [*wanted, RepairState]}


_TYPES = _known_types()


class StateSerializer:
    """LangGraph's ``SerializerProtocol`` over tagged JSON."""

    def dumps_typed(self, value: object) -> tuple[str, bytes]:
        """The tag of this format, and ``value`` in it."""
        return "regreen-json", json.dumps(_encode(value)).encode("ascii")

    def loads_typed(self, data: tuple[str, bytes]) -> Any:  # noqa: ANN401 - the library's protocol
        """What ``dumps_typed`` was given.

        Raises:
            ValueError: another format, or a type that is not on the list.
        """
        if data[0] != "regreen-json":
            raise ValueError(f"a checkpoint in another format: {data[0]}")
        return _decode(json.loads(data[1]))


def _encode(value: object) -> object:
    if isinstance(value, enum.Enum):
        return {"!": "enum", "type": type(value).__name__, "value": value.value}
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        fields = {f.name: _encode(getattr(value, f.name)) for f in dataclasses.fields(value) if f.init}
        return {"!": "data", "type": type(value).__name__, "value": fields}
    if isinstance(value, dict):
        return {"!": "dict", "value": [[_encode(k), _encode(v)] for k, v in value.items()]}
    if isinstance(value, list):
        return [_encode(item) for item in value]
    if isinstance(value, tuple | set | frozenset):
        return {"!": type(value).__name__, "value": [_encode(item) for item in value]}
    if isinstance(value, BaseException):
        return repr(value)  # the error channel is for people
    raise TypeError(f"no checkpoint holds a {type(value).__name__}")


def _decode(value: Any) -> Any:  # noqa: ANN401 - any JSON
    if isinstance(value, list):
        return [_decode(item) for item in value]
    if not isinstance(value, dict):
        return value
    tag, content = value["!"], value["value"]
    if tag == "dict":
        return {_decode(key): _decode(item) for key, item in content}
    if tag in {"tuple", "set", "frozenset"}:
        return {"tuple": tuple, "set": set, "frozenset": frozenset}[tag](_decode(item) for item in content)
    if value["type"] not in _TYPES:
        raise ValueError(f"a checkpoint may not hold a {value['type']}")
    if tag == "enum":
        return _TYPES[value["type"]](content)
    return _TYPES[value["type"]](**{name: _decode(item) for name, item in content.items()})


class RunStore:
    """The checkpoints of unfinished runs, one SQLite file each, in ``folder``."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def exists(self, run: str) -> bool:
        """Whether ``run`` left a checkpoint."""
        return self._file(run).is_file()

    @contextmanager
    def open(self, run: str) -> Iterator[SqliteSaver]:
        """The checkpointer of ``run``."""
        from langgraph.checkpoint.sqlite import SqliteSaver

        self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        connection = sqlite3.connect(self._file(run), check_same_thread=False)
        try:
            yield SqliteSaver(connection, serde=StateSerializer())
        finally:
            connection.close()

    def forget(self, run: str) -> None:
        """Delete what ``run`` left."""
        for suffix in ("", "-wal", "-shm"):
            with suppress(FileNotFoundError):
                Path(f"{self._file(run)}{suffix}").unlink()

    def forget_stale(self) -> None:
        """Delete the checkpoints that nobody has resumed for a week."""
        if not self._folder.is_dir():
            return
        oldest = time.time() - STALE_AFTER_S
        for file in self._folder.glob("*.sqlite*"):
            with suppress(FileNotFoundError):
                if file.stat().st_mtime < oldest:
                    file.unlink()

    def _file(self, run: str) -> Path:
        return self._folder / f"{run}.sqlite"

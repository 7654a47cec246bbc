"""Checkpoints that give back exactly what was saved, and build no type but the loop's own.

The library's serialiser turns tuples into lists and replaces lone surrogates, which stand for a source
file's undecodable bytes. This one writes tagged JSON: lossless for the state, and closed to every type
that is not on its list.
"""

from __future__ import annotations

import dataclasses
import enum
import fcntl
import json
import secrets
import sqlite3
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from bot import domain, result
from bot.agent.state import RepairState
from bot.ending import disk_failure
from bot.errors import ConfigurationError, MachineError
from sandbox import reports

if TYPE_CHECKING:
    from langgraph.checkpoint.sqlite import SqliteSaver

# Tuples of so many items are encoded once; so many of them are kept.
LONG, KEPT = 64, 16
STALE_AFTER_S = 7 * 24 * 3600
_DELETE_OLDER = tuple(
    f"DELETE FROM {table} WHERE thread_id = ? AND checkpoint_ns LIKE ? AND checkpoint_id < ?"  # noqa: S608
    for table in ("checkpoints", "writes")
)


def _known_types() -> dict[str, Any]:
    modules = (domain, result, reports)
    found = [value for module in modules for value in vars(module).values() if isinstance(value, type)]
    wanted = [t for t in found if dataclasses.is_dataclass(t) or issubclass(t, enum.Enum)]
    return {t.__name__: t for t in [*wanted, RepairState]}


_TYPES = _known_types()


class StateSerializer:
    """LangGraph's ``SerializerProtocol`` over tagged JSON."""

    def __init__(self) -> None:
        # Each step saves the verdicts of the whole suite again, which are the same tuples each time. Their
        # JSON is kept, and stands in the place of a name that nothing in a project has.
        self._kept: OrderedDict[int, _Kept] = OrderedDict()
        self._nonce = secrets.token_hex(8)
        self._lock = Lock()

    def dumps_typed(self, value: object) -> tuple[str, bytes]:
        """The tag of this format, and ``value`` in it."""
        with self._lock:
            used: dict[str, str] = {}
            text = json.dumps(_encode(value, lambda long: self._named(long, used)))
        for name, own in used.items():
            text = text.replace(f'"{name}"', own)
        return "regreen-json", text.encode("ascii")

    def _named(self, long: tuple[object, ...], used: dict[str, str]) -> str:
        """The name of a long tuple, whose JSON is added to what is ``used``."""
        kept = self._kept.get(id(long))
        if kept is None:
            encoded = [_encode(item, lambda inner: self._named(inner, used)) for item in long]
            text = json.dumps({"!": "tuple", "value": encoded})
            for name, own in used.items():
                text = text.replace(f'"{name}"', own)
            kept = self._kept[id(long)] = _Kept(long, f"{self._nonce}-{id(long)}", text)
        self._kept.move_to_end(id(long))
        if len(self._kept) > KEPT:
            self._kept.popitem(last=False)
        used[kept.name] = kept.text
        return kept.name

    def loads_typed(self, data: tuple[str, bytes]) -> Any:  # noqa: ANN401 - the library's protocol
        """What ``dumps_typed`` was given.

        Raises:
            ValueError: another format, or a type that is not on the list.
        """
        if data[0] != "regreen-json":
            raise ValueError(f"a checkpoint in another format: {data[0]}")
        try:
            return _decode(json.loads(data[1]))
        except (KeyError, TypeError, ValueError) as error:
            raise ValueError(f"a checkpoint may not hold this: {error}") from error


class _Kept(NamedTuple):
    """A long tuple, which is kept alive so that its ``id`` stays its own."""

    value: tuple[object, ...]
    name: str
    text: str


_Named: TypeAlias = Callable[[tuple[object, ...]], str]


def _encode(value: object, named: _Named) -> object:
    """``value`` in tagged JSON; ``named`` gives what stands for a long tuple."""
    name = type(value).__name__
    if isinstance(value, enum.Enum) and _TYPES.get(name) is type(value):
        return {"!": "enum", "type": name, "value": value.value}
    if value is None or type(value) in {bool, int, float, str}:  # a subclass would come back as its base
        return value
    if dataclasses.is_dataclass(value) and _TYPES.get(name) is type(value):
        fields = {f.name: _encode(getattr(value, f.name), named) for f in dataclasses.fields(value) if f.init}
        return {"!": "data", "type": name, "value": fields}
    if isinstance(value, dict):
        return {"!": "dict", "value": [[_encode(k, named), _encode(v, named)] for k, v in value.items()]}
    if isinstance(value, list):
        return [_encode(item, named) for item in value]
    if isinstance(value, tuple | set | frozenset):
        if isinstance(value, tuple) and len(value) >= LONG:
            return named(value)
        tag = next(kind.__name__ for kind in (tuple, set, frozenset) if isinstance(value, kind))
        return {"!": tag, "value": [_encode(item, named) for item in value]}
    if isinstance(value, BaseException):
        return repr(value)  # the error channel is for people
    raise TypeError(f"no checkpoint holds a {name}")


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
    kind: Any = _TYPES[value["type"]]
    if tag == "enum" and issubclass(kind, enum.Enum):
        return kind(content)
    if tag == "data" and not issubclass(kind, enum.Enum):
        return kind(**{name: _decode(item) for name, item in content.items()})
    raise ValueError(f"{tag} {value['type']}")


def _latest_only(base: type[SqliteSaver]) -> type[SqliteSaver]:
    """The library's checkpointer, without the history: a run goes on from its last checkpoint only.

    The library writes beside the loop, and would say at the end of all that the disk was full.
    """

    class LatestOnly(base):  # type: ignore[misc, valid-type]
        failure: sqlite3.Error | None = None

        def get_next_version(self, current: Any, channel: None) -> Any:  # noqa: ANN401 - each step asks for it
            if self.failure is not None:
                raise self.failure
            return super().get_next_version(current, channel)

        def put(self, *arguments: Any, **named: Any) -> Any:  # noqa: ANN401 - the library's
            try:
                return self._put(*arguments, **named)
            except sqlite3.Error as error:
                self.failure = error
                raise

        def _put(self, config: Any, *arguments: Any, **named: Any) -> Any:  # noqa: ANN401
            saved = super().put(config, *arguments, **named)
            place = saved["configurable"]
            # Ids grow with time. A checkpoint of the loop outdates those of the steps inside it as well.
            within = (place["checkpoint_ns"] or "") + "%"
            key = (place["thread_id"], within, place["checkpoint_id"])
            with self.cursor() as cursor:
                for delete in _DELETE_OLDER:
                    cursor.execute(delete, key)
            return saved

    return LatestOnly


class RunStore:
    """The checkpoints of unfinished runs, one SQLite file each, in ``directory``."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory

    def exists(self, run: str) -> bool:
        """Whether ``run`` left a checkpoint; a run that ended before its first one left only a file."""
        file = self._file(run)
        if not file.is_file():
            return False
        try:
            with closing(sqlite3.connect(file)) as connection:
                return connection.execute("SELECT 1 FROM checkpoints LIMIT 1").fetchone() is not None
        except sqlite3.Error:
            return False

    def check(self, run: str) -> None:
        """See that all that ``run`` left can be read: what is damaged is found out before the work begins.

        Raises:
            ConfigurationError: it cannot.
            MachineError: nothing can be written to the directory.
            sqlite3.Error: the disk is full, or fails.
        """
        try:
            with self.open(run) as checkpointer:
                found = checkpointer.conn.execute("PRAGMA quick_check").fetchone()
                if found != ("ok",):
                    raise sqlite3.DatabaseError(str(found[0]))
                for _ in checkpointer.list(None):
                    pass
        except (sqlite3.Error, LookupError, TypeError, ValueError, RecursionError) as error:
            if disk_failure(error):
                raise
            raise ConfigurationError(
                f"the checkpoint of the last run is damaged: run again without --resume ({error})"
            ) from error

    @contextmanager
    def claim(self, run: str) -> Iterator[None]:
        """Keep ``run`` to this process: two that repair the same project would undo each other's files.

        Raises:
            ConfigurationError: another process has it.
            MachineError: nothing can be written to the directory, or no file in it be locked.
        """
        with ExitStack() as held:
            with self._writable():
                lock = held.enter_context(Path(f"{self._file(run)}-lock").open("wb"))
                try:
                    fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                except BlockingIOError as error:
                    at_work = "another regreen is at work on this project: wait for it"
                    raise ConfigurationError(at_work) from error
            yield

    @contextmanager
    def _writable(self) -> Iterator[None]:
        """See that the directory is there and closed to others; a file's failure is the machine's."""
        try:
            self._directory.mkdir(parents=True, exist_ok=True)
            self._directory.chmod(0o700)
            yield
        except (OSError, sqlite3.Error) as error:
            raise MachineError(
                f"cannot keep checkpoints in {self._directory}: {error}: "
                "set XDG_STATE_HOME to a directory of yours"
            ) from error

    @contextmanager
    def open(self, run: str) -> Iterator[SqliteSaver]:
        """The checkpointer of ``run``.

        Raises:
            MachineError: nothing can be written to the directory.
        """
        from langgraph.checkpoint.sqlite import SqliteSaver

        with self._writable():
            connection = sqlite3.connect(self._file(run), check_same_thread=False)
            # What is written survives the end of this process; nobody resumes after the machine's.
            connection.execute("PRAGMA synchronous = OFF")
        with closing(connection):
            yield _latest_only(SqliteSaver)(connection, serde=StateSerializer())

    def forget(self, run: str) -> None:
        """Delete what ``run`` left."""
        for suffix in ("", "-wal", "-shm"):
            with suppress(FileNotFoundError):
                Path(f"{self._file(run)}{suffix}").unlink()

    def forget_stale(self) -> None:
        """Delete the checkpoints that nobody has resumed for a week."""
        if not self._directory.is_dir():
            return
        oldest = time.time() - STALE_AFTER_S
        for file in self._directory.glob("*.sqlite*"):
            with suppress(FileNotFoundError):
                if file.stat().st_mtime < oldest:
                    file.unlink()

    def _file(self, run: str) -> Path:
        return self._directory / f"{run}.sqlite"

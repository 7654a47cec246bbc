"""Recording a model's replies, and giving them again without the model: reproducible runs.

A cassette is a file of JSON lines, one a reply, each under the hash of what was asked. It holds prompts and
replies without keys. The same question asked again gets the next reply that was recorded to it, and the last
one from then on.
"""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from bot.errors import ConfigurationError, ContextOverflow, ModelUnavailable, quoted
from bot.ports import ChatBackend, ChatRequest, Completion, InfillRequest
from bot.scrub import Scrubber

VERSION = 1
LINE_LIMIT_BYTES = 32 << 20
DIFFERENCES_SHOWN = 3
_SHOWN = 60
# How each line begins, and so each cassette.
_BEGINNING = b'{"version": 1, '


class _Line(BaseModel):
    model_config = ConfigDict(extra="forbid")

    version: Literal[1]
    hash: str
    model: str
    context_tokens: int = 0
    request: dict[str, Any]
    reply: Completion | None = None
    overflow: str = ""


def request_of(model: str, request: ChatRequest | InfillRequest, scrub: Scrubber) -> dict[str, Any]:
    """A question as a cassette writes it: plain JSON, without secrets."""
    # Through JSON and back, so that what is compared is what is read.
    plain: dict[str, Any] = json.loads(json.dumps(scrub.within({"model": model, **asdict(request)})))
    return plain


def hash_of(request: Mapping[str, Any]) -> str:
    """The name of a question: the same for the same question on any machine."""
    return hashlib.sha256(json.dumps(request, sort_keys=True).encode()).hexdigest()


class RecordingBackend:
    """``ChatBackend`` that asks ``inner``, and appends what it says to the cassette at ``path``."""

    def __init__(self, inner: ChatBackend, path: Path, *, scrub: Scrubber) -> None:
        self._inner, self._path, self._scrub = inner, path, scrub
        self.model = inner.model
        _make_appendable(path)

    @property
    def context_tokens(self) -> int:
        """See ``ChatBackend.context_tokens``."""
        return self._inner.context_tokens

    def complete(self, request: ChatRequest) -> Completion:
        """See ``ChatBackend.complete``. A prompt that does not fit is recorded; a server's failure is not."""
        plain = request_of(self.model, request, self._scrub)
        try:
            reply = self._inner.complete(request)
        except ContextOverflow as error:
            self._write(plain, overflow=self._scrub(str(error)))
            raise
        self._write(plain, reply=self._scrub.within(asdict(reply)))
        return reply

    def infill(self, request: InfillRequest) -> Completion | None:
        """See ``ChatBackend.infill``. What a server cannot be asked is not recorded."""
        reply = self._inner.infill(request)
        if reply is not None:
            self._write(request_of(self.model, request, self._scrub), reply=self._scrub.within(asdict(reply)))
        return reply

    def _write(self, request: Mapping[str, Any], **outcome: object) -> None:
        line = {
            "version": VERSION,
            "hash": hash_of(request),
            "model": self.model,
            "context_tokens": self.context_tokens,
            "request": request,
            **outcome,
        }
        try:
            with self._path.open("a", encoding="ascii") as stream:
                stream.write(f"{json.dumps(line)}\n")
        except OSError as error:
            raise ConfigurationError(f"cannot write the cassette {self._path}: {error.strerror}") from error


class ReplayBackend:
    """``ChatBackend`` that gives what was recorded of ``model``; no server is asked."""

    def __init__(self, cassette: Cassette, model: str, *, scrub: Scrubber) -> None:
        self._cassette, self._scrub = cassette, scrub
        self._given: dict[str, int] = defaultdict(int)
        self.model = model
        self.context_tokens = next((one.context_tokens for one in cassette.lines if one.model == model), 0)

    def complete(self, request: ChatRequest) -> Completion:
        """See ``ChatBackend.complete``. What was never asked is refused, with what differs."""
        line = self._next(request_of(self.model, request, self._scrub))
        if line.reply is None:
            raise ContextOverflow(line.overflow)
        return line.reply

    def infill(self, request: InfillRequest) -> Completion | None:
        """See ``ChatBackend.infill``; None where none was recorded."""
        if not any("before" in line.request for line in self._cassette.lines if line.model == self.model):
            return None
        return self._next(request_of(self.model, request, self._scrub)).reply

    def _next(self, plain: Mapping[str, Any]) -> _Line:
        name = hash_of(plain)
        recorded = [line for line in self._cassette.lines if line.hash == name]
        if not recorded:
            raise ModelUnavailable(
                f"{self._cassette.path} holds no reply to this question: "
                f"{self._cassette.difference(plain)}; record it anew with REGREEN_RECORD"
            )
        line = recorded[min(self._given[name], len(recorded) - 1)]
        self._given[name] += 1
        return line


@dataclass(frozen=True, slots=True, kw_only=True)
class Cassette:
    """What was recorded, in order."""

    path: Path
    lines: tuple[_Line, ...]

    @property
    def models(self) -> tuple[str, ...]:
        """The models, in the order of their first replies."""
        return tuple(dict.fromkeys(line.model for line in self.lines))

    def difference(self, request: Mapping[str, Any]) -> str:
        """How ``request`` differs from the recorded question that is most like it, in a line."""
        found = [_differences(line.request, request) for line in self.lines]
        return "; ".join(min(found, key=len)[:DIFFERENCES_SHOWN]) if found else "it is empty"


def read_cassette(path: Path) -> Cassette:
    """The cassette at ``path``. A last line that was cut off, since its run was killed, is left out.

    Raises:
        ConfigurationError: it cannot be read, or is none.
    """
    lines = []
    try:
        with path.open("rb") as stream:
            for number, raw in enumerate(stream, start=1):
                if not raw.endswith(b"\n"):
                    break
                lines.append(_read(path, number, raw))
    except OSError as error:
        raise ConfigurationError(f"cannot read the cassette {path}: {error.strerror}") from error
    return Cassette(path=path, lines=tuple(lines))


def _read(path: Path, number: int, raw: bytes) -> _Line:
    try:
        line = _Line.model_validate_json(raw[:LINE_LIMIT_BYTES])
    except (ValidationError, ValueError) as error:
        raise ConfigurationError(f"{path}:{number}: not a line of a cassette") from error
    if hash_of(line.request) != line.hash or (line.reply is None) != bool(line.overflow):
        raise ConfigurationError(f"{path}:{number}: was changed by hand: its question has another hash")
    return line


def _make_appendable(path: Path) -> None:
    """See that ``path`` can be written, and end it with a whole line: a killed run may have left a part.

    Raises:
        ConfigurationError: it cannot, or holds something else, of which nothing is touched.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("a+b") as stream:
            size = stream.tell()
            stream.seek(0)
            beginning = stream.read(len(_BEGINNING))
            if not _BEGINNING.startswith(beginning):
                raise ConfigurationError(f"record: {path} is no cassette: name another file")
            stream.seek(max(0, size - LINE_LIMIT_BYTES))
            tail = stream.read()
            if tail and not tail.endswith(b"\n"):
                stream.truncate(size - len(tail) + tail.rfind(b"\n") + 1)
    except OSError as error:
        raise ConfigurationError(f"cannot write the cassette {path}: {error.strerror}") from error


def _differences(recorded: object, asked: object, place: str = "") -> list[str]:
    """Where two questions differ, each in a few words."""
    if isinstance(recorded, dict) and isinstance(asked, dict):
        names = [*asked, *(name for name in recorded if name not in asked)]
        pairs = [(f"{place}.{key}" if place else key, recorded.get(key), asked.get(key)) for key in names]
    elif isinstance(recorded, list) and isinstance(asked, list) and len(recorded) == len(asked):
        pairs = [(f"{place}[{i}]", *pair) for i, pair in enumerate(zip(recorded, asked, strict=True))]
    elif recorded == asked:
        return []
    else:
        return [f"{place} is {_shown(asked, recorded)} and was {_shown(recorded, asked)}"]
    return [words for where, was, now in pairs for words in _differences(was, now, where)]


def _shown(value: object, other: object) -> str:
    """``value`` in short: of a long text what stands where it begins to differ from ``other``."""
    if isinstance(value, list):
        return f"of {len(value)}"
    if not (isinstance(value, str) and isinstance(other, str)):
        return json.dumps(value)[:_SHOWN]
    shorter = min(len(value), len(other))
    same = next((i for i in range(shorter) if value[i] != other[i]), shorter)
    begin = max(0, same - _SHOWN // 3)
    return quoted(value[begin : begin + _SHOWN])

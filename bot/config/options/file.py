"""Reads the configuration file: YAML, of which one flat mapping of texts is accepted and nothing else.

The file may come from a repository, so it is read as hostile input: at most ``SIZE_LIMIT_BYTES``, no
aliases, no tags, nothing nested, no key twice. Only the parser's events are looked at; no object is ever
built from them. A value is the text that was written: ``3.10`` stays ``3.10``.
"""

import stat
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from typing import Any

import yaml

from bot.errors import ConfigurationError, quoted

SIZE_LIMIT_BYTES = 64 * 1024
_UNSET = frozenset({"", "~", "null", "Null", "NULL"})


@dataclass(frozen=True, slots=True, kw_only=True)
class OptionEntry:
    """One line of the file: what it says of the option ``name``, and where (1-based)."""

    name: str
    text: str
    line: int


def read(path: Path, *, content: bytes | None = None) -> tuple[OptionEntry, ...]:
    """The entries of the file at ``path``, in their order; an entry without a value is left out.

    With ``content``, that is what the file holds, and the path is for messages only.

    Raises:
        ConfigurationError: it cannot be read, or is not a flat mapping of option to value.
    """
    text = _text(path, _content(path) if content is None else content)
    try:
        entries = tuple(_entries(path, yaml.parse(text, Loader=yaml.SafeLoader)))
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        raise ConfigurationError(f"{path}:{line}: not YAML: {error.problem}") from error
    except yaml.YAMLError as error:
        raise ConfigurationError(f"{path}: not YAML: it holds a character that no YAML file may") from error
    seen: dict[str, int] = {}
    for entry in entries:
        before = seen.get(entry.name)
        if before:
            raise ConfigurationError(
                f"{path}:{entry.line}: {quoted(entry.name)} is set in line {before} already: keep one"
            )
        seen[entry.name] = entry.line
    return tuple(entry for entry in entries if entry.text)


def _content(path: Path) -> bytes:
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            raise ConfigurationError(f"cannot read the configuration {path}: it is not a plain file")
        with path.open("rb") as stream:
            return stream.read(SIZE_LIMIT_BYTES + 1)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise ConfigurationError(f"cannot read the configuration {path}: {reason}") from error


def _text(path: Path, content: bytes) -> str:
    if len(content) > SIZE_LIMIT_BYTES:
        raise ConfigurationError(f"{path}: larger than {SIZE_LIMIT_BYTES // 1024} KiB, so no configuration")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ConfigurationError(f"{path}: not UTF-8: byte {error.start} cannot be read") from error


def _entries(path: Path, events: Iterator[Any]) -> Iterator[OptionEntry]:
    scalars = _scalars(path, events)
    for key, value in zip_longest(scalars, scalars):
        text = "" if _plain(value) and value.value in _UNSET else value.value
        yield OptionEntry(name=key.value, text=text.strip(), line=key.start_mark.line + 1)


def _scalars(path: Path, events: Iterator[Any]) -> Iterator[Any]:
    """The keys and values of the one mapping that the events may describe, in turn."""
    documents = depth = 0
    for event in events:
        line = event.start_mark.line + 1
        if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None):
            raise ConfigurationError(f"{path}:{line}: anchors and aliases are not allowed here")
        if getattr(event, "tag", None):
            raise ConfigurationError(f"{path}:{line}: tags such as {quoted(event.tag)} are not allowed here")
        documents += isinstance(event, yaml.DocumentStartEvent)
        if documents > 1:
            raise ConfigurationError(f"{path}:{line}: a second document; one is allowed")
        if isinstance(event, yaml.ScalarEvent) and depth:
            yield event
        elif isinstance(event, yaml.MappingStartEvent) and not depth:
            depth = 1
        elif isinstance(event, yaml.ScalarEvent) and _plain(event) and event.value in _UNSET:
            continue  # a document of nothing but comments
        elif isinstance(event, yaml.NodeEvent):
            raise ConfigurationError(
                f"{path}:{line}: expected lines of the form 'option: value', found {_kind(event)}"
            )


def _plain(scalar: Any) -> bool:  # noqa: ANN401 - the library has no types for its events
    """Whether the text stands there without quotes."""
    return not scalar.style


def _kind(event: Any) -> str:  # noqa: ANN401 - the library has no types for its events
    if isinstance(event, yaml.SequenceStartEvent):
        return "a list"
    return "a nested mapping" if isinstance(event, yaml.MappingStartEvent) else "a lone text"

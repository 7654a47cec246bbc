"""Parses the formats that a project's declarations come in, whoever wrote them.

A file may be nested more deeply than a parser can follow, or hold a number with more digits than Python
reads: that is no fault of ours, and no reason to leave the other files unread.
"""

import ast
import configparser
import json
import re
import tomllib
from collections.abc import Callable, Iterable, Mapping
from typing import TypeVar

from packaging.utils import canonicalize_name

from sandbox.silenced import silenced

_Parsed = TypeVar("_Parsed")
_REFUSALS = (ValueError, SyntaxError, RecursionError, MemoryError)


class Unreadable(ValueError):
    """A declaration is not in the format that its name promises; the message names the file and the place."""


def read_toml(files: Mapping[str, bytes], path: str) -> Mapping[str, object]:
    """The TOML file at ``path``; empty where there is none.

    Raises:
        Unreadable: it is not TOML.
    """
    return _read(path, lambda: tomllib.loads(files.get(path, b"").decode("utf-8")))


def toml_table(files: Mapping[str, bytes], path: str, *keys: str) -> Mapping[str, object]:
    """The table at ``keys`` of the TOML file at ``path``; empty where there is none that can be read."""
    try:
        return table(read_toml(files, path), *keys)
    except Unreadable:
        return {}


def read_json(files: Mapping[str, bytes], path: str) -> object:
    """The JSON file at ``path``.

    Raises:
        Unreadable: it is not JSON.
    """
    return _read(path, lambda: json.loads(files[path]))


def parsed(source: bytes) -> ast.Module | None:
    """The module in ``source``; None where it is none, or more than the parser can take.

    What the parser would warn of, such as an unknown escape, is for its author: it is not printed.
    """
    try:
        with silenced():
            return ast.parse(source)
    except _REFUSALS:
        return None


def literal(node: ast.expr) -> object:
    """The value of ``node`` where it is written out; None where it is not."""
    try:
        return ast.literal_eval(node)
    except (TypeError, *_REFUSALS):
        return None


def _read(path: str, parse: Callable[[], _Parsed]) -> _Parsed:
    try:
        return parse()
    except _REFUSALS as error:
        reason = "it is nested too deeply" if isinstance(error, RecursionError | MemoryError) else str(error)
        raise Unreadable(f"{path} cannot be read: {reason}") from error


def parse_ini(data: bytes) -> configparser.RawConfigParser | None:
    """The sections of an INI file; None where it is none."""
    parser = configparser.RawConfigParser(strict=False)
    try:
        parser.read_string(data.decode("utf-8-sig", "replace"))
    except configparser.Error:
        return None
    return parser


def unique(items: Iterable[str]) -> tuple[str, ...]:
    """``items`` in their order, each once."""
    return tuple(dict.fromkeys(items))


def texts(value: object) -> tuple[str, ...]:
    """The texts in ``value`` if it is a list, as a hostile or mistaken file may hold anything."""
    return tuple(item for item in value if isinstance(item, str)) if isinstance(value, list) else ()


def table(value: object, *path: str) -> Mapping[str, object]:
    """The table at ``path`` below ``value``; empty where there is none."""
    for key in path:
        value = value.get(key) if isinstance(value, dict) else None
    return value if isinstance(value, dict) else {}


def normalised(name: str) -> str:
    """The name as package indexes compare it: lower case, one hyphen for each run of ``-``, ``_``, ``.``."""
    return canonicalize_name(name)


def split_extras(text: str) -> tuple[str, ...]:
    """The names in ``a, b c``, normalised."""
    return unique(normalised(name) for name in re.split(r"[\s,]+", text) if name)

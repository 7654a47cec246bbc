"""Reads tox's configuration, in INI and in TOML: environments, and the lines of a key for one of them.

Source: tox's documentation, "Configuration". tox itself is not used: it would run plugins of the project.
"""

import re
import shlex
from abc import ABC, abstractmethod
from collections.abc import Mapping
from configparser import RawConfigParser
from dataclasses import dataclass, replace
from itertools import islice, product

from sandbox.ci.commands import inside
from sandbox.formats import parse_ini, table, texts, toml_table, unique

MAX_ENVIRONMENTS = 500
MAX_REFERENCES = 20
"""References within references that are followed."""

_FILES = ("tox.ini", "tox.toml", "pyproject.toml", "setup.cfg")
_FACTORS = re.compile(r"(?P<factors>[!\w.{},\s-]+?):\s+(?P<rest>.*)|(?P<bare>[!\w.{},-]+):\s*$")


@dataclass(frozen=True, slots=True, kw_only=True)
class ToxConfig(ABC):
    """The names of ``env_list``, and the environments that a plugin maps to a Python."""

    environments: tuple[str, ...]
    by_python: Mapping[str, tuple[str, ...]]

    @abstractmethod
    def lines(self, name: str, key: str, *, section: str = "") -> list[str]:
        """The lines of ``key`` for the environment ``name``, without those of other factors.

        With ``section``, those of that section; empty where there are none.
        """


def read_config(files: Mapping[str, bytes], directory: str) -> ToxConfig | None:
    """The configuration in ``directory``; None where there is none."""
    ini, toml, pyproject, setup = (inside(directory, name) for name in _FILES)
    return (
        _ini(files.get(ini, b""), "")
        or _toml(toml_table(files, toml))
        or _toml(toml_table(files, pyproject, "tool", "tox"))
        or _ini(files.get(setup, b""), "tox:")
    )


def _ini(data: bytes, prefix: str) -> ToxConfig | None:
    parser = parse_ini(data)
    if parser is None or not any(name.split(":")[0] in {"tox", "testenv"} for name in parser.sections()):
        return None
    head = f"{prefix}tox"
    listed = parser.get(head, "envlist", fallback="") or parser.get(head, "env_list", fallback="")
    by_python: dict[str, tuple[str, ...]] = {}
    for section in ("gh-actions", "gh"):
        for line in parser.get(section, "python", fallback="").splitlines():
            version, _, names = line.partition("=" if "=" in line else ":")
            by_python[version.strip()] = expanded_names(names)
    return _IniConfig(environments=expanded_names(listed), by_python=by_python, parser=parser)


@dataclass(frozen=True, slots=True, kw_only=True)
class _IniConfig(ToxConfig):
    parser: RawConfigParser

    def lines(self, name: str, key: str, *, section: str = "") -> list[str]:
        factors = set(name.split("-"))
        places = (section,) if section else (f"testenv:{name}", *self._generative(name), "testenv")
        for place in places:
            if self.parser.has_option(place, key):
                return _for_factors(self.parser.get(place, key), factors)
        return []

    def _generative(self, name: str) -> list[str]:
        """Sections such as ``testenv:py{39,310}-x`` that stand for several environments."""
        sections = [each for each in self.parser.sections() if each.startswith("testenv:")]
        return [each for each in sections if name in expanded_names(each.removeprefix("testenv:"))]


def _for_factors(text: str, factors: set[str]) -> list[str]:
    """The lines that hold for an environment with ``factors``; a backslash continues a line."""
    kept: list[str] = []
    block: bool | None = None  # whether an indented block below factors alone is kept
    for raw in text.replace("\\\n", " ").splitlines():
        line = raw.strip()
        if not line or line.startswith("#"):
            continue
        found = _FACTORS.fullmatch(line)
        named = (found["factors"] or found["bare"]) if found else ""
        if found is None or not _is_factor_list(named):
            if block is not False or not raw.startswith((" ", "\t")):
                kept.append(line)
            continue
        holds = any(_fits(one, factors) for one in expanded_names(named))
        if found["bare"]:
            block = holds
        elif holds:
            kept.append(found["rest"].strip())
    return kept


def _is_factor_list(text: str) -> bool:
    return bool(text) and all(re.fullmatch(r"!?[\w.{}-]+", part.strip()) for part in text.split(",") if part)


def _fits(expression: str, factors: set[str]) -> bool:
    parts = expression.split("-")
    return all((part[1:] not in factors) if part.startswith("!") else part in factors for part in parts)


def expanded_names(text: str) -> tuple[str, ...]:
    """``py{39,310}-{a,b}, lint`` as single names."""
    names: list[str] = []
    for part in _outer_parts(text):
        pieces = re.split(r"\{([^{}]*)\}", part)
        choices = [_alternatives(piece) if number % 2 else [piece] for number, piece in enumerate(pieces)]
        chosen = islice(product(*choices), MAX_ENVIRONMENTS - len(names))
        names += ["".join(words).strip("-") for words in chosen]
    return unique(filter(None, names))


def _alternatives(text: str) -> list[str]:
    found: list[str] = []
    for part in text.split(","):
        bounds = re.fullmatch(r"\s*(\d{1,3})-(\d{1,3})\s*", part)
        numbers = range(int(bounds[1]), int(bounds[2]) + 1) if bounds else range(0)
        found += map(str, numbers) if 0 < len(numbers) <= MAX_ENVIRONMENTS + 1 else [part.strip()]
    return found


def _outer_parts(text: str) -> list[str]:
    """``text`` at its commas and line ends outside of braces."""
    parts, depth, current = [], 0, ""
    for letter in re.sub(r"#[^\n]*", "", text):
        depth += (letter == "{") - (letter == "}")
        if letter in ",\n \t" and depth == 0:
            parts.append(current)
            current = ""
        else:
            current += "" if letter in " \t\n" else letter
    return [part for part in [*parts, current] if part]


@dataclass(frozen=True, slots=True, kw_only=True)
class _TomlConfig(ToxConfig):
    """The native TOML configuration, with references to other tables."""

    document: Mapping[str, object]

    def lines(self, name: str, key: str, *, section: str = "") -> list[str]:
        if section:
            return []
        return [line for each in self.flat(self._held(name, key)) for line in each.splitlines()]

    def _held(self, name: str, key: str) -> object:
        base = table(self.document, "env_run_base")
        return table(self.document, "env", name).get(key, base.get(key))

    def flat(self, value: object, depth: int = 0) -> list[str]:
        """``value`` as lines: a command's words are one line."""
        if depth > MAX_REFERENCES:
            return []
        if isinstance(value, bool):
            return [str(value).lower()]
        if isinstance(value, str):
            return [value]
        if isinstance(value, dict):
            return self._reference(value, depth)
        if not isinstance(value, list):
            return []
        if value and all(isinstance(item, list) for item in value):  # commands
            lines = [self.flat(item, depth + 1) for item in value]
            # A reference such as {posargs} stays as it is.
            return [" ".join(w if "{" in w else shlex.quote(w) for w in words) for words in lines]
        return [line for item in value for line in self.flat(item, depth + 1)]

    def _reference(self, value: Mapping[str, object], depth: int) -> list[str]:
        kind = value.get("replace")
        if kind in {"posargs", "env"}:
            return self.flat(value.get("default", []), depth + 1)
        if kind == "ref":
            of = value.get("of")
            path = [str(part) for part in of] if isinstance(of, list) else []
            if path:
                return self.flat(table(self.document, *path[:-1]).get(path[-1]), depth + 1)
            return self.flat(self._held(str(value.get("env") or ""), str(value.get("key") or "")), depth + 1)
        if kind is None:  # a table of variables
            flat = {name: self.flat(held, depth + 1) for name, held in value.items()}
            return [f"{name}={lines[0]}" for name, lines in flat.items() if lines]
        return self.flat(value.get("then"), depth + 1)


def _toml(document: Mapping[str, object]) -> ToxConfig | None:
    if isinstance(legacy := document.get("legacy_tox_ini"), str):
        return _ini(legacy.encode("utf-8", "replace"), "")
    if not {"env_run_base", "env", "env_list"} & set(document):
        return None
    mapping = table(document, "gh", "python")
    by_python = {version: texts(held) for version, held in mapping.items()}
    found = _TomlConfig(environments=(), by_python=by_python, document=document)
    return replace(found, environments=expanded_names(",".join(found.flat(document.get("env_list")))))

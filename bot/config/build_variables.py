"""The variables that a build gets: names of those that the environment has, and lines with values.

Pure: the environment is handed in by ``bot.config.sources``.
"""

import re
from collections.abc import Mapping

_NAME = "[A-Za-z_][A-Za-z0-9_]*"
_NAMES = re.compile(rf"\s*{_NAME}(?:\s*,\s*{_NAME})*\s*")
_VALUE = re.compile(rf"\s*(?P<name>{_NAME})=(?P<value>[^\0]*)")


def read_variables(text: str) -> Mapping[str, str | None]:
    """The variables in ``text`` by name; None where the environment has the value.

    A line is ``NAME=value``, or names with commas between.

    Raises:
        ValueError: a line is neither.
    """
    found: dict[str, str | None] = {}
    for line in filter(str.strip, text.splitlines()):
        if one := _VALUE.fullmatch(line):
            found[one["name"]] = one["value"].strip()
        elif _NAMES.fullmatch(line):
            found |= dict.fromkeys(name.strip() for name in line.split(","))
        else:
            raise ValueError("neither NAME=value nor names of variables")
    return found


def in_environment(text: str, environment: Mapping[str, str]) -> dict[str, str]:
    """The variables in ``text`` with their values, those that ``environment`` lacks left out."""
    read = read_variables(text)
    found = {name: environment.get(name) if value is None else value for name, value in read.items()}
    return {name: value for name, value in found.items() if value is not None}


def without_values(text: str) -> str:
    """``text``, which can be read, as it may be shown: an address may hold a password."""
    return ", ".join(name if value is None else f"{name}=***" for name, value in read_variables(text).items())


def values_of(text: str) -> tuple[str, ...]:
    """The values that stand in ``text`` itself; none where it cannot be read."""
    try:
        return tuple(value for value in read_variables(text).values() if value)
    except ValueError:
        return ()

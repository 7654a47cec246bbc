"""What ``regreen config`` prints: the options in force, as a table for people and as plain data."""

from collections.abc import Sequence
from itertools import groupby
from typing import Any

from bot.config.options.values import unknown
from bot.config.sources import Effective

FORMAT_VERSION = 1


def as_table(chosen: Sequence[Effective], unread: Sequence[str]) -> str:
    """A line for each option under the heading of its group; what nothing reads comes last."""
    lines = []
    width = max(len(one.option.name) for one in chosen) + 2
    values = [_text(one) for one in chosen]
    value_width = min(40, max(map(len, values)))
    for group, members in groupby(zip(chosen, values, strict=True), key=lambda pair: pair[0].option.group):
        lines += ["", group]
        lines += [f"  {one.option.name:{width}}{text:{value_width}}  {one.origin}" for one, text in members]
    if unread:
        lines += ["", "Set, but read by nothing"]
        lines += [f"  {name}: {_meant(name)}" for name in unread]
    return "\n".join(lines[1:])


def plain_data(chosen: Sequence[Effective], unread: Sequence[str]) -> dict[str, Any]:
    """The same for a program: values in the units of ``docs/configuration.md``."""
    return {
        "version": FORMAT_VERSION,
        "options": {one.option.name: {"value": one.value, "origin": one.origin} for one in chosen},
        "unread_variables": list(unread),
    }


def _text(one: Effective) -> str:
    text = one.option.show(one.value) or f"({one.option.otherwise or 'none'})"
    return "".join(character if character.isprintable() else " " for character in text)


def _meant(name: str) -> str:
    return unknown(name.removeprefix("REGREEN_"))

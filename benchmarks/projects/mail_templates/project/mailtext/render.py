"""Texts with {{ placeholders }}."""

import re

from .filters import FILTERS

PLACEHOLDER = re.compile(r"\{\{\s*(?P<name>[\w.]+)\s*(?P<filters>(?:\|[^|}]+)*)\}\}")


class MissingValue(LookupError):
    """No value for a placeholder, and no default."""


def _look_up(name, values):
    for part in name.split("."):
        if not isinstance(values, dict) or part not in values:
            return None
        values = values[part]
    return values


def render(template, values):
    def replacement(match):
        value = _look_up(match["name"], values)
        for each in match["filters"].split("|")[1:]:
            name, _, argument = each.strip().partition(":")
            value = FILTERS[name](value, argument.strip())
        if value is None:
            raise MissingValue(match["name"])
        return str(value)

    return PLACEHOLDER.sub(replacement, template)

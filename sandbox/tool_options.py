"""Options of the tools that projects call, of which many take the next word as their value."""

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib import resources


@cache
def tool_options(kind: str) -> Mapping[str, frozenset[str]]:
    """The options of each tool by its name, in the table ``kind`` of ``tool_options.toml``."""
    text = resources.files("sandbox").joinpath("tool_options.toml").read_text("utf-8")
    return {tool: frozenset(options) for tool, options in tomllib.loads(text)[kind].items()}

"""The table of options: the one place that says what can be configured.

``options.toml`` holds it. From it come the options of the command line (``command_line``), the variables of
the environment and the inputs of the Action (``bot.config.sources``), the keys of the configuration file
(``file``) and ``docs/configuration.md``. It imports next to nothing, since ``regreen --help`` reads it.
"""

import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from bot.config.options.option import Option
from sandbox.base import Limits
from sandbox.providers import KINDS

_TURNS = ("react", "reflect", "tools", "hybrid")
# A search tries thousands of candidates cheaply; each attempt of a model costs tokens.
DEFAULT_ATTEMPTS: Mapping[str, int] = {"search": 20_000, "single": 1, **dict.fromkeys(_TURNS, 5), "agent": 3}
# Further drafts cost little where a server keeps the prompt, and small models need them.
DEFAULT_DRAFTS: Mapping[str, int] = {"search": 1, "single": 1, **dict.fromkeys(_TURNS, 4), "agent": 1}
_AUTO = ", else ".join(kind.name for kind in KINDS.values() if kind.isolated)
_NOTES = "".join(f" {kind.name}: {kind.help}." for kind in KINDS.values() if kind.help)
_COMPUTED: Mapping[str, Mapping[str, Any]] = {
    "max-attempts": {
        "otherwise": f"search: {DEFAULT_ATTEMPTS['search']}, single: 1, others: {DEFAULT_ATTEMPTS['react']}"
    },
    "drafts": {"otherwise": f"single: {DEFAULT_DRAFTS['single']}, others: {DEFAULT_DRAFTS['react']}"},
    "sandbox": {
        "choices": ("auto", *KINDS),
        "help": f"Where the project's code runs. auto: {_AUTO}.{_NOTES}",
    },
}


def _options(text: str) -> Iterator[Option]:
    limits = Limits()
    for group, options in tomllib.loads(text).items():
        for name, row in options.items():
            fields: dict[str, Any] = {
                key: tuple(value) if isinstance(value, list) else value for key, value in row.items()
            }
            if "limit" in fields:
                fields["default"] = getattr(limits, fields["limit"])
            yield Option(name=name, group=group, **{**fields, **_COMPUTED.get(name, {})})


OPTIONS = tuple(_options(Path(__file__).with_name("options.toml").read_text("utf-8")))
BY_NAME: Mapping[str, Option] = {option.name: option for option in OPTIONS}
STRATEGIES = BY_NAME["strategy"].choices
SEARCH_PARTS = BY_NAME["search-without"].choices

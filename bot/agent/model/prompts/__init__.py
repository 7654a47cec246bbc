"""Prompts as files, rendered strictly: a missing variable is an error, untrusted text is fenced."""

from __future__ import annotations

import hashlib
import json
import re
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jinja2 import Environment

# Anywhere, not at the start of lines only: what else than "\n" ends a line is the reader's choice.
_TICKS = re.compile(r"`{3,}")


def fence(text: str, language: str = "") -> str:
    """``text`` in a code fence that nothing in it can close."""
    # str: a missing variable says so itself
    longest = max(map(len, _TICKS.findall(str(text))), default=2)
    ticks = "`" * (longest + 1)
    return f"{ticks}{language}\n{text.rstrip()}\n{ticks}"


def quoted(text: str) -> str:
    """``text`` as a JSON string: one line, whatever is in it."""
    return json.dumps(str(text))


@cache
def _environment() -> Environment:
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("bot.agent.model", "prompts"),
        undefined=StrictUndefined,
        autoescape=False,  # noqa: S701 - the output is a prompt, not a page; untrusted parts are fenced
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["fence"] = fence
    environment.filters["quoted"] = quoted
    return environment


def render(name: str, **variables: object) -> str:
    """The prompt ``name`` filled in.

    Raises:
        jinja2.UndefinedError: a variable is missing.
        jinja2.TemplateNotFound: there is no such prompt.
    """
    return _environment().get_template(f"{name}.jinja").render(**variables).strip()


@cache
def prompts_version() -> str:
    """A short text that changes whenever any of the prompts does."""
    directory = files(__name__)
    found = sorted((one.name, one.read_bytes()) for one in directory.iterdir() if one.name.endswith(".jinja"))
    return hashlib.sha256(
        b"\0".join(part for name, data in found for part in (name.encode(), data))
    ).hexdigest()[:12]

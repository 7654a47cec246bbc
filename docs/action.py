"""Write action.yml's inputs and docs/regreen.schema.json from the options: ``python docs/action.py``.

``python docs/action.py --image docker://…`` is what a release does: the Action
runs that image, and builds none.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from bot.config.options import OPTIONS
from bot.config.options.option import BOTS, Option

ROOT = Path(__file__).parents[1]
ACTION = ROOT / "action.yml"
SCHEMA = ROOT / "docs" / "regreen.schema.json"
# A default in action.yml would win over the file in the repository, so there is none but this.
DEFAULTS = {"github-token": "${{ github.token }}"}
_TIME = "[mM][sS]?|[sS]|[mM][iI][nN]|[hH]|[dD]"
_SIZE = "[bB]|[kmgtKMGT]([iI]?[bB])?"
_UNITS = {"duration": _TIME, "mebibytes": _SIZE, "bytes": _SIZE}


def inputs() -> tuple[Option, ...]:
    """The options that are inputs of the Action."""
    return tuple(option for option in OPTIONS if option.is_input)


def action(image: str = "Dockerfile") -> str:
    """action.yml with the inputs anew, and with ``image``; the rest is written by hand."""
    head, _, rest = ACTION.read_text("utf-8").partition("inputs:\n")
    lines = [f"{head}inputs:"]
    # Those that belong to the Action come first.
    for option in sorted(inputs(), key=lambda option: option.group != "GitHub"):
        # A string of JSON is one of YAML, in double quotes.
        described = json.dumps(_description(option))
        lines += [f"  {option.name}:", f"    description: {described}", "    required: false"]
        if option.name in DEFAULTS:
            lines.append(f"    default: {DEFAULTS[option.name]}")
    tail = rest[rest.index("outputs:\n") : rest.index("  image: ")]
    return "\n".join([*lines, f"{tail}  image: {image}\n"])


def schema() -> str:
    """The JSON schema of .github/regreen.yml."""
    options = [option for option in OPTIONS if not option.secret and option.scope != "run"]
    document = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Regreen's options",
        "description": "The file .github/regreen.yml, or what --config names. See docs/configuration.md.",
        "type": ["object", "null"],
        "additionalProperties": False,
        "properties": {option.name: _property(option) for option in options},
    }
    return json.dumps(document, indent=2) + "\n"


def _description(option: Option) -> str:
    default = option.show(option.default) or option.otherwise
    return f"{option.help} Default: {default}." if default and option.name not in DEFAULTS else option.help


def _property(option: Option) -> dict[str, Any]:
    described: dict[str, Any] = {"description": _description(option)}
    bounds = {"minimum": option.minimum, "maximum": option.maximum}
    if option.kind == "choice":
        # YAML reads true and false as truth values.
        truths = [True, False] if option.choices == ("true", "false") else []
        return {**described, "enum": [*option.choices, *truths, None]}
    if option.kind == "names":
        name = f"({'|'.join(option.choices)})" if option.choices else "[A-Za-z_][A-Za-z0-9_]*"
        return {**described, "type": ["string", "null"], "pattern": rf"^\s*{name}(\s*,\s*{name})*\s*$"}
    if option.kind == "bots":
        return {**described, "type": ["string", "null"], "pattern": BOTS}
    if option.kind == "variables":
        name = "[A-Za-z_][A-Za-z0-9_]*"
        line = rf"[ \t]*({name}=.*|{name}(\s*,\s*{name})*[ \t]*)"
        return {**described, "type": ["string", "null"], "pattern": rf"^\s*{line}(\n+{line})*\s*$"}
    if option.kind in _UNITS:
        pattern = rf"^\s*[0-9]{{1,15}}(\.[0-9]{{0,9}})?\s*({_UNITS[option.kind]})?\s*$"
        written = {"type": "string", "pattern": pattern}
        return {**described, "anyOf": [{"type": "number", **bounds}, written, {"type": "null"}]}
    if option.kind in {"count", "number"}:
        kind = "integer" if option.kind == "count" else "number"
        return {**described, "type": [kind, "null"], **bounds}
    return {**described, "type": ["string", "number", "boolean", "null"]}


def write(image: str = "Dockerfile") -> None:
    """Write both files."""
    ACTION.write_text(action(image), "utf-8")
    SCHEMA.write_text(schema(), "utf-8")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--image", default="Dockerfile", help="what the Action runs")
    write(parser.parse_args().image)

"""Write action.yml and docs/regreen.schema.json from the table of options: ``python docs/action.py``.

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
HEAD = """\
# Made by `python docs/action.py` from bot/config/options/; a test holds the two together.
name: Regreen
author: The Regreen maintainers
description: Turns a failing pull request green with the smallest verified patch, as a suggestion or a PR.
branding:
  icon: check-circle
  color: green
"""
# What the Action says of its run; bot/action/reporting.py writes them.
OUTPUTS = {
    "outcome": "patched, no_patch, not_reproduced, flaky, not_code, budget_exhausted; skipped where there "
    "was nothing to do or the trigger is not trusted.",
    "reason": "Why there is no patch, or why nothing was done; one line.",
    "patch": "The verified unified diff; empty without one.",
    "url": "Where the patch was published.",
    "delivery": "How it was published: suggestion, pull-request, commit, branch, comment, none.",
    "attempts": "How many candidates were tried.",
    "tokens": "How many tokens the model used.",
    "cost": "What the model cost, in US dollars, where its price is known.",
    "seconds": "How long the repair took.",
    "publish": "true after `mode: propose` where `mode: publish` has something to do; else false.",
    "proposal": "Where in the workspace `mode: propose` wrote its proposal; empty if it wrote none.",
}
# A default in action.yml would win over the file in the repository, so there is none but this.
DEFAULTS = {"github-token": "${{ github.token }}"}
_TIME = "[mM][sS]?|[sS]|[mM][iI][nN]|[hH]|[dD]"
_SIZE = "[bB]|[kmgtKMGT]([iI]?[bB])?"
_UNITS = {"duration": _TIME, "mebibytes": _SIZE, "bytes": _SIZE}


def inputs() -> tuple[Option, ...]:
    """The options that are inputs of the Action."""
    return tuple(option for option in OPTIONS if option.is_input)


def action(image: str = "Dockerfile") -> str:
    """The text of action.yml."""
    lines = [HEAD.rstrip(), "inputs:"]
    # Those that belong to the Action come first.
    for option in sorted(inputs(), key=lambda option: option.group != "GitHub"):
        lines += [
            f"  {option.name}:",
            f"    description: {_quoted(_description(option))}",
            "    required: false",
        ]
        if option.name in DEFAULTS:
            lines.append(f"    default: {DEFAULTS[option.name]}")
    lines.append("outputs:")
    for name, text in OUTPUTS.items():
        lines += [f"  {name}:", f"    description: {_quoted(text)}"]
    lines += ["runs:", "  using: docker", f"  image: {image}"]
    return "\n".join(lines) + "\n"


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


def _quoted(text: str) -> str:
    return json.dumps(text)  # which is a YAML string in double quotes


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

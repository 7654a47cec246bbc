"""Write the options in docs/configuration.md, from their table: ``python docs/configuration.py``."""

from __future__ import annotations

import runpy
from itertools import groupby
from pathlib import Path

from bot.config.options import OPTIONS
from bot.config.options.option import Option

TARGET = Path(__file__).with_suffix(".md")
AFTER = "## Other variables"


def page() -> str:
    """The page with the options anew; what stands before and after them is written by hand."""
    written = TARGET.read_text("utf-8")
    sections = [
        "\n".join([f"## {group}", "", *map(_line, options), "", ""])
        for group, options in groupby(OPTIONS, key=lambda option: option.group)
    ]
    return "".join([written[: written.index("## ")], *sections, written[written.index(AFTER) :]])


def _line(option: Option) -> str:
    named = option.name if option.secret else f"{option.name} {option.placeholder}"
    names = f"`{option.flag} {option.placeholder}`" if option.on_command_line else f"`{named}`"
    names += "".join(f", `{flag}`" for flag in option.flags)
    if option.secret or option.scope == "run":
        names += "¹"
    elif option.scope == "file":
        names += "²"
    default = f"`{option.show(option.default)}`" if option.default is not None else option.otherwise
    also = f" Also {', '.join(f'`{name}`' for name in option.variables)}." if option.variables else ""
    return f"- {names}{f' ({default})' if default else ''}: {option.help}{also}"


if __name__ == "__main__":
    TARGET.write_text(page(), "utf-8")
    # The Action's inputs and the file's schema come from the same table.
    runpy.run_path(str(TARGET.with_name("action.py")))["write"]()

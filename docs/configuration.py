"""Write docs/configuration.md from the table of options: ``python docs/configuration.py``."""

from __future__ import annotations

import runpy
from itertools import groupby
from pathlib import Path

from bot.config.options import OPTIONS
from bot.config.options.option import Option

TARGET = Path(__file__).with_suffix(".md")
HEAD = """\
# Configuration

<!-- Made by `python docs/configuration.py` from bot/config/options/; a test holds the two together. -->

Every option has one name and can be set in four places. The first of these that sets it decides:

1. the command line: `--time-budget 10m`
2. the GitHub Action's input: `time-budget: 10m` under `with:`, which reaches Regreen as `INPUT_TIME-BUDGET`
3. the environment: `REGREEN_TIME_BUDGET=10m`; where the table names a second variable, it is read after
   this one
4. a YAML file named by `--config FILE`: `time-budget: 10m`

Those of the group GitHub are the Action's: the command line does not know them.

An empty variable, input or value in the file is one that is not set. `regreen config` shows every option as
it is in force and where its value comes from; with `--json`, as data in the units given in the tables.

**The file** is one flat mapping of options, at most 64 KiB of UTF-8; anchors, tags, lists, an unknown key
and a key that stands there twice are errors. It is read only when `--config` names it, never because it
lies in the project: a pull request could have changed it.

```yaml
# .github/regreen.yml
sandbox: docker
sandbox-memory: 4g
time-budget: 10m
```

**Times** take `ms`, `s`, `m` (or `min`), `h` and `d`. **Sizes** take `k`, `m`, `g` and `t`, each 1024 of
the one before; `2g`, `2GB` and `2GiB` are the same. A number without a unit counts what its row names.

A value that cannot be used ends the run with exit status 2 and a line that names the value, where it
stands, and what may stand there.
"""
TAIL = """\
## What does not go together

- `sandbox-image`, `base-image` and `sandbox-runtime` are for Docker: with `bubblewrap` or `process` they are
  an error, and with `auto` they mean Docker and nothing else.
- `sandbox-image` and `base-image` together are an error: the first is used as it is, nothing is built on the
  second.
- A name in `build-variables` that looks like a secret's is an error.
- A `time-budget` longer than `sandbox-lifetime` is an error.

## Other variables

`VIRTUAL_ENV` is the activated environment: its interpreter runs the tests outside Docker. `DOCKER_HOST`
names the engine. State is kept under `$XDG_STATE_HOME/regreen` (`~/.local/state/regreen`), what can be made
anew under `$XDG_CACHE_HOME/regreen` (`~/.cache/regreen`).
"""
UNITS = {"duration": "seconds", "mebibytes": "MiB", "bytes": "bytes"}


def page() -> str:
    """The whole page."""
    sections = [HEAD]
    for group, options in groupby(OPTIONS, key=lambda option: option.group):
        rows = [f"| {' | '.join(_row(option))} |" for option in options]
        head = "| option | what it does | default | range | plain number | environment |"
        sections.append(
            "\n".join([f"## {group}", "", head, "| --- | --- | --- | --- | --- | --- |", *rows, ""])
        )
    return "\n".join([*sections, TAIL])


def _row(option: Option) -> tuple[str, ...]:
    named = option.name if option.secret else f"{option.name} {option.placeholder}"
    names = f"`{option.flag} {option.placeholder}`" if _on_the_command_line(option) else f"`{named}`"
    names += "".join(f", `{flag}`" for flag in option.flags)
    default = f"`{option.show(option.default)}`" if option.default is not None else option.otherwise
    variables = ", ".join(f"`{name}`" for name in (option.variable, *option.variables))
    text = option.help
    if option.secret:
        text += " Never in a file or on the command line."
    elif option.scope == "run":
        text += " Never in a file."
    cells = (names, text, default, option.bounds.removeprefix("from "), UNITS.get(option.kind, ""), variables)
    return tuple(cell.replace("|", "\\|") for cell in cells)


def _on_the_command_line(option: Option) -> bool:
    return option.scope == "everywhere" and not option.secret


if __name__ == "__main__":
    TARGET.write_text(page(), "utf-8")
    # The Action's inputs and the file's schema come from the same table.
    runpy.run_path(str(TARGET.with_name("action.py")))["write"]()

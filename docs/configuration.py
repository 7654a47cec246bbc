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

<!-- Made by `python docs/configuration.py` from bot/config/options/; a test compares the two. -->

Every option has one name. Regreen takes its value from the first of these places that sets it:

1. the command line: `--time-budget 10m`
2. the input of the GitHub Action: `time-budget: 10m` under `with:`
3. the environment: `REGREEN_TIME_BUDGET=10m`, then other variables that are named below
4. the YAML file of `--config FILE`: `time-budget: 10m`; in the Action `.github/regreen.yml` of the base
   branch

An empty value counts as not set. `regreen config` shows each value and where it comes from. A value that
cannot be used ends the run with exit status 2.

**The file** is one flat mapping of at most 64 KiB, without anchors, tags, lists, unknown and repeated keys:

```yaml
# .github/regreen.yml
sandbox: docker
sandbox-memory: 4g
time-budget: 10m
```

**Times** take `ms`, `s`, `m` (or `min`), `h` and `d`. **Sizes** take `k`, `m`, `g` and `t`; `2g`, `2GB` and
`2GiB` are the same. A number without a unit means seconds, MiB, or bytes for BYTES.
[regreen.schema.json](regreen.schema.json) has the range of each option.

Defaults stand in parentheses. The group GitHub exists in the Action only. Options marked ¹ are never read
from a file, keys and tokens not from the command line either. Those marked ² are read from a file and the
environment only.
"""
TAIL = """\
## Other variables

`VIRTUAL_ENV` is the activated environment: its interpreter runs the tests outside Docker. `DOCKER_HOST`
names the engine. State is kept in `$XDG_STATE_HOME/regreen` (`~/.local/state/regreen`), caches in
`$XDG_CACHE_HOME/regreen` (`~/.cache/regreen`).
"""


def page() -> str:
    """The whole page."""
    in_bytes = ", ".join(f"`{option.name}`" for option in OPTIONS if option.kind == "bytes")
    sections = [HEAD.replace("BYTES", in_bytes)]
    for group, options in groupby(OPTIONS, key=lambda option: option.group):
        sections.append("\n".join([f"## {group}", "", *map(_line, options), ""]))
    return "\n".join([*sections, TAIL])


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

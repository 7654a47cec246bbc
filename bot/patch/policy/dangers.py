"""The dotted names that no repair may newly refer to, by what they do.

Data only, most of it in ``tables.toml``.

A name that begins with a dot is an attribute of anything; ``os.kill`` is also found at the end of a longer
name. ``bot.patch.policy.names.modules`` has whole modules.
"""

import tomllib
from pathlib import Path

TABLES = tomllib.loads(Path(__file__).with_name("tables.toml").read_text("utf-8"))
_NAMES = TABLES["names"]


def words(text: str) -> frozenset[str]:
    """The words of a table that is written as one string."""
    return frozenset(text.split())


SKIPS = words(_NAMES["skips"])
EXITS = words(_NAMES["exits"])
_EXECUTION = [
    f"{kind}{suffix}"
    for kind in ("exec", "spawn")
    for suffix in ("l", "le", "lp", "lpe", "v", "ve", "vp", "vpe")
]
EVALUATION = (
    words(_NAMES["evaluation"])
    | {f"os.{name}" for name in _EXECUTION}
    | {f".{name}" for name in _EXECUTION if len(name) > 5}
)
TAMPERING = words(_NAMES["tampering"])
PLAIN_DUNDERS = words(_NAMES["plain_dunders"])
"""Names between double underscores that a repair may newly use; a person sees the others."""

FILE_CHANGES = words(_NAMES["file_changes"])
"""Methods of paths, archives and others that change files, or fetch them; a person sees a new use."""

MOVES = words(".rename .replace")
"""Methods of paths that move files where they are given one argument alone."""

MOCKED = words(".return_value .side_effect .call_args .call_args_list .call_count")
"""Attributes of a test's stand-in that decide what it answers; a person sees a new use."""

TELLTALE_STRINGS = words(_NAMES["telltale_strings"])
"""Strings that nothing but tampering needs: the sandbox's own places, processes, bytecode, frames, hooks."""

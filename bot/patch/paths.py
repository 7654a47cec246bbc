"""Which project file a model means by the path that it wrote.

It only resolves names; whether a file may be touched is the policy gate's decision.
"""

from __future__ import annotations

import re

from bot.patch.text import Sources

_DECORATION = " \t\r*`#:\"'([<>])"
_PATH_CANDIDATE = re.compile(r"[^\s`*\"'():<>\[\],]+")


def plain_path(path: str) -> str:
    """``path`` without a leading ``./``; otherwise untouched, so that the gate sees what was asked for."""
    plain = path.strip()
    while plain.startswith("./"):
        plain = plain[2:]
    return plain or path


def existing_path(path: str, sources: Sources) -> str | None:
    """The file of ``sources`` that ``path`` names: exactly, or as an absolute path that ends in just one."""
    if path in sources:
        return path
    plain = plain_path(path)
    if plain in sources:
        return plain
    if plain.startswith("/"):
        matches = [known for known in sources if plain.endswith("/" + known)]
        # the longest suffix is the most specific; a shorter one is its tail
        return max(matches, key=len, default=None)
    return None


def diff_path(name: str, sources: Sources, prefix: str) -> str:
    """The path behind a diff header's ``name``, which may carry ``prefix`` (``a/`` or ``b/``)."""
    bare = name.removeprefix(prefix)
    for candidate in (bare, name):
        if (known := existing_path(candidate, sources)) is not None:
            return known
    return plain_path(bare)


def path_in_line(line: str, sources: Sources) -> str | None:
    """The file of ``sources`` that a line of prose, a heading or a comment names, if it names just one."""
    whole = line.strip(_DECORATION)
    if (known := existing_path(whole, sources)) is not None:
        return known
    named = {existing_path(word.rstrip(".,;"), sources) for word in _PATH_CANDIDATE.findall(line)} - {None}
    return named.pop() if len(named) == 1 else None


def new_path_in_line(line: str) -> str | None:
    """The Python file that a line consists of, decoration and a ``File:`` label apart."""
    whole = re.sub(
        r"^(?:new )?(?:file|path|filename)\s*:\s*", "", line.strip(_DECORATION), flags=re.IGNORECASE
    )
    whole = whole.strip(_DECORATION)
    return plain_path(whole) if re.fullmatch(r"[\w./-]+\.py", whole) else None

"""Glob patterns over project paths, blind to case and to how Unicode writes a character."""

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache

_PIECE = re.compile(r"\*\*/|\*+|\?|[^*?]+")
_WILD = {"**/": "(?:.*/)?", "?": "[^/]", "*": "[^/]*"}


def folded(path: str) -> str:
    """``path`` as a careless reader compares names: no case, no width, no trailing dots or spaces."""
    composed = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", path).casefold())
    return "/".join(part.rstrip(". ") or part for part in composed.split("/"))


def matches(path: str, patterns: Iterable[str]) -> bool:
    """Whether a pattern matches ``path``; one without a slash matches a name at any depth.

    One that begins with a slash matches from the root.
    """
    name = folded(path)
    return any(_compiled(pattern).fullmatch(name) for pattern in patterns)


@lru_cache(maxsize=1024)
def _compiled(pattern: str) -> re.Pattern[str]:
    anchored = folded(pattern).removeprefix("/") if "/" in pattern else f"**/{folded(pattern)}"
    pieces = _PIECE.findall(anchored)
    parts = (_WILD.get(one) or (".*" if one[0] == "*" else re.escape(one)) for one in pieces)
    return re.compile("".join(parts), re.DOTALL)

"""Which tokens a change exchanged for which others, one for one, and how often."""

import re
from collections import Counter
from collections.abc import Mapping
from difflib import SequenceMatcher
from keyword import iskeyword

from bot.search.difference.pieces import hunks

MAX_TOKENS = 600
"""Of a block of changed lines, on each side: of more, nothing is read."""
AGAIN = 2
"""So often a literal has to be exchanged to count; many stand for several things."""
_TOKENS = re.compile(r"[^\W\d]\w*|\d[\w.]*|\"[^\"\n]*\"|'[^'\n]*'|[^\w\s]")
_NAMES = re.compile(r"[^\W\d]\w*")
_LITERALS = "0123456789\"'"


def replaced_tokens(base: Mapping[str, str], head: Mapping[str, str]) -> Counter[tuple[str, str]]:
    """The pairs of a name, or a literal, of ``base`` and the one that ``head`` has in its place."""
    counts: Counter[tuple[str, str]] = Counter()
    for edit in hunks(base, head):
        new = _TOKENS.findall(head[edit.path][edit.start : edit.end])
        old = _TOKENS.findall(edit.replacement)
        if max(len(new), len(old)) > MAX_TOKENS:
            continue
        for kind, i1, i2, j1, j2 in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
            if kind == "replace" and i2 - i1 == j2 - j1:
                counts.update(zip(old[i1:i2], new[j1:j2], strict=True))
    return Counter({pair: count for pair, count in counts.items() if _counts(*pair, count)})


def _counts(old: str, new: str, count: int) -> bool:
    if iskeyword(old) or iskeyword(new):
        return False
    names = old.isidentifier() and new.isidentifier()
    return names or (old[0] in _LITERALS and new[0] in _LITERALS and count >= AGAIN)


def with_new_names(code: str, exchanges: Counter[tuple[str, str]]) -> str:
    """``code`` with each name that was exchanged for another, for the one that is most often in its place."""
    names: dict[str, str] = {}
    for (old, new), _ in exchanges.most_common():
        names.setdefault(old, new)
    return _NAMES.sub(lambda found: names.get(found.group(), found.group()), code)

"""Names that another name may be a slip of."""

from collections.abc import Iterable
from difflib import get_close_matches

_MOST = 5


def close(name: str, names: Iterable[str], *, cutoff: float = 0.6) -> list[str]:
    """Names that ``name`` may be a slip of, likeliest first, ``name`` itself left out.

    Same letters in another case or with other underscores come first, then a difference of letters by
    difflib's ratio (Ratcliff and Obershelp's gestalt matching), then a name that holds the other as a word.
    """
    pool = [other for other in dict.fromkeys(names) if other != name]
    exact = [other for other in pool if _bare(other) == _bare(name)]
    similar = get_close_matches(name, pool, n=_MOST, cutoff=cutoff)
    words = set(name.strip("_").split("_"))
    holding = [other for other in pool if len(name) > 2 and (words & set(other.strip("_").split("_")))]
    return list(dict.fromkeys((*exact, *similar, *holding)))[:_MOST]


def _bare(name: str) -> str:
    return name.lower().replace("_", "")

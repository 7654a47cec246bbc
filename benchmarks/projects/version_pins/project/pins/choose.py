"""The version to install."""

import operator

from .version import Version

_SIGNS = {
    ">=": operator.ge,
    "<=": operator.le,
    "==": operator.eq,
    "!=": operator.ne,
    ">": operator.gt,
    "<": operator.lt,
}


class NoVersion(LookupError):
    pass


def _conditions(text):
    for part in filter(None, (part.strip() for part in text.split(","))):
        for sign, holds in _SIGNS.items():
            if part.startswith(sign):
                yield holds, Version(part[len(sign) :].strip())
                break
        else:
            raise ValueError(f"no condition: {part}")


def choose(available, conditions="", allow_candidates=False):
    """The text of the highest version that fulfils all the conditions."""
    wanted = list(_conditions(conditions))
    fitting = [
        version
        for version in map(Version, available)
        if (version.is_final or allow_candidates) and all(holds(version, limit) for holds, limit in wanted)
    ]
    if not fitting:
        raise NoVersion(conditions or "nothing available")
    return max(fitting).text

"""Two versions of a record with a common ancestor become one."""

from .changes import GONE, changes


class Conflict(Exception):
    def __init__(self, keys):
        super().__init__("changed on both sides: " + ", ".join(sorted(keys)))
        self.keys = set(keys)


def merge(base, ours, theirs):
    """The record with the changes of both sides; equal changes are no conflict."""
    mine, other = changes(base, ours), changes(base, theirs)
    conflicts = {key for key in mine if key in other and mine[key] != other[key]}
    if conflicts:
        raise Conflict(conflicts)
    merged = dict(base)
    for key, value in {**mine, **other}.items():
        if value is GONE:
            merged.pop(key, None)
        else:
            merged[key] = value
    return merged

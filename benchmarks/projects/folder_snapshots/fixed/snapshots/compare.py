"""Two snapshots side by side."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Difference:
    added: tuple = ()
    removed: tuple = ()
    changed: tuple = ()
    moved: tuple = ()

    def __bool__(self):
        return bool(self.added or self.removed or self.changed or self.moved)

    def __str__(self):
        marks = [("+", self.added), ("-", self.removed), ("*", self.changed)]
        lines = [f"{mark} {path}" for mark, paths in marks for path in paths]
        return "\n".join(lines + [f"> {old} to {new}" for old, new in self.moved])


def _only_in(first, second):
    return sorted(path for path in first if path not in second)


def compare(before, after):
    """A file that vanished while its contents appeared elsewhere was moved."""
    added, removed = _only_in(after, before), _only_in(before, after)
    moved = []
    for old in list(removed):
        new = next((path for path in added if after.get(path) == before.get(old)), None)
        if new is not None:
            moved.append((old, new))
            removed.remove(old)
            added.remove(new)
    changed = sorted(path for path in before if path in after and before[path] != after[path])
    return Difference(tuple(added), tuple(removed), tuple(changed), tuple(moved))

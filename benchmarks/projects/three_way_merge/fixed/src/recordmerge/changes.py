"""What changed between two versions of a record."""

GONE = object()


def changes(before, after):
    """New values by key; GONE where the key was taken away."""
    changed = {key: value for key, value in after.items() if key not in before or before[key] != value}
    changed.update({key: GONE for key in before if key not in after})
    return changed

"""Settings from several places, later ones stronger."""

import copy

DROP = object()


def merge(base, over):
    """A new dict that shares nothing with the base.

    Tables are merged key by key, anything else is replaced, DROP takes a key away.
    """
    merged = {key: dict(value) if isinstance(value, dict) else value for key, value in base.items()}
    for key, value in over.items():
        if value is DROP:
            merged.pop(key, None)
        elif isinstance(value, dict) and isinstance(merged.get(key), dict):
            merged[key] = merge(merged[key], value)
        else:
            merged[key] = value
    return merged

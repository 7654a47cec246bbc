"""Reads and writes places in JSON documents by paths such as `users.0.name`."""

import json


class NoSuchPlace(LookupError):
    pass


def _parts(path):
    return [part for part in path.split(".") if part]


def _step(value, part):
    if isinstance(value, list):
        if not part.lstrip("-").isdigit():
            raise NoSuchPlace(part)
        position = int(part)
        if not -len(value) <= position < len(value):
            raise NoSuchPlace(part)
        return value[position]
    if isinstance(value, dict) and part in value:
        return value[part]
    raise NoSuchPlace(part)


def read(document, path, default=NoSuchPlace):
    """The value at the path; a `*` stands for every member and makes a list of what they give."""
    try:
        return _read(document, _parts(path))
    except NoSuchPlace:
        if default is NoSuchPlace:
            raise
        return default


def _read(value, parts):
    if not parts:
        return value
    first, rest = parts[0], parts[1:]
    if first == "*":
        members = value.values() if isinstance(value, dict) else value
        return [_read(member, rest) for member in members]
    _read(_step(value, first), rest)


def write(document, path, new):
    *parents, last = _parts(path)
    target = document
    for part in parents:
        target = _step(target, part)
    if isinstance(target, list):
        _step(target, last)
        target[int(last)] = new
    else:
        target[last] = new


def load(text, path=""):
    return read(json.loads(text), path)

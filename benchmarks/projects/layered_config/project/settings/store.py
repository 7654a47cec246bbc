"""The settings that a program works with."""

from .layers import merge

DEFAULTS = {
    "log": {"level": "info", "targets": ["stderr"]},
    "cache": {"size": 64, "paths": {"root": "/tmp/cache"}},
    "name": "app",
}


class Config:
    def __init__(self, *layers):
        values = merge(DEFAULTS, {})
        for layer in layers:
            values = merge(values, layer)
        self._values = values

    def get(self, path):
        value = self._values
        for part in path.split("."):
            value = value[part]
        return value

    def set(self, path, value):
        *tables, name = path.split(".")
        target = self._values
        for part in tables:
            target = target.setdefault(part, {})
        target[name] = value

"""Route patterns: /users/<int:number>/posts/<slug>."""

import re

_PART = re.compile(r"<(?:(?P<kind>\w+):)?(?P<name>\w+)>")
_KINDS = {"str": (r"[^/]+", str), "int": (r"\d+", int), "path": (r".+", str)}


class Pattern:
    def __init__(self, text):
        self.text = text
        self._convert = {}
        expression, end = "", 0
        for part in _PART.finditer(text):
            source, convert = _KINDS[part["kind"] or "str"]
            expression += re.escape(text[end : part.start()]) + f"(?P<{part['name']}>{source})"
            self._convert[part["name"]] = convert
            end = part.end()
        self._expression = re.compile(expression + re.escape(text[end:]))

    def match(self, path):
        """The values by name, or None."""
        found = self._expression.fullmatch(path)
        if found is None:
            return None
        return {name: self._convert[name](value) for name, value in found.groupdict().items()}

    def fill(self, **values):
        return _PART.sub(lambda part: str(values[part["name"]]), self.text)

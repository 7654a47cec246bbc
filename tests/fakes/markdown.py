"""Markdown's own rule for code fences, to say what a reader takes for data."""

import re

_OPENING = re.compile(r" {0,3}(`{3,})[^`]*$")


def outside_fences(text: str) -> str:
    """The lines of ``text`` that lie in no fence; a fence that is never closed runs to the end."""
    outside: list[str] = []
    marker = ""
    for line in re.split(r"\r\n|\n|\r", text):
        if marker:
            if re.fullmatch(rf" {{0,3}}`{{{len(marker)},}}[ \t]*", line):
                marker = ""
        elif opening := _OPENING.match(line):
            marker = opening[1]
        else:
            outside.append(line)
    return "\n".join(outside)

"""Read how doctest reports a failed example, with or without a framework around it.

The report names the example's place, its source, and what was expected and printed, or the exception that was
raised instead.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from bot.cilog.model import Detail
from bot.cilog.paths import project_path
from bot.cilog.tracebacks.native import MAX_MESSAGE, read_traceback
from sandbox.reports import Frame

PLACE = re.compile(r'File "(?P<path>[^"]+)", line (?P<line>\d{1,7}), in (?P<name>\S+)')
_HEADERS = ("Failed example:", "Expected:", "Expected nothing", "Got:", "Got nothing", "Exception raised:")


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """A failed example: ``name`` is the object whose documentation holds it."""

    name: str
    detail: Detail


def read_example(lines: Sequence[str], *, roots: Iterable[str] = ()) -> Example | None:
    """The first failed example in ``lines``, or None."""
    known = tuple(roots)
    found: re.Match[str] | None = None
    sections: dict[str, list[str]] = {}
    current: list[str] | None = None
    for line in lines:
        stripped = line.strip()
        place = PLACE.fullmatch(stripped) if stripped.startswith('File "') else None
        if place and "Failed example:" not in sections:
            found = place
        elif stripped in _HEADERS and stripped not in sections:
            current = sections.setdefault(stripped, [])
        elif stripped.startswith("*****") or (
            # indented, a place is a frame of what was raised
            current is not None and not line.startswith(" ") and (place or line.startswith("-----"))
        ):
            break
        elif current is not None:
            current.append(line.removeprefix("    "))
    if found is None or "Failed example:" not in sections:
        return None
    path = project_path(found["path"], roots=known)
    frames = (Frame(path=path, line=int(found["line"]), function=""),) if path else ()
    if "Exception raised:" in sections:
        raised = read_traceback(sections["Exception raised:"], roots=known)
        detail = replace(raised, frames=(*frames, *raised.frames), related=())
        return Example(name=found["name"], detail=detail)
    want, have = _text(sections.get("Expected:", [])), _text(sections.get("Got:", []))
    said = f"Expected:\n{want}\nGot:\n{have}"[:MAX_MESSAGE]
    return Example(name=found["name"], detail=Detail(message=said, frames=frames))


def _text(lines: Sequence[str]) -> str:
    return "\n".join(line.strip() for line in lines).strip()

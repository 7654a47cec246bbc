"""Replacing a text that a model quotes, where it stands, as exactly as it was quoted."""

import re

from bot.domain import SpanEdit
from bot.errors import PatchError
from bot.patch.replies.artefacts import plain_characters
from bot.patch.replies.match import fitted, locate
from bot.patch.text import NumberedSource, unix_newlines

# A looser comparison looks at each place of the file for each part of the text.
_MAX_PARTS, _MAX_CHARACTERS = 200, 300_000

_PART = re.compile(r"\w+|[^\w\s]")


def substitution(source: NumberedSource, find: str, replace: str) -> SpanEdit:
    """Replace the one occurrence of ``find`` in ``source``.

    When the exact text is absent, one serves that differs in trailing blanks or the newline's style, then one
    that differs in spacing or the kind of quotes, then lines as ``match.locate`` finds them.

    Raises:
        PatchError: ``find`` is blank, absent, or occurs more than once.
    """
    if not find.strip():
        raise PatchError(f"the text to find in {source.path!r} is blank")
    count = source.text.count(find)
    if count > 1:
        raise PatchError(_several(count, source))
    if count == 1:
        start = source.text.index(find)
        return _edit(source, start, start + len(find), find, replace)
    if (span := _loose_match(source, find)) is not None:
        return _edit(source, *span, find, replace)
    if "\n" not in find.strip() and (span := _spaced_match(source, find.strip())) is not None:
        return _edit(source, *span, find, replace.strip() if "\n" not in replace.strip() else replace)
    wanted = unix_newlines(find).strip("\n").split("\n")
    place = locate(source, wanted)
    new = unix_newlines(replace).removesuffix("\n")
    lines = fitted(new.strip("\n").split("\n"), place, source) if new.strip() else []
    return source.replace(place.start + 1, place.end, lines)


def _edit(source: NumberedSource, start: int, end: int, find: str, replace: str) -> SpanEdit:
    text = unix_newlines(replace).replace("\n", source.newline)
    if end == len(source.text) and find.endswith("\n") and not source.text.endswith("\n"):
        text = text.removesuffix(source.newline)
    return SpanEdit(path=source.path, start=start, end=end, replacement=text)


def _loose_match(source: NumberedSource, find: str) -> tuple[int, int] | None:
    lines = unix_newlines(find).split("\n")
    pattern = r"[ \t]*\r?\n".join(re.escape(line.rstrip()) for line in lines)
    if unix_newlines(find).endswith("\n"):
        pattern = pattern.removesuffix(r"\r?\n") + r"(?:\r?\n|\Z)"
    elif find != find.rstrip():
        # without this, "x = 1 " would match the start of "x = 10"
        pattern += r"[ \t]*(?=\r?\n|\Z)"
    return _only(source, pattern)


def _spaced_match(source: NumberedSource, find: str) -> tuple[int, int] | None:
    """Within a line, whatever the blanks between its parts and the kind of quotes."""
    parts = _PART.findall(plain_characters(find))
    if not 1 < len(parts) <= _MAX_PARTS or len(source.text) > _MAX_CHARACTERS:
        return None
    pattern = r"[ \t]*".join("[\"']" if part in {'"', "'"} else re.escape(part) for part in parts)
    left, right = (r"\b" if part[0].isalnum() or part[0] == "_" else "" for part in (parts[0], parts[-1]))
    return _only(source, f"{left}{pattern}{right}")


def _only(source: NumberedSource, pattern: str) -> tuple[int, int] | None:
    found = [match.span() for match in re.finditer(pattern, source.text)]
    if len(found) > 1:
        raise PatchError(_several(len(found), source))
    return found[0] if found else None


def _several(count: int, source: NumberedSource) -> str:
    return f"the text to find occurs {count} times in {source.path!r}: give more context"

"""Read tracebacks as the interpreter prints them: chains, exception groups, syntax errors, notes.

Takes lines that are known to hold one traceback (with the chain before it); where in a log such lines begin
and end is not this module's business. The last exception of a chain is the one that counts; of a group, the
group itself, with its members beside it.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from bot.cilog.model import Detail, Raised
from bot.cilog.paths import project_path
from sandbox.reports import Frame

MAX_MESSAGE = 2_000
"""Characters of a message that are kept."""

MAX_RELATED = 30
"""Exceptions of a chain or group that are kept beside the one that counts."""

MAX_FRAMES = 400
"""Project frames that are kept of one exception: the outermost of a deep recursion are left out."""

MAX_LINE = 1_000
"""Characters; a longer line is no frame."""

MAX_KEPT_LINE = 5_000
"""Characters of a line that are kept until its report has ended: further on no value is looked for."""

MAX_RAISED_LINES = 1_000
"""Lines of one exception's message that are looked at."""

CAUSE = "The above exception was the direct cause of the following exception:"
CONTEXT = "During handling of the above exception, another exception occurred:"
HEADERS = ("Traceback (most recent call last):", "Exception Group Traceback (most recent call last):")

_FRAME = re.compile(r'File "(?P<path>[^"]+)", line (?P<line>\d{1,7})(?:, in (?P<function>.+))?')
_RAISED = re.compile(r"(?P<type>[^\W\d][\w.]*(?:\.<locals>\.[\w.]+)?)(?:: ?(?P<message>.*))?", re.DOTALL)
_MARGIN = re.compile(r"(?P<indent> *)(?:\| ?(?P<text>.*)|\+ (?P<header>\S.*)|\+(?P<rule>-.*))")
SYNTAX = ("SyntaxError", "IndentationError", "TabError")


@dataclass(slots=True)
class _Part:
    """One exception of a chain or group, at the depth of nesting where it stands."""

    depth: int
    frames: list[Frame] = field(default_factory=list)
    raised: list[str] = field(default_factory=list)
    quoted: Frame | None = None
    in_frames: bool = True


def read_traceback(lines: Sequence[str], *, roots: Iterable[str] = ()) -> Detail:
    """The traceback in ``lines``; an empty one where there is none. Any text does."""
    known = tuple(roots)
    parts: list[_Part] = []
    chained = False  # the words between two tracebacks of a chain were seen
    for raw in lines:
        depth, text, rule = _unmargined(raw)
        if rule:
            # Of a group's members each may do without a header, when it was never raised.
            if any(character.isdigit() for character in rule):
                parts.append(_Part(depth=depth, in_frames=False))
        elif text in HEADERS:
            if parts and not chained and parts[-1].depth == depth and not parts[-1].raised:
                parts.pop()
            parts.append(_Part(depth=depth))
            chained = False
        elif text.startswith((CAUSE, CONTEXT)):
            chained = True
        elif parts and not chained:
            _take(parts[-1], text, known)
        elif not parts and text.lstrip().startswith('File "'):
            # A syntax error of the main program has no header.
            parts.append(_Part(depth=depth))
            _take(parts[-1], text, known)
    return _joined(parts)


def raised_in(lines: Sequence[str]) -> tuple[str, str]:
    """The type and message of ``Type: message``, whose further lines follow; no type where it is none."""
    first = lines[0] if lines else ""
    found = _RAISED.fullmatch(first) if len(first) <= 10 * MAX_LINE else None
    head = (found["message"] or "") if found else first
    message = "\n".join((head, *lines[1:])).rstrip()[:MAX_MESSAGE]
    return (found["type"] if found else ""), message


def _unmargined(line: str) -> tuple[int, str, str]:
    """How deep in exception groups a line stands, the line without their margin, or the rule that it is.

    A group's own lines stand at depth 0, as those of a lone exception do; its members' at depth 1.
    """
    found = _MARGIN.fullmatch(line) if line.lstrip(" ")[:1] in {"|", "+"} else None
    if found is None:
        return 0, line, ""
    depth = max(0, len(found["indent"]) // 2 - 1)
    rule = found["rule"] or ""
    return depth + rule.startswith("-+-"), found["text"] or found["header"] or "", rule


def _take(part: _Part, text: str, roots: tuple[str, ...]) -> None:
    body = text.lstrip()
    if part.in_frames:
        found = _FRAME.match(body) if body.startswith('File "') and len(body) <= MAX_LINE else None
        if found:
            path = project_path(found["path"], roots=roots)
            function = (found["function"] or "").strip()
            part.quoted = None
            if path is not None:
                name = "" if function == "<module>" else function
                frame = Frame(path=path, line=int(found["line"]), function=name)
                if found["function"]:
                    part.frames.append(frame)
                    del part.frames[:-MAX_FRAMES]
                else:
                    part.quoted = frame
        elif text and not text.startswith(" "):
            part.in_frames = False
            part.raised.append(text)
    elif len(part.raised) < MAX_RAISED_LINES:
        part.raised.append(text)


def _joined(parts: Sequence[_Part]) -> Detail:
    """The last outermost part, with the others beside it."""
    said = [part for part in parts if part.raised]
    if not said:
        return Detail(frames=tuple(parts[-1].frames) if parts else ())
    top = min(part.depth for part in said)
    at = max(index for index, part in enumerate(said) if part.depth == top)
    beside = [raised_in(part.raised) for part in said if part is not said[at]]
    exception, message = raised_in(said[at].raised)
    # A syntax error stands in no frame: its report names the place.
    quoted = said[at].quoted if exception.startswith(SYNTAX) else None
    members = [frame for part in said[at + 1 :] for frame in part.frames]
    return Detail(
        exception=exception,
        message=message,
        frames=(*said[at].frames, *([quoted] if quoted else []), *members)[:MAX_FRAMES],
        related=tuple(Raised(exception=one, message=words) for one, words in beside[:MAX_RELATED]),
    )

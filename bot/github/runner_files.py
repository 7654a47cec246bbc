"""How an Action speaks to its runner: outputs, the job summary, and commands on standard output.

A runner takes any printed line for a command that begins like one. So what comes from outside is escaped
where it is a command's own text, and stands between ``stop-commands`` and its token where it is shown.
"""

import re
import secrets
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TextIO

from bot.errors import ConfigurationError

SUMMARY_LIMIT_BYTES = 1024 * 1024
"""What GitHub keeps of a step's summary; of one that is larger it keeps nothing."""

ANNOTATION_CHARACTERS = 4_000
CUT = "\n\n… the rest is left out, since GitHub shows no more than 1 MiB.\n"
Level = Literal["error", "warning", "notice"]

_OUTPUT_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*")
_FENCE = re.compile(r"^ {0,3}(`{3,}|~{3,})", re.MULTILINE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Annotation:
    """A remark at lines of a file, 1-based and inclusive; 0 where there is none."""

    level: Level
    message: str
    title: str = ""
    path: str = ""
    line: int = 0
    end_line: int = 0


def new_token() -> str:
    """A word that nobody can guess, for a delimiter or to stop commands with."""
    return f"regreen-{secrets.token_hex(16)}"


def write_outputs(path: Path, outputs: Mapping[str, str], *, token: Callable[[], str] = new_token) -> None:
    """Append to the file that ``GITHUB_OUTPUT`` names; all of them or none.

    Raises:
        ConfigurationError: the file cannot be written.
    """
    text = "".join(_output(name, value, token) for name, value in outputs.items())
    _append(path, text, "GITHUB_OUTPUT")


def _output(name: str, value: str, token: Callable[[], str]) -> str:
    assert _OUTPUT_NAME.fullmatch(name), name
    delimiter = token()
    while delimiter in value:
        delimiter = token()
    value = value.replace("\0", "")
    return f"{name}<<{delimiter}\n{value}\n{delimiter}\n"


def write_summary(path: Path, markdown: str, *, limit: int = SUMMARY_LIMIT_BYTES) -> None:
    """Append what there is room for to the file that ``GITHUB_STEP_SUMMARY`` names, and a note if not all is.

    Raises:
        ConfigurationError: the file cannot be written.
    """
    try:
        there = path.stat().st_size
    except OSError:
        there = 0
    _append(path, cut_markdown(markdown, max(limit - there, 0)), "GITHUB_STEP_SUMMARY")


def cut_markdown(markdown: str, limit: int) -> str:
    """At most ``limit`` bytes of ``markdown``, whole lines of it, with every fence closed and a note."""
    whole = _encoded(markdown)
    if len(whole) <= limit:
        return markdown
    room = limit - len(CUT.encode())
    while room > 0:
        kept = whole[:room].decode("utf-8", "ignore")
        kept = kept[: kept.rfind("\n") + 1]
        closing = _open_fence(kept)
        text = f"{kept}{closing}{CUT}"
        excess = len(_encoded(text)) - limit
        if excess <= 0:
            return text
        room -= excess
    return ""


def _open_fence(markdown: str) -> str:
    """The line that closes the fence that ``markdown`` leaves open; empty if it leaves none."""
    fence = ""
    for match in _FENCE.finditer(markdown):
        found = match[1]
        rest = markdown[match.end() : markdown.find("\n", match.end())]
        if not fence:
            # What stands behind backticks may hold none: the line is text with code in it.
            fence = "" if found[0] == "`" and "`" in rest else found
        elif found[0] == fence[0] and len(found) >= len(fence) and not rest.strip():
            fence = ""
    return f"{fence}\n" if fence else ""


def _append(path: Path, text: str, variable: str) -> None:
    """All of ``text`` or nothing: the runner takes half of an output for a mistake, and fails the step."""
    kept = ""
    try:
        with path.open("ab", buffering=0) as file:
            start = file.tell() if file.seekable() else None
            rest = _encoded(text)
            try:
                while rest:
                    rest = rest[file.write(rest) :]
            except OSError:
                if start is not None:
                    with suppress(OSError):  # a device has no length
                        file.truncate(start)
                        kept = "; it is as it was before"
                raise
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise ConfigurationError(
            f"cannot write the file that {variable} names, {path}: {reason}{kept}"
        ) from error


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "replace")


class RunnerLog:
    """Standard output as the runner reads it, line by line."""

    def __init__(self, stream: TextIO, *, token: Callable[[], str] = new_token) -> None:
        self._stream = stream
        self._token = token

    def mask(self, secret: str) -> None:
        """Have the runner hide ``secret`` from here on; each line of it, since logs are lines."""
        for line in {secret, *secret.splitlines()}:
            if line.strip():
                self._command("add-mask", line)

    def annotate(self, annotation: Annotation) -> None:
        """A remark, shown at the file's line where it has one."""
        properties = {
            "title": annotation.title,
            "file": annotation.path,
            "line": str(annotation.line or ""),
            "endLine": str(annotation.end_line or ""),
        }
        self._command(annotation.level, annotation.message[:ANNOTATION_CHARACTERS], properties)

    @contextmanager
    def group(self, title: str) -> Iterator[None]:
        """What is written within can be folded."""
        self._command("group", title)
        try:
            yield
        finally:
            self._command("endgroup", "")

    def untrusted(self, text: str) -> None:
        """Show what comes from outside; nothing in it is a command."""
        token = self._token()
        while token in text:
            token = self._token()
        self._command("stop-commands", token)
        try:
            self._write(text if text.endswith("\n") else f"{text}\n")
        finally:
            self._write(f"::{token}::\n")

    def _command(self, name: str, message: str, properties: Mapping[str, str] | None = None) -> None:
        given = {key: value for key, value in (properties or {}).items() if value}
        words = ",".join(f"{key}={escape_property(value)}" for key, value in given.items())
        self._write(f"::{name}{' ' if words else ''}{words}::{escape_message(message)}\n")

    def _write(self, text: str) -> None:
        self._stream.write(_encoded(text).decode("utf-8"))
        self._stream.flush()


def escape_message(text: str) -> str:
    """A command's message as the runner unescapes it."""
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def escape_property(text: str) -> str:
    """A command's property as the runner unescapes it."""
    return escape_message(text).replace(":", "%3A").replace(",", "%2C")

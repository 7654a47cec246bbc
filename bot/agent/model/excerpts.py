"""The part of the project around the most suspicious line, for where no whole function can be shown.

Pure; cut to a size that a small model's context holds.
"""

import ast
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bot.domain import Suspicion
from bot.patch.syntax import Function, first_line, parsed_by_lines

EXCERPT_LINES = 80
NEIGHBOURHOOD = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Excerpt:
    """Lines of a file, from ``start`` (1-based) on."""

    path: str
    start: int
    text: str

    @property
    def numbered(self) -> str:
        """The lines with their numbers in front."""
        lines = self.text.split("\n")
        return "\n".join(f"{self.start + i}| {line.rstrip(chr(13))}" for i, line in enumerate(lines))


def suspicious_excerpt(sources: Mapping[str, str], suspicions: Sequence[Suspicion]) -> Excerpt | None:
    """The function that holds the most suspicious line, or lines around that; None where no source has it."""
    known = next((suspicion for suspicion in suspicions if suspicion.path in sources), None)
    if known is None:
        return None
    source = sources[known.path]
    start, end = _function_around(source, known.line)
    if end - start >= EXCERPT_LINES:
        start = max(start, known.line - EXCERPT_LINES // 2)
        end = min(end, start + EXCERPT_LINES - 1)
    lines = source.split("\n")[start - 1 : end]
    return Excerpt(path=known.path, start=start, text="\n".join(lines))


def functions(source: str) -> list[Function]:
    """The functions of a module, at any depth; none where it does not parse."""
    tree = parsed_by_lines(source)
    return [node for node in ast.walk(tree) if isinstance(node, Function)] if tree else []


def span(node: Function) -> tuple[int, int]:
    """First and last line of a function (1-based, inclusive), its decorators included."""
    return first_line(node), node.end_lineno or node.lineno


def _function_around(source: str, line: int) -> tuple[int, int]:
    """First and last line of the innermost function around ``line``, or of its neighbourhood."""
    spans = [found for found in map(span, functions(source)) if found[0] <= line <= found[1]]
    if spans:
        return max(spans)
    last = source.count("\n") + 1
    return max(1, line - NEIGHBOURHOOD), min(last, line + NEIGHBOURHOOD)

"""Parts of the project around suspicious lines, for where no whole function can be shown.

Pure; the choice is by suspicion and size, so that a small model's context holds it.
"""

from __future__ import annotations

import ast
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from bot.domain import Suspicion

EXCERPT_LINES = 80
FUNCTIONS = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Excerpt:
    """Lines ``start`` to ``end`` (1-based, inclusive) of a file."""

    path: str
    start: int
    end: int
    text: str

    @property
    def numbered(self) -> str:
        """The lines with their numbers in front."""
        lines = self.text.split("\n")
        return "\n".join(f"{self.start + i}| {line.rstrip(chr(13))}" for i, line in enumerate(lines))


def suspicious_excerpts(
    sources: Mapping[str, str], suspicions: Sequence[Suspicion], *, limit: int = FUNCTIONS
) -> tuple[Excerpt, ...]:
    """The functions that hold the most suspicious lines, the most suspicious first."""
    chosen: dict[tuple[str, int], Excerpt] = {}
    for suspicion in suspicions:
        if len(chosen) >= limit:
            break
        text = sources.get(suspicion.path)
        if text is None:
            continue
        start, end = _function_around(text, suspicion.line)
        if end - start >= EXCERPT_LINES:
            start = max(start, suspicion.line - EXCERPT_LINES // 2)
            end = min(end, start + EXCERPT_LINES - 1)
        if not any(e.path == suspicion.path and e.start <= suspicion.line <= e.end for e in chosen.values()):
            chosen[suspicion.path, start] = _cut(suspicion.path, text, start, end)
    return tuple(chosen.values())


def _cut(path: str, text: str, start: int, end: int) -> Excerpt:
    return Excerpt(path=path, start=start, end=end, text="\n".join(text.split("\n")[start - 1 : end]))


def _function_around(text: str, line: int) -> tuple[int, int]:
    """First and last line of the innermost function around ``line``, or of its neighbourhood."""
    spans = [span for span in _functions(text) if span[0] <= line <= span[1]]
    if spans:
        return max(spans)
    last = text.count("\n") + 1
    return max(1, line - 10), min(last, line + 10)


def _functions(text: str) -> Iterator[tuple[int, int]]:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(text.removeprefix("\ufeff"))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    nodes: Iterable[ast.AST] = ast.walk(tree)
    for node in nodes:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
            yield first, node.end_lineno or node.lineno

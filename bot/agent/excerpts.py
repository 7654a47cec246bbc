"""What a model is shown of the project: the suspicious functions and the failing part of the test.

Pure; the choice is by suspicion and size, so that a small model's context holds it.
"""

from __future__ import annotations

import ast
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from bot.domain import Suspicion
from sandbox.reports import TestResult

EXCERPT_LINES = 80
TEST_LINES = 16
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


def test_excerpt(sources: Mapping[str, str], failure: TestResult) -> str:
    """The lines of the test up to the one that failed; empty when they cannot be found."""
    path = failure.test.split("::")[0]
    if path not in sources and failure.frames:  # the test is a command: its outermost frame is the program's
        path = failure.frames[0].path
    text = sources.get(path)
    if text is None:
        return ""
    lines = [frame.line for frame in failure.frames if frame.path == path]
    if not lines:
        return ""
    start, _ = _function_around(text, lines[0])
    end = lines[0]
    head = text.split("\n")[start - 1].strip() if end - start >= TEST_LINES else ""
    shown = _cut(path, text, max(start, end - TEST_LINES + 1), end).text
    return f"{head}\n    ...\n{shown}" if head else shown


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

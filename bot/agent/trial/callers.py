"""Which passing tests call a function that a patch changes: those are the ones that it could break.

One run of the unchanged project shows it. It says what to try first and no more: the proof of a patch runs
the whole suite.
"""

import ast
from collections.abc import Collection, Iterator, Mapping

from bot.domain import Patch
from bot.patch.syntax import Function, first_line, parsed
from sandbox.reports import Calls


class Callers:
    """The tests that call a patch's functions. What it knows is of this process and never saved."""

    def __init__(self) -> None:
        self._calls: Calls | None = None
        self._functions: dict[str, tuple[str, list[tuple[int, range]]]] = {}

    def learn(self, calls: Calls | None) -> None:
        """Take what a run of the unchanged project says, if it says anything."""
        self._calls = calls or self._calls

    def likeness(self, tests: Collection[str]) -> Mapping[str, float] | None:
        """How like ``tests`` each test is (``Calls.likeness``); None where one of ``tests`` was not seen."""
        if self._calls is None or not set(tests).issubset(self._calls.tests):
            return None
        return self._calls.likeness(tests)

    def of(self, patch: Patch, sources: Mapping[str, str]) -> frozenset[str] | None:
        """The tests that call a function in which ``patch`` changes the body of the original ``sources``.

        None where that is not known, or where it changes anything else: any test may depend on that.
        """
        if self._calls is None:
            return None
        found: set[str] = set()
        for path, lines in replaced_lines(patch, sources).items():
            functions = self._functions_of(path, sources.get(path, ""))
            for line in lines:
                first = _around(line, functions)
                callers = self._calls.callers(path, first) if first else None
                if callers is None:
                    return None
                found |= callers
        return frozenset(found)

    def _functions_of(self, path: str, source: str) -> list[tuple[int, range]]:
        """The functions of the file at ``path``, parsed once: a search asks again and again."""
        known = self._functions.get(path)
        if known is None or known[0] != source:
            tree = parsed(source)
            known = self._functions[path] = source, list(_functions(tree)) if tree is not None else []
        return known[1]


def replaced_lines(patch: Patch, sources: Mapping[str, str]) -> dict[str, set[int]]:
    """The lines of the original files that ``patch`` replaces, or inserts before, by path; 1-based."""
    lines: dict[str, set[int]] = {}
    for edit in patch.edits:
        text = sources.get(edit.path, "")
        first = text.count("\n", 0, edit.start) + 1
        last = first + text.count("\n", edit.start, max(edit.start, edit.end - 1))
        lines.setdefault(edit.path, set()).update(range(first, last + 1))
    return lines


def _functions(tree: ast.Module) -> Iterator[tuple[int, range]]:
    """The functions' first lines as the compiler counts, and the lines of their bodies; outer ones first."""
    for node in ast.walk(tree):
        if isinstance(node, Function):
            yield first_line(node), range(node.body[0].lineno, (node.end_lineno or node.lineno) + 1)


def _around(line: int, functions: list[tuple[int, range]]) -> int:
    """The first line of the innermost of ``functions`` in whose body ``line`` lies; 0 where none does."""
    around = [(len(body), first) for first, body in functions if line in body and first != body.start]
    return min(around)[1] if around else 0

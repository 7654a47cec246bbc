"""What runs because a test fails, and not the other way round: it is little suspect.

Only failing tests execute it, so line spectra alone hold it for the fault: an assertion that fails shows its
values by ``__repr__``, and an error that is raised is made by the ``__init__`` of its class.
"""

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from bot.domain import Suspicion
from bot.patch.syntax import last_name, parsed, walk
from bot.search.source import FUNCTIONS
from sandbox.reports import TestResult

_SHARE = 0.3
"""What is left of the suspicion of such a line."""
_ERRORS = ("Error", "Exception", "Warning")


def weakened(
    suspicions: Sequence[Suspicion], sources: Mapping[str, str], failing: Sequence[TestResult]
) -> tuple[Suspicion, ...]:
    """``suspicions`` with less of it where a failure itself leads to, the most suspicious first."""
    asked = any("repr(" in sources.get(result.test.split("::")[0], "") for result in failing)
    aside: dict[str, set[int]] = {}
    for path in {one.path for one in suspicions}:
        tree = parsed(sources.get(path, ""))
        found = _after(tree, with_repr=not asked) if tree is not None else ()
        aside[path] = {line for function in found for line in range(function[0], function[1] + 1)}
    less = (
        replace(one, score=one.score * _SHARE) if one.line in aside[one.path] else one for one in suspicions
    )
    return tuple(sorted(less, key=lambda one: -one.score))


def _after(tree: ast.Module, *, with_repr: bool) -> Iterator[tuple[int, int]]:
    """The first and last lines of the methods that a failure calls."""
    for node in walk(tree):
        if isinstance(node, ast.ClassDef):
            is_error = any(last_name(base).endswith(_ERRORS) for base in node.bases)
            for part in node.body:
                named = getattr(part, "name", "")
                if (named == "__repr__" and with_repr) or (named in {"__init__", "__str__"} and is_error):
                    assert isinstance(part, FUNCTIONS)
                    yield part.lineno, part.end_lineno or part.lineno

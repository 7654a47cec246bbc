"""What a direct route is made of: the words of a failure, and the fixes that they call for."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple, TypeAlias

from bot.search.direct.failure import Failure
from bot.search.direct.project import Project
from bot.search.operators.base import Mutation

Fixes: TypeAlias = Callable[[re.Match[str], Failure, Project], Iterator[Mutation]]


class Rule(NamedTuple):
    """One route: ``fixes`` is asked when ``kind`` was raised with words that ``pattern`` finds.

    ``kind`` is the exception's name, or several with a bar between them; empty stands for any.
    """

    name: str
    kind: str
    pattern: re.Pattern[str]
    fixes: Fixes

    def apply(self, failure: Failure, project: Project) -> Iterator[Mutation]:
        """The fixes for one failure; nothing where the rule does not speak of it."""
        if self.kind and failure.kind not in self.kind.split("|"):
            return
        match = self.pattern.search(failure.message)
        if match is not None:
            yield from self.fixes(match, failure, project)


def rule(name: str, kind: str, pattern: str, fixes: Fixes) -> Rule:
    """A rule from the text of its pattern."""
    return Rule(name, kind, re.compile(pattern, re.DOTALL), fixes)

"""A fix template: a pattern for a failure's message, and the fixes that the message calls for."""

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple, TypeAlias

from bot.search.operators.base import Mutation
from bot.search.templates.failure import Failure
from bot.search.templates.project import Project

Fixes: TypeAlias = Callable[[re.Match[str], Failure, Project], Iterator[Mutation]]


class Template(NamedTuple):
    """``fixes`` is called where an exception of ``kind`` has a message in which ``pattern`` is found.

    ``kind`` is the exception's name, or several with a bar between them; empty stands for any.
    """

    name: str
    kind: str
    pattern: re.Pattern[str]
    fixes: Fixes

    def apply(self, failure: Failure, project: Project) -> Iterator[Mutation]:
        """The fixes for one failure; nothing where the template does not apply."""
        if self.kind and failure.kind not in self.kind.split("|"):
            return
        match = self.pattern.search(failure.message)
        if match is not None:
            yield from self.fixes(match, failure, project)


REGISTERED: list[Template] = []


def template(name: str, kind: str, pattern: str) -> Callable[[Fixes], Fixes]:
    """Register a function as the fixes of a template; of two above one function, the lower comes first."""

    def register(fixes: Fixes) -> Fixes:
        REGISTERED.append(Template(name, kind, re.compile(pattern, re.DOTALL), fixes))
        return fixes

    return register

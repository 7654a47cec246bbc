"""A commit by its name, with git's ways to say which one before it: ``main~3``, ``HEAD^``, ``v1.0^2~1``."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dulwich.objects import Commit
    from dulwich.repo import Repo

MAX_STEPS = 100_000
_STEPS = re.compile(r"(?P<name>[^~^]+)(?P<steps>(?:[~^]\d{0,6})+)")
_STEP = re.compile(r"([~^])(\d*)")


def commit_named(repository: Repo, name: str) -> Commit:
    """The commit that ``name`` stands for.

    Raises:
        Exception: there is none, or it cannot be read; the library raises anything.
    """
    from dulwich.objects import Commit
    from dulwich.objectspec import parse_commit

    match = _STEPS.fullmatch(name)
    if match is None:
        return parse_commit(repository, name.encode())
    found = parse_commit(repository, match["name"].encode())
    for sign, number in _STEP.findall(match["steps"]):
        count = int(number or 1)
        for place in [0] * min(count, MAX_STEPS) if sign == "~" else [count - 1] * bool(count):
            parent = repository[found.parents[place]]
            if not isinstance(parent, Commit):
                raise ValueError(f"{name!a} has a parent that is no commit")  # noqa: TRY004 - data
            found = parent
    return found

"""What a row in a table of rules is."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from bot.triage.model import CauseKind


@dataclass(frozen=True, slots=True, kw_only=True)
class TriageRule:
    """A shape of a line and its meaning; ``example`` is a line of that shape."""

    kind: CauseKind
    subkind: str
    weight: float
    why: str
    example: str
    pattern: re.Pattern[str]


def rule(name: str, weight: float, *, why: str, example: str, patterns: Sequence[str]) -> TriageRule:
    """One row: ``name`` is ``kind/subkind``; a line that has any of ``patterns`` is of that shape."""
    kind, _, subkind = name.partition("/")
    return TriageRule(
        kind=CauseKind(kind),
        subkind=subkind,
        weight=weight,
        why=why,
        example=example,
        pattern=re.compile("|".join(patterns)),
    )

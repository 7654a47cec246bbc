"""What is against a change, and by which other files it would be more."""

from dataclasses import dataclass
from typing import NamedTuple


class Findings(NamedTuple):
    """What is against a change: ``refused`` forbids it, ``shown`` is what a person has to see.

    ``parts`` are harmless alone, and are for a person where one patch has them all.
    """

    refused: tuple[str, ...] = ()
    shown: tuple[str, ...] = ()
    parts: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class CodeFinding:
    """A reason, and the code that it is about, which distinguishes two of one reason."""

    reason: str
    code: str


class Witnessed(NamedTuple):
    """Why a person has to see a change, and the project's files without which there would be more reasons."""

    reasons: tuple[str, ...] = ()
    witnesses: tuple[str, ...] = ()

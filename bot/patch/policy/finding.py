"""What a person has to see in a file."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class CodeFinding:
    """A reason, and the code that it is about, which distinguishes two of one reason."""

    reason: str
    code: str

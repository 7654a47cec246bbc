"""What a triage says of a failed job: frozen data, no judgement.

A verdict decides what is worth trying. It is read off a log, which anyone may have written: it is never
evidence that a test fails or passes.
"""

from dataclasses import dataclass

from bot.causes.exceptions import Cause, CauseKind

__all__ = ["CauseKind", "Finding", "TriageVerdict"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding(Cause):
    """A line of the log that speaks for a cause; ``why`` says what such a line means.

    ``log_line`` counts from 1; it is 0 for what follows from no single line.
    """

    log_line: int = 0
    text: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class TriageVerdict:
    """The judgement, and what it rests on.

    ``confidence`` in [0, 1] is the combined weight of what speaks for the kind, less half of what speaks for
    the strongest other. ``evidence`` are the findings for the kind, the weightiest first, then those
    against it. ``advice`` is a sentence that says what to do next. ``tests`` are the failing tests that look
    like the code's own doing; they are empty unless the kind is ``CODE``.
    """

    kind: CauseKind
    subkind: str
    confidence: float
    advice: str
    evidence: tuple[Finding, ...] = ()
    tests: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """Kind and subkind as one word, such as ``dependency/resolution``."""
        return f"{self.kind.value}/{self.subkind}" if self.subkind else self.kind.value

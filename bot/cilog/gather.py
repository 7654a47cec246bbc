"""Add up what the sessions of one log say: union of the failures, sums of the counts, notes.

The last session that names a test gives its detail, since CI repeats a test to give it another chance;
only a bare line of a short summary does not displace a traceback.
Sessions come in the order in which they began; which of them count is decided before they come here.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from bot.cilog.model import LogFailure, LogReading
from bot.cilog.session import Session, failures, notes

MAX_FAILURES = 10_000
MAX_PROBLEMS = 50
MAX_PROBLEM = 300


@dataclass(slots=True)
class Gather:
    """Collects closed sessions; ``limited`` says that a limit left something out."""

    limited: bool = False
    _last: Session | None = None
    _found: dict[str, LogFailure] = field(default_factory=dict)
    _problems: dict[str, None] = field(default_factory=dict)
    _internal: str = ""
    _runs: int = 0
    _collected: int = 0
    _passed: int = 0
    _failed: int = 0
    _errors: int = 0

    def add(self, session: Session) -> None:
        """Take a closed session; it may still be resumed until the next one comes."""
        self._settle()
        self._last = session

    def resume(self, session: Session) -> Session:
        """The session that ``session`` continues: its predecessor, if that had an opening line.

        A quiet session ends without a ruler. One that ends with a ruler and has no opening line is the
        rest of a session in whose middle a test printed a final line.
        """
        if self._last is None or not self._last.explicit:
            return session
        whole, self._last = self._last, None
        whole.absorb(session)
        return whole

    def note(self, text: str) -> None:
        """Keep a one-line note of a problem."""
        line = text.strip()[:MAX_PROBLEM]
        if len(self._problems) < MAX_PROBLEMS:
            self._problems[line] = None
        elif line not in self._problems:
            self.limited = True

    def trouble(self, line: str) -> None:
        """Take a line on a crash: of pytest's report on its own, the last unindented line counts."""
        if line.startswith("INTERNALERROR> "):
            text = line.removeprefix("INTERNALERROR> ")
            if text.strip() and not text.startswith((" ", "Traceback")):
                self._internal = f"INTERNALERROR: {text}"
            return
        test, fatal, reason = line.partition("Fatal Python error: ")
        self.note(
            f"{fatal}{reason} in {test.strip()}"
            if fatal and "::" in test
            else f"{fatal}{reason}"
            if fatal
            else line
        )

    def reading(self, *, unfinished: bool) -> LogReading:
        """Everything together."""
        self._settle()
        if self._internal:
            self.note(self._internal)
        return LogReading(
            failures=tuple(self._found.values()),
            runs=self._runs,
            collected=self._collected,
            passed=self._passed,
            failed=self._failed,
            errors=self._errors,
            truncated=unfinished or self.limited,
            problems=tuple(self._problems),
        )

    def _settle(self) -> None:
        session, self._last = self._last, None
        if session is None:
            return
        red = failures(session)
        for failure in red:
            # Removed first, so that the order is that of the last sighting.
            earlier = self._found.pop(failure.test, None)
            if len(self._found) < MAX_FAILURES:
                self._found[failure.test] = earlier if earlier and _says_less(failure, earlier) else failure
            else:
                self.limited = True
        for text in notes(session, red):
            self.note(text)
        self._runs += 1
        self._collected += session.collected or 0
        if session.final:
            self._passed += session.final.passed
            self._failed += session.final.failed
            self._errors += session.final.errors


def _says_less(failure: LogFailure, earlier: LogFailure) -> bool:
    return not failure.frames and bool(earlier.frames) and failure.status is earlier.status

"""Answers a request at once, and says how far the repair is: in one comment, edited in place.

What is written are our own words and numbers. Where there are two jobs, the one that searches can write
nothing: the answer says how long it takes at most, and where its log is. In one job it is kept up to date.
Where GitHub cannot be asked, or refuses an answer, that is a ``GitHubError``.
"""

import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field

from bot.action.reporting import Report
from bot.delivery import commands
from bot.errors import GitHubError
from bot.github.client import GitHub
from bot.github.events import Trigger
from bot.ports import Progress

EDIT_SECONDS = 15.0
"""From one edit of the answer to the next, at least."""


def acknowledge(trigger: Trigger, github: GitHub, *, seconds: float, url: str) -> str:
    """Show that the request was seen, and answer it; the answer's address.

    Args:
        trigger: the request.
        github: where it was made.
        seconds: the time budget.
        url: where the run shows how far it is.
    """
    with suppress(GitHubError):  # the answer says the same
        github.react(trigger.comment_id, at_line=trigger.at_line)
    text = f"Regreen looks for a patch, for at most {_time(seconds)} once the environment is built"
    return commands.answer(
        github, trigger.pull, text=text, comment_id=trigger.comment_id, link=("How far it is", url)
    )


def conclude(trigger: Trigger, github: GitHub, report: Report) -> None:
    """Let the answer of ``acknowledge`` say how it ended, if there is one; where GitHub refuses, it stays."""
    if trigger.command != "fix":
        return
    found = bool(report.artifact and report.artifact.is_patched)
    text = "Regreen found a patch" if found else "Regreen found no patch"
    if report.artifact is None:
        text = "Nothing was published"
    url = report.delivered.url if report.delivered else ""
    if not url and (why := str(report.error) if report.error else report.reason):
        text = f"{text}: {why}"
    link = ("Here it is" if found else "The comment says why", url)
    with suppress(GitHubError):
        commands.renew_answer(github, trigger.pull, text=text, comment_id=trigger.comment_id, link=link)


def say_progress(trigger: Trigger, github: GitHub, url: str, text: str) -> None:
    """Let the answer of ``acknowledge`` say how far the repair is."""
    commands.renew_answer(
        github, trigger.pull, text=text, comment_id=trigger.comment_id, link=("The run", url)
    )


def say_nothing(trigger: Trigger, github: GitHub, why: str) -> None:
    """Answer that there is nothing to repair, in place of what ``acknowledge`` said."""
    text = f"There is nothing to repair: {why}."
    commands.answer(github, trigger.pull, text=text, comment_id=trigger.comment_id)
    commands.renew_answer(github, trigger.pull, text=text, comment_id=trigger.comment_id)


@dataclass(slots=True, kw_only=True)
class LiveAnswer:
    """``ports.Progress`` that passes on to ``inner`` what it hears, and keeps an answer up to date.

    ``say`` edits the answer; the first time that GitHub refuses it is the last. ``seconds`` is the budget.
    """

    inner: Progress
    say: Callable[[str], object]
    seconds: float
    clock: Callable[[], float] = time.monotonic
    _phase: str = ""
    _attempts: int = 0
    _began: float | None = None
    _said: float = field(default=float("-inf"))
    _turn: threading.Lock = field(default_factory=threading.Lock)

    def stage(self, name: str, detail: str = "") -> None:
        """See ``ports.Progress``."""
        self.inner.stage(name, detail)
        self._phase = name
        self._renew()

    def tick(self, *, attempts: int | None = None, detail: str = "") -> None:
        """See ``ports.Progress``."""
        self.inner.tick(attempts=attempts, detail=detail)
        if attempts is not None:
            self._attempts = attempts
            self._began = self.clock() if self._began is None else self._began
        self._renew()

    def _renew(self) -> None:
        # Of several threads that have something to say at the same time, one says it.
        if not self._turn.acquire(blocking=False):
            return
        try:
            now = self.clock()
            if now - self._said < EDIT_SECONDS:
                return
            self._said = now
            self.say(self._text(now))
        except GitHubError:
            self._said = float("inf")
        finally:
            self._turn.release()

    def _text(self, now: float) -> str:
        parts = [f"Regreen is at work: {self._phase}"]
        if self._attempts:
            parts.append(f"{self._attempts} candidates tried")
        if self._began is not None:
            parts.append(f"at most {_time(max(0.0, self.seconds - (now - self._began)))} left")
        return ", ".join(parts)


def _time(seconds: float) -> str:
    return f"{seconds:.0f} s" if seconds < 100 else f"{seconds / 60:.0f} min"

"""Two runs on the same tasks: what changed, and whether that is more than chance."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from benchmarks.reports.markdown import table
from benchmarks.reports.shares import Share, mcnemar
from benchmarks.runs.runfile import Run
from benchmarks.runs.tasks import Key
from bot.errors import ConfigurationError

VERDICTS = ("plausible", "correct")


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """One verdict in both runs, on the trials that both have; ``p`` is of McNemar's exact test, two-sided."""

    verdict: str
    before: Share
    after: Share
    gained: tuple[Key, ...]
    lost: tuple[Key, ...]

    @property
    def p(self) -> float:
        """How likely such a difference, or a larger one, is by chance alone."""
        return mcnemar(len(self.gained), len(self.lost))


def compare(before: Run, after: Run, verdict: str) -> Comparison:
    """What became of ``verdict``; where nobody judged, it does not hold."""
    was, now = (_verdicts(run, verdict) for run in (before, after))
    common = [key for key in was if key in now]
    return Comparison(
        verdict=verdict,
        before=Share(count=sum(was[key] for key in common), total=len(common)),
        after=Share(count=sum(now[key] for key in common), total=len(common)),
        gained=tuple(key for key in common if now[key] and not was[key]),
        lost=tuple(key for key in common if was[key] and not now[key]),
    )


def as_markdown(before: Run, after: Run, names: Sequence[str]) -> str:
    """Both verdicts, then the tasks that changed; inputs that differ are said first.

    Raises:
        ConfigurationError: the runs have no trial in common.
    """
    found = [compare(before, after, verdict) for verdict in VERDICTS]
    if not (common := found[0].before.total):
        raise ConfigurationError("the runs have no task in common")
    head = ("verdict", *names, "gained", "lost", "p (McNemar, exact)")
    lines = [
        (c.verdict, c.before, c.after, f"+{len(c.gained)}", f"-{len(c.lost)}", f"{c.p:.3f}") for c in found
    ]
    parts = [table(head, lines)]
    if before.header["inputs"] != after.header["inputs"]:
        parts.insert(0, "The two runs are on different inputs: a task of one may not be that of the other.")
    alone = len(before.rows) - common, len(after.rows) - common
    if any(alone):
        parts.append(
            f"Left out, since only one run has them: {alone[0]} of the first, {alone[1]} of the second."
        )
    for c in found:
        for what, keys in (("gained", c.gained), ("lost", c.lost)):
            if keys:
                parts.append(f"{c.verdict}, {what}: {', '.join(map(_shown, sorted(keys)))}")
    return "\n\n".join(parts) + "\n"


def _verdicts(run: Run, verdict: str) -> Mapping[Key, bool]:
    return {Key.of(row): row.get(verdict) is True for row in run.rows}


def _shown(key: Key) -> str:
    return f"{key.task} #{key.sample}" if key.sample else key.task

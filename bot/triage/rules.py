"""The rules that read single lines: what a line of this shape means, and how sure it makes one.

A rule knows one line and not its place; ``weigh`` decides what counts where it stands. A weight near 1 is for
words that a tool prints only when it gives up for that reason; about 0.5 is for what may be retried or
tolerated; below that is a hint. Rules are about tools and systems in general, never about one project.
"""

from collections.abc import Iterator

from bot.causes.log_rules import RULES
from bot.triage.model import CauseKind, Finding

MAX_TEXT = 300
"""Characters of a line that a finding keeps; a pattern looks at no more than four times as many."""

# Skips name what is missing on purpose.
_NO_FAILURE = ("SKIPPED [", "XFAIL ")


def findings(log_line: int, text: str) -> Iterator[Finding]:
    """What the rules say of one line, at most one finding a kind."""
    if text.startswith(_NO_FAILURE):
        return
    seen: set[CauseKind] = set()
    for rule in RULES:
        if rule.kind not in seen and rule.pattern.search(text, 0, 4 * MAX_TEXT):
            seen.add(rule.kind)
            yield Finding(
                kind=rule.kind,
                subkind=rule.subkind,
                weight=rule.weight,
                why=rule.why,
                log_line=log_line,
                text=text.strip()[:MAX_TEXT],
            )

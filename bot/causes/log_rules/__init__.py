"""The one table of log lines that say why a job failed: what is kept of a log, and what each line means.

The reader of logs (``bot.cilog``) keeps the lines, the triage (``bot.triage``) judges them.
"""

from bot.causes.log_rules import environment, installation, network, other_lines, quality
from bot.causes.log_rules.table import KeptLine, Topic, TriageRule

__all__ = ["KEPT_LINES", "RULES", "KeptLine", "Topic", "TriageRule"]

RULES = (*environment.RULES, *network.RULES, *installation.RULES, *quality.RULES)
"""Every rule; where several of a kind fit a line, the first counts."""

KEPT_LINES = tuple(
    sorted(
        (*(line for rule in RULES for line in rule.kept), *other_lines.LINES),
        key=lambda line: list(Topic).index(line.topic),
    )
)
"""Every line that is kept, by topic."""

"""The one table of log lines that say why a job failed: what is kept of a log, and what each line means.

``rules.toml`` holds it. The reader of logs keeps the lines (``bot.cilog``), the triage judges them.
"""

from importlib.resources import files

from bot.causes.log_rules.table import KeptLine, Topic, TriageRule, read

__all__ = ["KEPT_LINES", "RULES", "KeptLine", "Topic", "TriageRule"]

RULES, _OTHER_LINES = read((files(__name__) / "rules.toml").read_text("utf-8"))
"""Every rule; where several of a kind fit a line, the first counts."""

KEPT_LINES = tuple(
    sorted(
        (*(line for rule in RULES for line in rule.kept), *_OTHER_LINES),
        key=lambda line: list(Topic).index(line.topic),
    )
)
"""Every line that is kept, by topic."""

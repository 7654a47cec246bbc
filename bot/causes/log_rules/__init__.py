"""The one table of log lines that say why a job failed: what is kept of a log, and what each line means.

``rules.toml`` holds it. The reader of logs keeps the lines (``bot.cilog``), the triage judges them. A row is
a shape of a line, what it means, and how the reader of logs finds it.
"""

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from importlib.resources import files

from bot.causes.exceptions import Cause, CauseKind


class Topic(StrEnum):
    """What a line of evidence is about. A topic is where the line was found, not yet a verdict.

    A line that fits several is of the first.
    """

    EXIT = "exit"  # a command's or a job's exit status
    NETWORK = "network"
    DISK = "disk"
    MEMORY = "memory"
    RUNNER = "runner"  # lost communication, shutdown signal
    TIMEOUT = "timeout"
    CANCELLED = "cancelled"
    CRASH = "crash"  # a signal, a fatal error of the interpreter, pytest's INTERNALERROR
    RESOLUTION = "resolution"  # an installer found no set of versions, or failed to build one
    IMPORT = "import"  # a missing module or name
    CONFIGURATION = "configuration"  # a usage error, a missing file or option
    PERMISSION = "permission"  # credentials and rights
    LINT = "lint"  # style, format, types, coverage thresholds
    ORDER = "order"  # seeds and orders of tests, reruns
    FOREIGN = "foreign"  # a tool of another language


@dataclass(frozen=True, slots=True)
class KeptLine:
    """A line that the reader of logs keeps.

    ``literal`` is in every line that ``pattern`` finds: by it lines are found fast in a large log. One that
    begins with a rare character is found faster. ``means`` is the pattern of the triage.
    """

    topic: Topic
    literal: str
    pattern: str
    means: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TriageRule(Cause):
    """A shape of a line and its meaning; ``example`` is a line of that shape, ``kept`` are lines to keep."""

    example: str
    pattern: re.Pattern[str]
    kept: tuple[KeptLine, ...]


def _kept(topic: str, literal: str, pattern: str = "", means: str = "") -> KeptLine:
    """A line to keep; ``pattern`` is the literal unless given, ``means`` the pattern."""
    pattern = pattern or re.escape(literal)
    return KeptLine(Topic(topic), literal, pattern, means or pattern)


def _rule(
    name: str, weight: float, why: str, example: str, patterns: Sequence[str | Mapping[str, str]]
) -> TriageRule:
    """One row: ``name`` is ``kind/subkind``; a line that has any of ``patterns`` is of that shape."""
    kind, _, subkind = name.partition("/")
    shapes = [one if isinstance(one, str) else _kept(**one) for one in patterns]
    return TriageRule(
        kind=CauseKind(kind),
        subkind=subkind,
        weight=weight,
        why=why,
        example=example,
        pattern=re.compile("|".join(one if isinstance(one, str) else one.means for one in shapes)),
        kept=tuple(one for one in shapes if isinstance(one, KeptLine)),
    )


def _read(text: str) -> tuple[tuple[TriageRule, ...], tuple[KeptLine, ...]]:
    """The rules of a table in TOML, and the lines that are kept beside theirs."""
    table = tomllib.loads(text)
    return tuple(_rule(**row) for row in table["rule"]), tuple(_kept(**row) for row in table["lines"])


RULES, _OTHER_LINES = _read((files(__name__) / "rules.toml").read_text("utf-8"))
"""Every rule; where several of a kind fit a line, the first counts."""

KEPT_LINES = tuple(
    sorted(
        (*(line for rule in RULES for line in rule.kept), *_OTHER_LINES),
        key=lambda line: list(Topic).index(line.topic),
    )
)
"""Every line that is kept, by topic."""

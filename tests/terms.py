"""Counts the words that this project replaced, and fails where one returns: ``python tests/terms.py``.

The words to write are those of the field. A count that is not 0 yet may only become less.
"""

import re
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
PLACES = ("bot", "sandbox", "benchmarks", "docs", "README.md", "SECURITY.md", "action.yml")
KINDS = {".py", ".md", ".jinja", ".yml", ".toml"}
# Programs to repair, and results as they were written down.
EXEMPT = re.compile(r"docs/results/")


@dataclass(frozen=True, slots=True)
class Term:
    """A ``pattern`` that stands at most ``allowed`` times, and the words to ``write`` in its place."""

    pattern: str
    write: str
    allowed: int = 0


TERMS = (
    Term(r"folder(?!_snapshots)", "directory"),
    Term(r"rival", "alternative patch"),
    Term(r"(?<![a-z])mend(?:s|ed|ing)?(?![a-z])", "fix, repair"),
    Term(r"strangers?(?![a-z])", "untrusted, from outside"),
    Term(r"parcel(?!_rates)", "payload"),
    Term(r"MOST_", "MAX_"),
    Term(r"brood", "process group, child process"),
    Term(r"\b[Rr]ed (?:test|result|run|job)s?\b", "failing"),
    Term(r"(?<!\.)(?<!def )\b[Tt](?:old|ells?|elling)\b", "report, return, say"),
    Term(r"(?<![A-Za-z])[Ii]deas?(?![a-z])", "candidate, change, fix"),
    Term(r"\b_?(?:red|green|RED|GREEN) (?:=|in)\b|\b_red\b|\b(?:RED|GREEN)\b", "failing, passing"),
    Term(r"[Bb]rackets?", "parentheses ( ), delimiters for all three", allowed=13),
    Term(r"\bfrom_texts\b|\bNumberedText\b|\btext_of\b", "source"),
    Term(r"\bcontext\.text\(|\bSpanEdit\([^)]*\btext=", "code, replacement"),
)


def main() -> int:
    """Print a line for each term; 1 where one stands more often than it may."""
    sources = [path.read_text("utf-8", "replace") for path in _files()]
    failed = False
    for term in TERMS:
        count = sum(len(re.findall(term.pattern, source)) for source in sources)
        too_many = count > term.allowed
        failed |= too_many
        verdict = f"more than {term.allowed}: write {term.write!r}" if too_many else "as allowed"
        print(f"{term.pattern:45} {count:5}  {verdict}")  # noqa: T201 - it is a program
    return int(failed)


def _files() -> list[Path]:
    places = (ROOT / name for name in PLACES)
    found = [path for place in places for path in ([place] if place.is_file() else place.rglob("*"))]
    return [
        path
        for path in found
        if path.suffix in KINDS and path.is_file() and not EXEMPT.match(path.relative_to(ROOT).as_posix())
    ]


if __name__ == "__main__":
    sys.exit(main())

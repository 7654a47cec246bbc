"""Cases of tests that are kept as plain text.

A case begins with ``=== name``. Lines ``key: value`` may follow, then parts: a line ``--- name`` and
its text. So code is read as code, without the quotes and escapes of a string.
"""

from pathlib import Path
from typing import NamedTuple

GOLDEN = Path(__file__).parent / "golden"


class Section(NamedTuple):
    """One case: its facts by key and its parts by name; each part ends with a line feed or is empty."""

    name: str
    facts: dict[str, str]
    parts: dict[str, str]


def sections(path: str) -> list[Section]:
    """The cases of a file below ``tests/golden``."""
    cases = f"\n{(GOLDEN / path).read_text('utf-8')}".split("\n=== ")[1:]
    return [_section(case) for case in cases]


def _section(case: str) -> Section:
    head, *bodies = case.split("\n--- ")
    name, *lines = head.splitlines()
    facts = dict(line.split(": ", 1) for line in lines if line)
    parts = (body.partition("\n") for body in bodies)
    return Section(name, facts, {part: _ended(text) for part, _, text in parts})


def _ended(text: str) -> str:
    return text if not text or text.endswith("\n") else f"{text}\n"

"""Reads which versions a job installed, off the lines that installers print: pip, uv, poetry, pdm, tox."""

import re
from dataclasses import dataclass, field

from bot.cilog.clean import TextBlock
from sandbox.formats import normalised

MAX_PACKAGES = 2_000
MAX_LINE = 40_000
"""Characters of a line that is read: pip prints all that it installed on one."""

_PIP = "Successfully installed "
_PIP_ITEM = re.compile(r"(?P<name>[A-Za-z0-9][\w.-]*)-(?P<version>\d[\w.+!]*)$")
_SATISFIED = re.compile(
    r"Requirement already satisfied: (?P<name>[A-Za-z0-9][\w.-]*).* in \S+.*\((?P<version>\d[\w.+!]*)\)\s*$"
)
_UV = re.compile(r"\s*(?P<sign>[+~-]) (?P<name>[A-Za-z0-9][\w.-]*)==(?P<version>\d[\w.+!-]*)(?: .*)?$")
_POETRY = re.compile(
    r"\s*[-•] (?:Installing|Updating|Downgrading) (?P<name>[A-Za-z0-9][\w.-]*) "
    r"\((?:\S+ -> )?(?P<version>\d[\w.+!-]*)\)"
)
_PDM = re.compile(r"\s*\S* ?Install (?P<name>[A-Za-z0-9][\w.-]*) (?P<version>\d[\w.+!-]*) successful")
_FROZEN = re.compile(r"(?P<name>[A-Za-z0-9][\w.-]*)==(?P<version>\d[\w.+!-]*)$")
_TOX = re.compile(r"[\w.-]+ installed: (?P<items>\S+)$")
_PYTHON = re.compile(
    r"Successfully set up CPython \((?P<set>3\.\d{1,2})|pythonLocation: \S*/Python/(?P<place>3\.\d{1,2})\."
)
# Most lines are distinguished by one of these words.
_WORDS = ("install", "==", "already satisfied", "Updating", "Python")


@dataclass(slots=True)
class InstalledVersions:
    """Collects versions; the last word on a package counts. ``python`` is like ``3.12``."""

    versions: dict[str, str] = field(default_factory=dict)
    python: str = ""

    def read(self, block: TextBlock) -> None:
        """Take a block."""
        if any(word in block.text for word in _WORDS):
            for line in block.lines:
                if len(line) <= MAX_LINE and any(word in line for word in _WORDS):
                    self._take(line)

    def _take(self, line: str) -> None:
        if found := _PYTHON.search(line):
            self.python = found["set"] or found["place"]
        for name, version in _several(line) or _single(line):
            if len(self.versions) < MAX_PACKAGES:
                self.versions[normalised(name)] = version
        if (removed := _UV.match(line)) and removed["sign"] == "-":
            self.versions.pop(normalised(removed["name"]), None)


def _several(line: str) -> list[tuple[str, str]]:
    """The packages of a line that names all that was installed."""
    if line.startswith(_PIP):
        items, pattern = line[len(_PIP) :].split(), _PIP_ITEM
    elif found := _TOX.match(line):
        items, pattern = found["items"].split(","), _FROZEN
    else:
        return []
    return [(one["name"], one["version"]) for item in items if (one := pattern.match(item))]


def _single(line: str) -> list[tuple[str, str]]:
    """The package of a line that names one."""
    found = _SATISFIED.match(line) or _POETRY.match(line) or _PDM.match(line) or _UV.match(line)
    found = found or _FROZEN.match(line.strip())
    if found is None or found.groupdict().get("sign") == "-":
        return []
    return [(found["name"], found["version"])]

"""Find the commands that tools show before they run them: shells, make, tox, nox, hatch and others.

Such a line is what really ran, after every variable and every indirection; it is read off the log alone.
"""

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field

from bot.cilog.model import Echo

MAX_ECHOES = 1_000
MAX_LINE = 4_000

_SHOWN = re.compile(
    r"\+{1,5} (\S.*)"
    r"|\$ (\S.*)"
    r"|[\w.,-]+(?::| run-test:| runtests:) commands\[\d+\](?:>| \|) (.+)"
    r"|nox > ((?!Running session|Creating|Re-using|Session |Ran |Skipping)\S.*)"
    r"|cmd \[\d+\] \| (.+)"
    r"|Poe => (.+)"
    r"|Running:? ((?:python\S* |py\.?test|coverage ).*)"
    r"|\[command\](.+)"
    r"|((?:[\w./-]*/)?"
    r"(?:python[\d.]* (?:-\w+ )*-m (?:pytest|unittest|coverage run)|py\.?test|coverage run)(?: .*)?)"
)
_DIRECTORY = re.compile(
    r"\+{1,5} (?:cd|pushd) (?P<directory>\S+)|make(?:\[\d+\])?: Entering directory '(?P<make>.+)'"
)


@dataclass(slots=True)
class Echoes:
    """Collects every shown command that may run tests, in the order of the log."""

    found: list[Echo] = field(default_factory=list)
    _directory: str = ""

    def read(self, lines: Iterable[str], *, first: int = 1, steps: Collection[int] = ()) -> None:
        """Take lines of the log, from the line ``first`` on; in the lines ``steps`` steps begin."""
        for number, line in enumerate(lines, start=first):
            if number in steps:
                self._directory = ""  # each step begins where the job does
            elif (
                line[:2] in {"+ ", "++", "ma"} and len(line) < MAX_LINE and (moved := _DIRECTORY.match(line))
            ):
                self._directory = moved["directory"] or moved["make"]
            # Most lines are distinguished by this one look.
            if "test" not in line or len(line) > MAX_LINE or len(self.found) >= MAX_ECHOES:
                continue
            shown = _SHOWN.fullmatch(line.rstrip())
            if shown:
                # "Running pytest tests/..." ends a sentence, not a path.
                text = next(filter(None, shown.groups())).removesuffix("...")
                self.found.append(Echo(log_line=number, text=text, directory=self._directory))

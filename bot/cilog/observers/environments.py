"""Read what tox and nox say of their environments: which began where, which failed, by which command."""

import re
from dataclasses import dataclass, field, replace

from bot.cilog.clean import TextBlock
from bot.cilog.model import EnvironmentRun

MAX_ENVIRONMENTS = 500
MAX_TEXT = 2_000
"""Characters of a command."""

# One cheap look at a whole block; few logs have any of these. The later ones follow one of the first.
_FIRST = ("commands[", "nox > ")
_LATER = (*_FIRST, ": commands failed", ": commands succeeded", ": exit ", ": FAIL ", ": OK (")
_NAME = r"[\w.,{}-]{1,100}"
# It ends in no blank, so that what may follow is not looked for behind each of many blanks.
_COMMAND = r"(?:\S(?:.{0,4000}?\S)?)?"
_LINE = re.compile(
    rf"^(?:nox > Running session (?P<session>\S+)"
    rf"|(?P<began>{_NAME})(?: run-test| runtests)?: commands\[\d+\][^|>\n]{{0,200}}[|>] .*"
    rf"|nox > Session (?P<ended>\S+) (?P<how>failed|was successful|aborted|skipped).*"
    rf"|nox > Command (?P<noxed>.{{0,4000}}) failed with exit code -?\d{{1,9}}.*"
    rf"|nox > \* (?P<listed>\S+): (?P<listing>failed|success|skipped|aborted).*"
    rf"|(?P<exited>{_NAME}): exit (?P<exit>-?\d{{1,9}}) \([\d.]+ seconds\) [^>\n]*> "
    rf"(?P<command>{_COMMAND})(?: pid=\d+)?"
    rf"|  (?P<summed>{_NAME}): (?P<sum>OK|FAIL(?: code -?\d{{1,9}})?) \(.*"
    rf"|(?:ERROR: )? +(?P<old>{_NAME}): (?P<word>commands failed|commands succeeded|could not install deps.*)"
    rf"|ERROR: InvocationError for command (?P<invoked>{_COMMAND})"
    rf"(?: \(exited with code -?\d{{1,9}}\))?"
    rf")\s*$",
    re.MULTILINE,
)


@dataclass(slots=True)
class ToxEnvironments:
    """Collects what the blocks it is shown say of environments."""

    limited: bool = False
    _runs: dict[tuple[str, str], EnvironmentRun] = field(default_factory=dict)
    _current: tuple[str, str] = ("", "")

    def read(self, block: TextBlock) -> None:
        """Take a block."""
        triggers = _LATER if self._current[1] or self._runs else _FIRST
        if any(trigger in block.text for trigger in triggers):
            for found in _LINE.finditer(block.text):
                self._take(found)

    @property
    def runs(self) -> tuple[EnvironmentRun, ...]:
        """The environments that ended, in the order in which the log names them first."""
        return tuple(self._runs.values())

    def _take(self, found: re.Match[str]) -> None:
        said = found.groupdict()
        if name := said["session"] or said["began"]:
            self._current = ("nox" if said["session"] else "tox", name)
            return
        tool, name = self._current
        if said["noxed"] is None and said["invoked"] is None:
            tool = "nox" if said["ended"] or said["listed"] else "tox"
            name = said["exited"] or said["ended"] or said["listed"] or said["summed"] or said["old"]
        command = (said["noxed"] or said["invoked"] or said["command"] or "")[:MAX_TEXT]
        self._record(EnvironmentRun(tool=tool, name=name, passed=_passed(said), command=command))

    def _record(self, run: EnvironmentRun) -> None:
        """Put together what is said of one environment: the last word on passing, the first command."""
        key = (run.tool, run.name)
        if not run.name or (key not in self._runs and len(self._runs) >= MAX_ENVIRONMENTS):
            self.limited = self.limited or bool(run.name)
            return
        earlier = self._runs.get(key, run)
        self._runs[key] = replace(run, command=earlier.command or run.command)


def _passed(said: dict[str, str | None]) -> bool:
    good = {"was successful", "success", "skipped", "OK", "commands succeeded"}
    words = (said["how"], said["listing"], said["sum"], said["word"])
    return said["exit"] == "0" or any(word in good for word in words)

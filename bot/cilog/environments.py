"""Read what tox and nox say of their environments: which began where, which failed, by which command."""

import re
from bisect import bisect_right
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
    rf"|nox > Command (?P<noxed>.{{0,4000}}) failed with exit code (?P<noxit>-?\d{{1,9}}).*"
    rf"|nox > \* (?P<listed>\S+): (?P<listing>failed|success|skipped|aborted).*"
    rf"|(?P<exited>{_NAME}): exit (?P<exit>-?\d{{1,9}}) \([\d.]+ seconds\) [^>\n]*> "
    rf"(?P<command>{_COMMAND})(?: pid=\d+)?"
    rf"|  (?P<summed>{_NAME}): (?P<sum>OK|FAIL(?: code (?P<code>-?\d{{1,9}}))?) \(.*"
    rf"|(?:ERROR: )? +(?P<old>{_NAME}): (?P<word>commands failed|commands succeeded|could not install deps.*)"
    rf"|ERROR: InvocationError for command (?P<invoked>{_COMMAND})"
    rf"(?: \(exited with code (?P<invoxit>-?\d{{1,9}})\))?"
    rf")\s*$",
    re.MULTILINE,
)


@dataclass(slots=True)
class ToxEnvironments:
    """Collects what the blocks it is shown say of environments."""

    limited: bool = False
    _runs: dict[tuple[str, str], EnvironmentRun] = field(default_factory=dict)
    _begun: list[tuple[int, str]] = field(default_factory=list)
    _current: tuple[str, str] = ("", "")

    def read(self, block: TextBlock) -> None:
        """Take a block."""
        triggers = _LATER if self._begun or self._runs else _FIRST
        if not any(trigger in block.text for trigger in triggers):
            return
        line, last = block.first, 0
        for found in _LINE.finditer(block.text):
            line += block.text.count("\n", last, found.start())
            last = found.start()
            self._take(found, line)

    @property
    def runs(self) -> tuple[EnvironmentRun, ...]:
        """The environments that ended, in the order in which the log names them first."""
        return tuple(self._runs.values())

    def at(self, log_line: int, *, since: int) -> str:
        """The environment that had begun last at a line of the log, if it began after ``since``."""
        place = bisect_right(self._begun, (log_line, "\U0010ffff")) - 1
        return self._begun[place][1] if place >= 0 and self._begun[place][0] >= since else ""

    def _take(self, found: re.Match[str], line: int) -> None:
        said = found.groupdict()
        if name := said["session"] or said["began"]:
            self._current = ("nox" if said["session"] else "tox", name)
            if len(self._begun) < 100 * MAX_ENVIRONMENTS:
                self._begun.append((line, name))
            return
        tool, name = self._current
        if said["noxed"] is None and said["invoked"] is None:
            tool = "nox" if said["ended"] or said["listed"] else "tox"
            name = said["exited"] or said["ended"] or said["listed"] or said["summed"] or said["old"]
        status = said["noxit"] or said["invoxit"] or said["exit"] or said["code"]
        self._tell(
            EnvironmentRun(
                tool=tool,
                name=name,
                passed=_passed(said),
                log_line=line,
                exit_status=int(status) if status else None,
                command=(said["noxed"] or said["invoked"] or said["command"] or "")[:MAX_TEXT],
            )
        )

    def _tell(self, run: EnvironmentRun) -> None:
        """Put together what is said of one environment: the last word on passing, the first command."""
        key = (run.tool, run.name)
        if not run.name or (key not in self._runs and len(self._runs) >= MAX_ENVIRONMENTS):
            self.limited = self.limited or bool(run.name)
            return
        said = self._runs.get(key, run)
        self._runs[key] = replace(
            said,
            passed=run.passed,
            log_line=run.log_line if said.passed and not run.passed else said.log_line,
            exit_status=said.exit_status if run.exit_status is None else run.exit_status,
            command=said.command or run.command,
        )


def _passed(said: dict[str, str | None]) -> bool:
    good = {"was successful", "success", "skipped", "OK", "commands succeeded"}
    words = (said["how"], said["listing"], said["sum"], said["word"])
    return said["exit"] == "0" or any(word in good for word in words)

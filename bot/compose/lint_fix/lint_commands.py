"""Which checks can fix what they find: ruff, black and isort, as a workflow calls them."""

import re
import shlex
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from bot.cilog.model import LogReading
from bot.compose.lint_fix.pre_commit import hooks
from sandbox.ci.shell import simple_commands
from sandbox.ci.test_words import undressed

# Options that make a tool report and change nothing, or report in another form.
_BLACK_REPORT = {"--check", "--diff", "--color", "-q", "--quiet", "-v", "--verbose"}
_ISORT_REPORT = {"-c", "--check", "--check-only", "--diff", "--df", "-q", "--quiet", "-v", "--verbose"}
_RUFF_REPORT = {"--check", "--diff", "--no-fix", "--show-fixes", "-q", "--quiet", "-v", "--verbose",
                "--statistics"}  # fmt: skip
_RUFF_REPORT_VALUE = {"--output-format", "--format", "--output-file", "-o"}
_SHELL = set("$`<>|;&*?(){}")
_VALUED = {"--color", "--config", "-c"}
# Options of pre-commit by which it looks at other files than all.
_SOME_FILES = {"--files", "--from-ref", "--source", "-s", "--to-ref", "--origin", "-o", "--hook-stage"}
_PINNED = re.compile(r"(black|isort|ruff)(?:\[[\w,-]{0,40}\])?==(\d[\w.]{0,30})")


@dataclass(frozen=True, slots=True, kw_only=True)
class LintCommand:
    """A check, and the call of the same tool that fixes; both are words after ``python -m``.

    ``keeps_meaning`` says that the tool changes nothing but the form, so that the syntax tree stays the same.
    ``requirement`` is what has to be installed for it.
    """

    check: tuple[str, ...]
    fix: tuple[str, ...]
    keeps_meaning: bool
    requirement: str = ""

    @property
    def text(self) -> str:
        """The check as one would type it."""
        return shlex.join(self.check)

    def line(self, python: str) -> str:
        """The check as a command line for the interpreter ``python``."""
        return shlex.join((python, "-m", *self.check))


def read_check(text: str) -> LintCommand | None:
    """The check that ``text`` calls; None where no tool is known that could fix what it finds."""
    try:
        return _known(shlex.split(text))
    except ValueError:
        return None


def checks_of_log(reading: LogReading, files: Mapping[str, bytes]) -> tuple[LintCommand, ...]:
    """The checks of the steps and environments that failed, each once, in their order.

    ``files`` are the project's: pre-commit's hooks stand in one of them. A tool is required in the version
    that a step installs or a hook names.
    """
    scripts = ["\n".join(step.script) for step in reading.steps if step.exit_status]
    scripts += [run.command for run in reading.environments if not run.passed and run.command]
    pins = _pins(word for step in reading.steps for line in step.script for word in line.split())
    found = dict[LintCommand, None]()
    for script in scripts:
        for command in simple_commands(script):
            if command.directory == ".":
                found.update(dict.fromkeys(_checks(command.words, pins, files)))
    return tuple(found)


def _checks(
    words: Sequence[str], pins: Mapping[str, str], files: Mapping[str, bytes]
) -> Iterator[LintCommand]:
    plain = undressed(words)
    if plain[:3] == ("python", "-m", "pre_commit"):
        plain = ("pre-commit", *plain[3:])
    if plain[:2] == ("pre-commit", "run"):
        if _SOME_FILES.intersection(word.partition("=")[0] for word in plain):
            return  # which the tool by itself would not know
        named = [word for word, before in zip(plain[2:], plain[1:], strict=False) if before not in _VALUED]
        only = next((word for word in named if not word.startswith("-")), "")
        for hook, requirement in hooks(files, only):
            if check := _known(hook):
                yield replace(check, requirement=requirement)
    elif check := _known(words):
        tool = check.check[0]
        yield replace(check, requirement=pins.get(tool, tool))


def _pins(words: Iterable[str]) -> dict[str, str]:
    """The versions of the known tools among the words of installs."""
    found = (_PINNED.fullmatch(word.strip("'\"")) for word in words)
    return {match[1]: f"{match[1]}=={match[2]}" for match in found if match}


def _known(words: Sequence[str]) -> LintCommand | None:
    plain = undressed(words)
    if plain[:2] == ("python", "-m"):
        plain = plain[2:]
    if not plain or any(_SHELL & set(word) for word in plain):
        return None
    tool, rest = plain[0].rpartition("/")[2], list(plain[1:])
    if tool == "black":
        paths = tuple(_without(rest, _BLACK_REPORT))
        return LintCommand(check=("black", "--check", *paths), fix=("black", *paths), keeps_meaning=True)
    if tool == "isort":
        paths = tuple(_without(rest, _ISORT_REPORT))
        return LintCommand(
            check=("isort", "--check-only", *paths), fix=("isort", *paths), keeps_meaning=False
        )
    if tool == "ruff" and rest[:1] == ["format"]:
        paths = tuple(_without(rest[1:], _RUFF_REPORT, _RUFF_REPORT_VALUE))
        return LintCommand(
            check=("ruff", "format", "--check", *paths), fix=("ruff", "format", *paths), keeps_meaning=True
        )
    if tool == "ruff" and rest[:1] == ["check"]:
        # Only fixes that ruff calls safe; whoever wants the others says so to ruff.
        paths = tuple(_without(rest[1:], {*_RUFF_REPORT, "--fix", "--unsafe-fixes"}, _RUFF_REPORT_VALUE))
        return LintCommand(
            check=("ruff", "check", "--no-cache", "--no-fix", *paths),
            fix=("ruff", "check", "--no-cache", "--fix", *paths, "--no-unsafe-fixes"),
            keeps_meaning=False,
        )
    return None


def _without(words: Sequence[str], flags: Collection[str], with_value: Collection[str] = ()) -> Iterator[str]:
    rest = iter(words)
    for word in rest:
        name, equals, _ = word.partition("=")
        if name in with_value:
            if not equals:
                next(rest, None)
        elif word not in flags:
            yield word

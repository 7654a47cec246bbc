"""What an option is: its names, its range, and how its values are shown.

It imports next to nothing, since ``regreen --help`` needs it.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from bot.config.options.quantities import show_bytes, show_seconds
from sandbox.base import MIB

Kind = Literal[
    "text", "names", "variables", "bots", "choice", "count", "number", "duration", "mebibytes", "bytes"
]
Value = str | int | float
Scope = Literal["everywhere", "local", "file", "action", "run"]


# What stands for a value in the help, and what a value has to be.
_KINDS: Mapping[Kind, tuple[str, str]] = {
    "text": ("TEXT", "a text"),
    "names": ("NAME,...", "a list of any of"),
    "variables": ("NAME,...", "a list of variables' names, separated by commas, or lines like NAME=value"),
    "bots": ("NAME[bot],...", "a list of bots' logins like dependabot[bot], separated by commas"),
    "choice": ("", "one of"),
    "count": ("N", "a whole number"),
    "number": ("N", "a number"),
    "duration": ("TIME", "a time such as 90s or 10m (a plain number is seconds),"),
    "mebibytes": ("SIZE", "a size such as 512m or 2g (a plain number is MiB),"),
    "bytes": ("SIZE", "a size such as 64k or 1m (a plain number is bytes),"),
}
BOTS = r"^\s*[A-Za-z0-9][A-Za-z0-9-]*\[bot\](\s*,\s*[A-Za-z0-9][A-Za-z0-9-]*\[bot\])*\s*$"


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """One thing that can be configured.

    ``name`` is the key in a file and, with two hyphens, the option of the command line; ``flags`` are
    further spellings there. ``variables`` are what else of the environment is read, after REGREEN_<NAME>.
    ``minimum`` and ``maximum`` are inclusive, in the unit in which a plain number is read: seconds, MiB,
    bytes, or none. ``otherwise`` says in words what holds where there is no fixed default. ``limit``
    names the field of ``sandbox.base.Limits`` that the option sets. A secret is read from the environment
    only: a command line shows in the list of processes, and a file ends up in a repository.
    ``scope`` "file" is for experts: set in a file or the environment only. "local" is not for the Action;
    "action" is for the Action, so not on the command line; "run" belongs to one run of the Action, so not
    into a file either. A ``repeated`` option may be given several times on the command line, which is the
    same as its values with commas.
    """

    name: str
    group: str
    help: str
    kind: Kind = "text"
    default: Value | None = None
    minimum: float = 0
    maximum: float = 0
    choices: tuple[str, ...] = ()
    metavar: str = ""
    otherwise: str = ""
    limit: str = ""
    flags: tuple[str, ...] = ()
    variables: tuple[str, ...] = ()
    secret: bool = False
    repeated: bool = False
    scope: Scope = "everywhere"

    @property
    def on_command_line(self) -> bool:
        """Whether the command line has a flag for it."""
        return self.scope in {"everywhere", "local"} and not self.secret

    @property
    def is_input(self) -> bool:
        """Whether the Action has an input for it."""
        return self.scope not in {"file", "local"}

    @property
    def of_action(self) -> bool:
        """Whether it is a setting that only the Action uses."""
        return self.group == "GitHub" and not self.secret

    @property
    def field(self) -> str:
        """The option's name as Python spells it."""
        return self.name.replace("-", "_")

    @property
    def flag(self) -> str:
        """The option's name on the command line."""
        return f"--{self.name}"

    @property
    def variable(self) -> str:
        """The option's own variable of the environment."""
        return f"REGREEN_{self.field.upper()}"

    @property
    def action_input(self) -> str:
        """The variable in which GitHub passes the Action's input: upper case, hyphens kept."""
        return f"INPUT_{self.name.upper()}"

    @property
    def placeholder(self) -> str:
        """What stands for the value in the help."""
        return ("|".join(self.choices) if self.kind == "choice" else self.metavar) or _KINDS[self.kind][0]

    def show(self, value: Value | None) -> str:
        """``value`` as one may write it; empty where there is none."""
        if value is None or isinstance(value, str):
            return value or ""
        if self.kind == "duration":
            return show_seconds(value)
        if self.kind == "mebibytes":
            return show_bytes(int(value) * MIB)
        if self.kind == "bytes":
            return show_bytes(int(value))
        return f"{value:.15g}" if isinstance(value, float) else str(value)

    @property
    def expected(self) -> str:
        """What a value has to be, in words that end an error message."""
        choices = ", ".join(self.choices)
        end = ", separated by commas" if self.kind == "names" else ""
        return f"{_KINDS[self.kind][1]} {choices}{end}{self.bounds}".rstrip()

    @property
    def bounds(self) -> str:
        """The range, as ``from X to Y``; empty for a text."""
        if not self.maximum:
            return ""
        whole = self.kind not in {"number", "duration"}
        low, high = (int(bound) if whole else float(bound) for bound in (self.minimum, self.maximum))
        return f"from {self.show(low)} to {self.show(high)}"

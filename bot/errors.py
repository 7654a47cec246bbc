"""The exception tree.

RegreenError                    exit_code 1
├── ConfigurationError          2   bad option, no project
│   ├── InvalidConfiguration        options that cannot be used, a line each
│   └── NoTestsFound                the test command finds no test
├── GitHubError                 3   GitHub refused or failed
│   ├── PermissionDenied            the token may not do that; the message names the permission
│   ├── RateLimited                 still, after the waits that were worth it
│   ├── HeadMoved                   a branch is not where it was when the repair began
│   ├── NotFound                    no such thing, or none that this token may see
│   └── Unprocessable               understood and refused (422): a line outside of the diff, a name in use
├── ModelError                  4
│   ├── ModelUnavailable            no key, no endpoint, refused, out of retries
│   └── ContextOverflow             the prompt does not fit the model
├── DeliveryError               5   a verified patch could not be written
└── MachineError                6   the sandbox or the machine failed (wraps sandbox.errors)

A failing test, a failing command or a wrong patch is never one of these: those are values. PatchError and
EmptyPatch are such values for the loop, outside of the tree.
Every message is one line that names what was wrong and what to do about it.
"""

from collections.abc import Sequence
from typing import ClassVar

QUOTED_CHARACTERS = 60


def quoted(text: str, *, limit: int = QUOTED_CHARACTERS) -> str:
    """``text`` as a message shows it: in quotes, shortened, with nothing in it that a terminal acts on."""
    return ascii(text if len(text) <= limit else f"{text[:limit]}...")


def listed(names: Sequence[str], most: int) -> str:
    """``names`` as a message shows them: the first ``most``, and how many more there are."""
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return f"{', '.join(names[:most])}{more}"


class RegreenError(Exception):
    """Root of everything that ends a run with a one-line message and ``exit_code``."""

    exit_code: ClassVar[int] = 1


class ConfigurationError(RegreenError):
    """What the caller asked for cannot be done as asked."""

    exit_code = 2


class InvalidConfiguration(ConfigurationError):
    """Options that cannot be used; ``problems`` has a line for each, and where it stands."""

    def __init__(self, problems: Sequence[str]) -> None:
        super().__init__("; ".join(problems))
        self.problems = tuple(problems)


class NoTestsFound(ConfigurationError):
    """The test command runs, and there is no test in the project for it."""


class GitHubError(RegreenError):
    """GitHub refused or failed."""

    exit_code = 3


class PermissionDenied(GitHubError):
    """The token may not do that; the message names the permission that is missing."""


class RateLimited(GitHubError):
    """GitHub asks to wait longer than is worth it."""


class HeadMoved(GitHubError):
    """A branch does not point any more to what the repair was made for."""


class NotFound(GitHubError):
    """There is no such thing, or none that this token may see."""


class Unprocessable(GitHubError):
    """GitHub understood and refused (422)."""


class ModelError(RegreenError):
    """The language model could not be used."""

    exit_code = 4


class ModelUnavailable(ModelError):
    """No key, no endpoint, refused, or out of retries."""


class ContextOverflow(ModelError):
    """The prompt does not fit the model's context."""


class DeliveryError(RegreenError):
    """A verified patch could not be delivered."""

    exit_code = 5


class MachineError(RegreenError):
    """The sandbox or the machine under it failed."""

    exit_code = 6


class PatchError(Exception):
    """A proposed patch cannot be read or applied; a value for the loop, never the end of a run."""


class InexpressibleChange(PatchError):
    """A change that no patch can express: a deletion, a rename, a link, a mode or binary data."""


class EmptyPatch(PatchError):
    """A proposed patch gives the code as it is."""

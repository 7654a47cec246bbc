"""Which libraries are measured, by a rule that knows nothing of how fast anything is."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from benchmarks.libraries.catalogue import LIBRARY, Item
from bot.errors import ConfigurationError

RULE = (
    "Releases of the catalogue whose whole suite is usable by `regreen bench libraries`, with 500 to "
    "3,000 tests in at most 30 s. Left out is what mutmut itself imports (click, typing-extensions, "
    "platformdirs), and what lies where mutmut does not look for sources (pyyaml). Of each of four "
    "kinds one is taken, then the first four of the rest as the catalogue has them"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """A release of the catalogue, and the kind that it stands for."""

    name: str
    kind: str


CHOSEN = (
    Chosen(name="yarl", kind="C extensions"),
    Chosen(name="werkzeug", kind="heavy fixtures"),
    Chosen(name="starlette", kind="asyncio"),
    Chosen(name="djangorestframework", kind="Django"),
    Chosen(name="attrs", kind=""),
    Chosen(name="pyasn1", kind=""),
    Chosen(name="jinja2", kind=""),
    Chosen(name="google-api-core", kind=""),
)


def kind_of(name: str) -> str:
    """What the library called ``name`` stands for; empty for the rest."""
    return next((one.kind for one in CHOSEN if one.name == name), "")


def measured(items: Iterable[Item], names: Sequence[str]) -> list[Item]:
    """The items called ``names``, or all that the rule chooses, in that order.

    Raises:
        ConfigurationError: the catalogue has no such release.
    """
    by_name = {item.name: item for item in items if item.group == LIBRARY}
    wanted = names or [one.name for one in CHOSEN]
    if unknown := sorted(set(wanted) - by_name.keys()):
        raise ConfigurationError(f"--library: not in the catalogue: {', '.join(unknown)}")
    return [by_name[name] for name in wanted]

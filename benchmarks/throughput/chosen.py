"""Which libraries are measured, by a rule that knows nothing of how fast anything is."""

from collections.abc import Iterable, Sequence

from benchmarks.libraries.catalogue import LIBRARY, Item
from bot.errors import ConfigurationError

# Releases of the catalogue whose whole suite is usable by `regreen bench libraries`, with 500 to 3,000 tests
# in at most 30 s. Left out is what mutmut itself imports (click, typing-extensions, platformdirs), and what
# lies where mutmut does not look for sources (pyyaml). Of each of four kinds one is taken, then the first
# four of the rest as the catalogue has them.
KINDS = {
    "yarl": "C extensions",
    "werkzeug": "heavy fixtures",
    "starlette": "asyncio",
    "djangorestframework": "Django",
    "attrs": "",
    "pyasn1": "",
    "jinja2": "",
    "google-api-core": "",
}


def measured(items: Iterable[Item], names: Sequence[str]) -> list[Item]:
    """The items called ``names``, or all that the rule chooses, in that order.

    Raises:
        ConfigurationError: the catalogue has no such release.
    """
    by_name = {item.name: item for item in items if item.group == LIBRARY}
    wanted = names or list(KINDS)
    if unknown := sorted(set(wanted) - by_name.keys()):
        raise ConfigurationError(f"--library: not in the catalogue: {', '.join(unknown)}")
    return [by_name[name] for name in wanted]

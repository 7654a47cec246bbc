"""What the self-check knows of each provider and of the steps of its builds.

A gap is never reported as passed, whatever the attack achieved. Some exist only on some machines.
"""

from collections.abc import Mapping

from sandbox.providers import KINDS
from sandbox.providers.kind import KnownGap, Traits

_BUILDS = {f"{name} build": kind.build_traits for name, kind in KINDS.items() if kind.build_traits}
_TRAITS: Mapping[str, Traits] = {**{name: kind.traits for name, kind in KINDS.items()}, **_BUILDS}
BUILDS = tuple(_BUILDS)
KNOWN_GAPS = {name: traits.gaps for name, traits in _TRAITS.items()}


def traits_of(provider: str) -> Traits:
    """What is known of ``provider``."""
    return _TRAITS.get(provider, Traits())


def gap_of(provider: str, check: str) -> KnownGap | None:
    """The gap that ``provider`` has at ``check`` on this machine, if any."""
    gap = traits_of(provider).gaps.get(check)
    return gap if gap is not None and gap.applies() else None

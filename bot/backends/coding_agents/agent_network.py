"""What of the network a coding agent reaches: the hosts that its keys and addresses are for."""

from collections.abc import Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from bot.backends.coding_agents.agent_profile import ANY_HOST, AgentProfile
from bot.errors import ConfigurationError
from sandbox.environment.host_filter import HostFilter, Place, filtered_network
from sandbox.environment.own_network import StepNetwork, names_loopback, own_network

FIRST_FREE = 1024
"""Of the ports, the first one that every program may have."""

_PORTS = {"http": 80, "https": 443}


@dataclass(frozen=True, slots=True, kw_only=True)
class Reach:
    """The hosts of ``proxy`` and what of this machine's loopback is ``near``; or ``everything`` there is.

    ``is_local``: something that it is given lies on this machine's loopback.
    """

    proxy: HostFilter
    near: frozenset[Place]
    everything: bool
    is_local: bool = False

    def note(self) -> str:
        """A line that names the hosts that were refused in the turn; empty where none was."""
        refused = ", ".join(self.proxy.refused)
        self.proxy.refused.clear()
        said = f"\nRegreen: the agent may not reach {refused}: name the hosts in its profile\n"
        return said if refused else ""

    def network(self, directory: Path, python: str) -> AbstractContextManager[StepNetwork]:
        """For one turn; ``directory`` is made, and ``python`` runs inside."""
        if self.everything:
            return own_network(shared=self.is_local)
        return filtered_network(self.proxy, loopback=self.near, directory=directory, python=python)


def reach_of(
    profile: AgentProfile, base_url: str, settings: Mapping[str, str], given: Mapping[str, str]
) -> Reach:
    """What the agent of ``profile`` needs: ``base_url``, else the hosts that the keys in ``given`` are for.

    The addresses in ``settings`` and in what is given count in any case, those of other proxies apart.

    Raises:
        ConfigurationError: the model's server has a port of this machine that it cannot have inside.
    """
    hosts = {host for name, some in profile.hosts.items() if given.get(name) for host in some}
    everything = ANY_HOST in hosts
    own = [value for name, value in {**settings, **given}.items() if not name.lower().endswith("_proxy")]
    places = {place for value in (base_url, *own) if (place := _place(value))}
    near = {place for place in places if names_loopback([_shown(place)])}
    model = _place(base_url)
    if model in near and model[1] < FIRST_FREE and not everything:
        raise ConfigurationError(
            f"an agent cannot reach the port {model[1]} of this machine: give the model's server one of "
            f"{FIRST_FREE} or more"
        )
    far = {_shown(place).removeprefix("//") for place in places - near}
    return Reach(
        proxy=HostFilter(far | (set() if base_url else hosts - {ANY_HOST})),
        near=frozenset(place for place in near if place[1] >= FIRST_FREE),
        everything=everything,
        is_local=bool(near),
    )


def _shown(place: Place) -> str:
    host, port = place
    return f"//[{host}]:{port}" if ":" in host else f"//{host}:{port}"


def _place(value: str) -> Place | None:
    """Host and port of a web address; None for anything else."""
    try:
        url = urlsplit(value.strip())
        port = url.port or _PORTS.get(url.scheme, 0)
    except ValueError:
        return None
    return (url.hostname, port) if url.hostname and url.scheme in _PORTS else None

"""What of the network a coding agent reaches: the hosts that its keys and addresses are for."""

from collections.abc import Iterable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from bot.backends.coding_agents.agent_profile import ANY_HOST, AgentProfile
from sandbox.environment.host_filter import HostFilter, filtered_network
from sandbox.environment.own_network import StepNetwork, names_loopback, own_network

_PORTS = {"http": 80, "https": 443}


@dataclass(frozen=True, slots=True, kw_only=True)
class Reach:
    """The hosts of ``proxy`` and ``ports`` of this machine's loopback; with ``everything`` all there is."""

    proxy: HostFilter
    ports: frozenset[int]
    everything: bool

    @property
    def note(self) -> str:
        """A line that names the hosts that were refused; empty where none was."""
        refused = ", ".join(self.proxy.refused)
        return (
            f"\nRegreen: the agent may not reach {refused}: name the hosts in its profile\n"
            if refused
            else ""
        )

    def network(self, directory: Path, python: str) -> AbstractContextManager[StepNetwork]:
        """For one turn; ``directory`` is made, and ``python`` runs inside."""
        if self.everything:
            return own_network(shared=bool(self.ports))
        return filtered_network(self.proxy, loopback=self.ports, directory=directory, python=python)


def reach_of(
    profile: AgentProfile, base_url: str, settings: Iterable[str], given: Mapping[str, str]
) -> Reach:
    """What the agent of ``profile`` needs: ``base_url``, else the hosts that the keys in ``given`` are for.

    The addresses in ``settings`` and in what is given count in any case.
    """
    values = [base_url, *settings, *given.values()]
    places = {place for value in values if (place := _place(value))}
    hosts = {host for name, some in profile.hosts.items() if given.get(name) for host in some}
    local = {port for host, port in places if names_loopback([f"//{host}"])}
    far = {f"{host}:{port}" for host, port in places if not names_loopback([f"//{host}"])}
    return Reach(
        proxy=HostFilter(far | (set() if base_url else hosts - {ANY_HOST})),
        ports=frozenset(local),
        everything=ANY_HOST in hosts,
    )


def _place(value: str) -> tuple[str, int] | None:
    """Host and port of a web address; None for anything else."""
    try:
        url = urlsplit(value.strip())
        port = url.port or _PORTS.get(url.scheme, 0)
    except ValueError:
        return None
    return (url.hostname, port) if url.hostname and url.scheme in _PORTS else None

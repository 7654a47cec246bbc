"""The coding agent that the settings name, ready to work."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bot.agent.state import AGENT
from bot.backends.coding_agents.agent_profile import load
from bot.backends.coding_agents.confined_agent import AgentSettings, ConfinedAgent
from bot.backends.coding_agents.installed import find
from bot.config.settings import Settings
from bot.errors import ConfigurationError
from bot.ports import Progress
from sandbox import leftovers
from sandbox.bubblewrap import BubblewrapProvider
from sandbox.errors import SandboxUnavailable
from sandbox.snapshot import Snapshot

ON_THE_HOST = "process"
"""The sandbox that isolates nothing: with it an agent has the caller's rights as well."""


def check_agent(settings: Settings) -> None:
    """Return if no agent is asked for, or there is one, which can be kept apart here.

    Raises:
        ConfigurationError: the message says what to do.
    """
    if settings.strategy != AGENT:
        return
    profile = load(settings.agent)
    find(profile.command[0], install=profile.install)
    _is_isolated(settings, profile.name)


@contextmanager
def coding_agent(
    settings: Settings, snapshot: Snapshot, progress: Progress
) -> Iterator[ConfinedAgent | None]:
    """The agent where one is asked for, on a copy of ``snapshot`` that is gone at the end.

    Raises:
        ConfigurationError: see ``check_agent``.
    """
    if settings.strategy != AGENT:
        yield None
        return
    profile = load(settings.agent)
    installed = find(profile.command[0], install=profile.install)
    keys = [name for name in profile.variables if os.environ.get(name)]
    isolated = _is_isolated(settings, profile.name)
    if not isolated:
        progress.stage("agent", f"{profile.name} runs with your rights: --sandbox process isolates nothing")
    elif profile.variables and not keys:
        progress.stage("agent", f"none of its keys is set: {', '.join(profile.variables)}")
    started = AgentSettings(
        model=settings.model,
        base_url=settings.base_url,
        environment=os.environ,
        python=sys.executable,
        isolated=isolated,
    )
    with leftovers.directory("agent-") as place:
        yield ConfinedAgent(profile, installed, snapshot, Path(place), started)


def _is_isolated(settings: Settings, name: str) -> bool:
    if settings.sandbox == ON_THE_HOST:
        return False
    try:
        BubblewrapProvider().check()
    except SandboxUnavailable as error:
        raise ConfigurationError(
            f"the agent {name} cannot be kept apart here: {error}; or give it your rights with "
            "--sandbox process"
        ) from error
    return True

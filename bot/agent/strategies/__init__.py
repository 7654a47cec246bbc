"""How candidates are made: interchangeable subgraphs over the loop's state.

To add one: a module with a ``build`` function that returns an uncompiled ``StateGraph`` which sets
``candidates`` (or ``exhausted``), and a line in ``STRATEGIES``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from bot.agent.strategies.hybrid import build as build_hybrid
from bot.agent.strategies.react import build as build_react
from bot.agent.strategies.reflect import build as build_reflect
from bot.agent.strategies.search import build as build_search
from bot.agent.strategies.single import build as build_single
from bot.agent.strategies.tools import build as build_tools

if TYPE_CHECKING:
    from langgraph.graph import StateGraph

    from bot.agent.state import RepairContext, RepairState

STRATEGIES: dict[str, Callable[[], StateGraph[RepairState, RepairContext, RepairState, RepairState]]] = {
    "search": build_search,
    "single": build_single,
    "react": build_react,
    "reflect": build_reflect,
    "tools": build_tools,
    "hybrid": build_hybrid,
}

"""How candidates are made: interchangeable subgraphs over the loop's state.

To add one: a module with a ``build`` function that returns an uncompiled ``StateGraph`` which sets
``candidates`` (or ``exhausted``), and a line in ``STRATEGIES``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from bot.agent.strategies import culprit, hybrid, prove, react, reflect, search, single, tools

if TYPE_CHECKING:
    from langgraph.graph import StateGraph

    from bot.agent.state import RepairContext, RepairState

STRATEGIES: dict[str, Callable[[], StateGraph[RepairState, RepairContext, RepairState, RepairState]]] = {
    "search": search.build,
    "single": single.build,
    "react": react.build,
    "reflect": reflect.build,
    "tools": tools.build,
    "hybrid": hybrid.build,
    "culprit": culprit.build,
    "prove": prove.build,
}

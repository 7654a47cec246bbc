"""How candidates are made: interchangeable subgraphs over the loop's state.

To add one: a module with a ``build`` function that returns a compiled ``StateGraph`` which sets
``candidates`` (or ``exhausted``), mostly by ``subgraph.one_of``, and a line in ``STRATEGIES``.
"""

from collections.abc import Callable

from bot.agent.strategies import agent, given, hybrid, react, reflect, search, single, tools
from bot.agent.strategies.subgraph import Graph

STRATEGIES: dict[str, Callable[[], Graph]] = {
    "search": search.build,
    "single": single.build,
    "react": react.build,
    "reflect": reflect.build,
    "tools": tools.build,
    "hybrid": hybrid.build,
    "agent": agent.build,
    "culprit": given.build_culprit,
    "prove": given.build_prove,
}

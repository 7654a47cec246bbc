"""Strategies that look for nothing: ``culprit`` only explains, ``prove`` judges the patch it was given."""

from __future__ import annotations

from functools import partial
from typing import Any

from langgraph.runtime import Runtime

from bot.agent.state import RepairContext, RepairState
from bot.agent.strategies.subgraph import one_of
from bot.domain import Candidate

GIVEN = "given"
"""The origin of a patch that a person or another tool gave."""


def nothing(_state: RepairState) -> dict[str, Any]:
    """Nothing is left to propose."""
    return {"exhausted": True}


def _given(state: RepairState, runtime: Runtime[RepairContext]) -> dict[str, Any]:
    patch = runtime.context.request.given
    if patch is None or state.drawn:
        return {"exhausted": True, "candidates": ()}
    # As a model's turn: it has to pass the gate, and nothing else is looked for beside it.
    candidate = Candidate(patch=patch, origin=GIVEN, explanation="the given patch", turn=1)
    return {"candidates": (candidate,), "drawn": 1, "exhausted": True}


build_culprit = partial(one_of, {"nothing": nothing})
build_prove = partial(one_of, {"given": _given})
"""The subgraphs: one proposes nothing, the other the patch of a person or of another tool, once."""

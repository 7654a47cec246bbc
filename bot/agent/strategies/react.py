"""The strategy of two agents: Thought explains and plans, Patch turns the plan into a structured patch."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from langgraph.graph import END, START, StateGraph
from langgraph.runtime import Runtime

from bot.agent.excerpts import suspicious_excerpts, test_excerpt
from bot.agent.nodes.record import record
from bot.agent.state import RepairContext, RepairState
from bot.domain import Attempt, Patch, Proposal, Verdict
from bot.errors import ModelUnavailable, PatchError
from bot.patch.parse import parse_reply
from bot.patch.structured import SCHEMA
from bot.ports import ChatBackend, Completion, Message
from bot.prompts import render

if TYPE_CHECKING:
    Graph = StateGraph[RepairState, RepairContext, RepairState, RepairState]

THOUGHT_TOKENS = 200
PATCH_TOKENS = 500
# Greedy first; each further turn is warmer, so that a model leaves the answer that failed.
TEMPERATURES = (0.0, 0.2, 0.4, 0.6, 0.8)
HISTORY_SHOWN = 5
NO_PATCH = Patch(edits=())


def build() -> Graph:
    """The subgraph: think, then patch."""
    graph = StateGraph(RepairState, context_schema=RepairContext)
    graph.add_node("think", think)
    graph.add_node("patch", patch)
    graph.add_edge(START, "think")
    graph.add_edge("think", "patch")
    graph.add_edge("patch", END)
    return graph


def think(state: RepairState, runtime: Runtime[RepairContext]) -> dict[str, Any]:
    """The Thought agent: what is wrong, in words."""
    context = runtime.context
    context.progress.stage("think", f"turn {state.attempts + 1}")
    completion = _ask(state, context, "think", THOUGHT_TOKENS)
    return {"plan": completion.text.strip(), "usage": state.usage + completion.usage}


def patch(state: RepairState, runtime: Runtime[RepairContext]) -> dict[str, Any]:
    """The Patch agent: the plan as edits. A reply that cannot be read becomes an attempt with the reason."""
    context = runtime.context
    context.progress.stage("patch", state.plan.split("\n")[0])
    completion = _ask(state, context, "patch", PATCH_TOKENS, schema=SCHEMA, plan=state.plan)
    usage = state.usage + completion.usage
    try:
        reply = parse_reply(completion.text, context.sources)
    except PatchError as error:
        unread = Proposal(patch=NO_PATCH, origin=completion.model, explanation="an unreadable reply")
        attempt = Attempt(proposal=unread, verdict=Verdict.REJECTED, detail=str(error))
        return {"proposals": (), "usage": usage, **record(state, [attempt], context)}
    explanation = reply.explanation or state.plan
    proposal = Proposal(patch=reply.patch, origin=completion.model, explanation=explanation)
    return {"proposals": (proposal,), "usage": usage}


def _ask(
    state: RepairState,
    context: RepairContext,
    prompt: str,
    max_tokens: int,
    *,
    schema: Mapping[str, object] | None = None,
    **variables: object,
) -> Completion:
    failure = state.baseline.failing[0]
    text = render(
        prompt,
        failure=failure,
        test_code=test_excerpt(context.sources, failure),
        excerpts=suspicious_excerpts(context.sources, state.suspicions),
        history=[_one_line(attempt) for attempt in state.history[-HISTORY_SHOWN:]],
        **variables,
    )
    return _backend(context).complete(
        [Message(role="system", content=render("system")), Message(role="user", content=text)],
        temperature=TEMPERATURES[min(state.attempts, len(TEMPERATURES) - 1)],
        max_tokens=max_tokens,
        schema=schema,
    )


def _backend(context: RepairContext) -> ChatBackend:
    if not context.backends:
        raise ModelUnavailable("this strategy needs a model: pass --model, or use --strategy search")
    return context.backends[0]


def _one_line(attempt: Attempt) -> str:
    edits = "; ".join(edit.text.strip() for edit in attempt.proposal.patch.edits)
    return " ".join(f"{edits or attempt.proposal.explanation}: {attempt.detail}".split())[:300]

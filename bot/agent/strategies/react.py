"""The strategy of two agents: Thought explains and plans, Patch turns the plan into a structured patch."""

from __future__ import annotations

from typing import Any, Literal

from langgraph.graph import END, START, StateGraph
from langgraph.runtime import Runtime

from bot.agent.model.asking import Question, ask
from bot.agent.model.prompting import Prompt
from bot.agent.state import RepairContext, RepairState
from bot.agent.strategies.edited_lines import judged, patch_of, schema_for, spent
from bot.agent.strategies.subgraph import Graph
from bot.agent.strategies.turn import begin, booked, lost, seed, settled, temperature, warmth
from bot.domain import Candidate

THOUGHT_TOKENS = 120
PATCH_TOKENS = 320
PLAN_CHARACTERS = 1_000


def build() -> Graph:
    """The subgraph: think, then patch; of one thought there may be several drafts."""
    graph = StateGraph(RepairState, context_schema=RepairContext)
    graph.add_node("think", think)
    graph.add_node("patch", patch)
    graph.add_conditional_edges(START, _enter, ["think", "patch"])
    graph.add_conditional_edges("think", _after_think, ["patch", END])
    graph.add_edge("patch", END)
    return graph.compile()


def _enter(state: RepairState, runtime: Runtime[RepairContext]) -> Literal["think", "patch"]:
    return "think" if begin(state, runtime.context.request).drafted == 1 else "patch"


def _after_think(state: RepairState) -> Literal["patch", "__end__"]:
    return "__end__" if state.lost else "patch"


def think(state: RepairState, runtime: Runtime[RepairContext]) -> dict[str, Any]:
    """The Thought agent: what is wrong, in words."""
    context = runtime.context
    state = begin(state, context.request)
    context.progress.stage("think", f"turn {state.turn}")
    prompt = Prompt("think", state, context, numbered=True)
    question = Question(
        stage="think",
        compose=prompt,
        max_tokens=THOUGHT_TOKENS,
        temperature=temperature(state),
        seed=seed(state),
    )
    answer = ask(question, state, context)
    if answer.completion is None:
        return lost(answer)
    plan = answer.completion.text.strip()[:PLAN_CHARACTERS] or "(nothing)"
    # The draft that the thought is for is counted when it is made.
    return {"turn": state.turn, "drafted": 0, "plan": plan, **answer.update}


def patch(state: RepairState, runtime: Runtime[RepairContext]) -> dict[str, Any]:
    """The Patch agent: the plan as edits. A reply that cannot be read becomes an attempt with the reason."""
    context = runtime.context
    plan = state.plan
    state = begin(state, context.request)
    context.progress.stage("patch", plan.split("\n")[0])
    prompt = Prompt("patch", state, context, numbered=True, variables={"plan": plan})
    question = Question(
        stage="patch",
        compose=prompt,
        max_tokens=PATCH_TOKENS,
        temperature=warmth(state),
        schema=schema_for(prompt.brief, spent(state.history, prompt.brief, context.sources)),
        seed=seed(state),
    )
    answer = ask(question, state, context)
    said = answer.completion
    if said and (edits := patch_of(said.text, prompt.brief, context.sources)):
        made = Candidate(patch=edits, origin=said.model, explanation=plan, turn=state.turn)
        return booked(judged(made, context.sources), said.text, answer, state, context)
    return settled(answer, prompt, state, context, explanation=plan)

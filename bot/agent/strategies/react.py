"""The strategy of two agents: Thought says what is wrong and where, Patch turns that into a structured patch.

A function that fits into a prompt is first repaired in one call, thought and patch together. When that is in
vain, the agents part: Thought quotes the lines that have to change, Patch edits lines by number. Small models
copy the line that they are shown, so one that returned what it was shown, or failed twice, no longer sees
the lines that it is to write (``gaps``).
"""

from __future__ import annotations

from typing import Any, Literal

from langgraph.graph import END, START, StateGraph
from langgraph.runtime import Runtime

from bot.agent.model.asking import Question, ask
from bot.agent.model.briefing.target import targets
from bot.agent.model.prompting import Prompt
from bot.agent.state import RepairContext, RepairState
from bot.agent.strategies.edited_lines import judged, patch_of, schema_for, spent
from bot.agent.strategies.gaps import fill, hidden
from bot.agent.strategies.quoted_lines import quoted, thought_of, thought_schema
from bot.agent.strategies.subgraph import Graph
from bot.agent.strategies.turn import begin, booked, draft, lost, seed, settled, temperature, warmth
from bot.domain import Candidate, Flaw

THOUGHT_TOKENS = 200
PATCH_TOKENS = 320
SHOWN_TURNS = 2

Step = Literal["draft", "think", "patch"]


def build() -> Graph:
    """The subgraph: both in one, or think, then patch; of one thought there may be several drafts."""
    graph = StateGraph(RepairState, context_schema=RepairContext)
    graph.add_node("draft", draft)
    graph.add_node("think", think)
    graph.add_node("patch", patch)
    graph.add_conditional_edges(START, _enter, ["draft", "think", "patch"])
    graph.add_edge("draft", END)
    graph.add_conditional_edges("think", _after_think, ["patch", END])
    graph.add_edge("patch", END)
    return graph.compile()


def _enter(state: RepairState, runtime: Runtime[RepairContext]) -> Step:
    begun = begin(state, runtime.context)
    if begun.turn == 1 and targets(runtime.context.sources, state.suspicions, most=1):
        return "draft"
    return "think" if begun.drafted == 1 else "patch"


def _after_think(state: RepairState) -> Literal["patch", "__end__"]:
    return "__end__" if state.lost else "patch"


def think(state: RepairState, runtime: Runtime[RepairContext]) -> dict[str, Any]:
    """The Thought agent: what is wrong, in words, and the lines that have to change."""
    context = runtime.context
    state = begin(state, context)
    context.progress.stage("think", f"turn {state.turn}")
    prompt = Prompt("think", state, context, numbered=True)
    question = Question(
        stage="think",
        compose=prompt,
        max_tokens=THOUGHT_TOKENS,
        temperature=temperature(state),
        schema=thought_schema(prompt.brief, spent(state.history, prompt.brief, context.sources)),
        seed=seed(state),
    )
    answer = ask(question, state, context)
    if answer.completion is None:
        return lost(answer)
    # The draft that the thought is for is counted when it is made.
    return {"turn": state.turn, "drafted": 0, "plan": thought_of(answer.completion.text), **answer.update}


def patch(state: RepairState, runtime: Runtime[RepairContext]) -> dict[str, Any]:
    """The Patch agent: the plan as edits. A reply that cannot be read becomes an attempt with the reason."""
    context = runtime.context
    plan, why = state.plan, state.plan.split("\n")[0]
    state = begin(state, context)
    context.progress.stage("patch", why)
    prompt = Prompt("patch", state, context, numbered=True, variables={"plan": plan})
    away = spent(state.history, prompt.brief, context.sources)
    if prompt.brief.target and _hides(state):
        number = max(0, state.turn - 2)
        if found := hidden(prompt.brief.target, quoted(plan, prompt.brief), number=number):
            return fill(found, state, context, shown=state.turn % 2 == 0, explanation=why)
    question = Question(
        stage="patch",
        compose=prompt,
        max_tokens=PATCH_TOKENS,
        temperature=warmth(state),
        schema=schema_for(prompt.brief, away),
        seed=seed(state),
    )
    answer = ask(question, state, context)
    said = answer.completion
    if said and (edits := patch_of(said.text, prompt.brief, context.sources)):
        made = Candidate(patch=edits, origin=said.model, explanation=why, turn=state.turn)
        return booked(judged(made, context.sources), said.text, answer, state, context)
    return settled(answer, prompt, state, context, explanation=why)


def _hides(state: RepairState) -> bool:
    """Whether the model has copied what it saw, or seen the code often enough."""
    return state.turn > SHOWN_TURNS or any(
        attempt.flaw in {Flaw.UNCHANGED, Flaw.REPEATED} for attempt in state.history
    )

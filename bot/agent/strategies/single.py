"""The strategy that others are measured against: one question, a draft or several, no feedback."""

from __future__ import annotations

import dataclasses
from typing import Any

from langgraph.runtime import Runtime

from bot.agent.model.asking import Question, ask
from bot.agent.model.prompting import Prompt
from bot.agent.state import RepairContext, RepairState
from bot.agent.strategies.subgraph import Graph, one_of
from bot.agent.strategies.turn import WORDS, begin, reply_tokens, seed, settled, warmth


def build() -> Graph:
    """The subgraph: one node."""
    return one_of({"answer": answer})


def answer(state: RepairState, runtime: Runtime[RepairContext]) -> dict[str, Any]:
    """The likeliest repair, then further drafts by the same question; none learns of those before it."""
    context = runtime.context
    drafts = context.request.model.drafts
    if state.drafted >= drafts:  # the last patch did not hold in a fresh sandbox
        return {"candidates": (), "exhausted": True}
    state = begin(state, context.request)
    context.progress.stage("answer", f"draft {state.drafted} of {drafts}" if drafts > 1 else "the only turn")
    prompt = Prompt("draft", dataclasses.replace(state, history=()), context)
    question = Question(
        stage="answer",
        compose=prompt,
        max_tokens=reply_tokens(prompt, context, more=WORDS),
        temperature=warmth(state),
        seed=seed(state),
    )
    said = ask(question, state, context)
    return {**settled(said, prompt, state, context), "exhausted": state.drafted >= drafts}

"""The strategy that others are measured against: one question, one answer, no feedback."""

from __future__ import annotations

from typing import Any

from langgraph.runtime import Runtime

from bot.agent.model.asking import Question, ask
from bot.agent.model.prompting import Prompt
from bot.agent.state import RepairContext, RepairState
from bot.agent.strategies.subgraph import Graph, one_of
from bot.agent.strategies.turn import WORDS, begin, reply_tokens, settled


def build() -> Graph:
    """The subgraph: one node."""
    return one_of({"answer": answer})


def answer(state: RepairState, runtime: Runtime[RepairContext]) -> dict[str, Any]:
    """The likeliest repair; whatever comes of it, there is no second."""
    context = runtime.context
    if state.turn:  # the one patch did not hold in a fresh sandbox
        return {"candidates": (), "exhausted": True}
    state = begin(state, context.request)
    context.progress.stage("answer", "the only turn")
    prompt = Prompt("draft", state, context)
    question = Question(stage="answer", compose=prompt, max_tokens=reply_tokens(prompt, context, more=WORDS))
    said = ask(question, state, context)
    return {**settled(said, prompt, state, context), "exhausted": True}

"""Let a model object to a patch before it runs: the reason goes back, and a bad critic soon falls silent.

The model is asked what it thinks of the patch, and is never what a verdict rests on: an answer that cannot be
read, and a model that is not to be had, change nothing.
"""

import dataclasses
import json
import re
from typing import Any

from langgraph.runtime import Runtime

from bot.agent.model.asking import Question, ask, object_schema
from bot.agent.model.briefing.history import diff_lines
from bot.agent.model.prompting import Prompt
from bot.agent.nodes.record import record
from bot.agent.state import RepairContext, RepairState
from bot.domain import Attempt, Candidate, Flaw, Verdict
from bot.errors import ModelError
from bot.patch.text import one_line
from bot.ports import Completion

VERDICT_TOKENS = 80
REASON_CHARACTERS = 200
VERDICT_SCHEMA = object_schema(
    {"reason": {"type": "string", "maxLength": 160}, "repairs": {"type": "boolean"}}
)
_NO = re.compile(r'"?repairs"?\s*:\s*"?(?:false|no)\b', re.IGNORECASE)
_REASON = re.compile(r'"reason"\s*:\s*"((?:[^"\\]|\\.)*)"')


def critic(state: RepairState, runtime: Runtime[RepairContext]) -> dict[str, Any]:
    """Keep the candidates that the critic has nothing against; one that it objects to becomes an attempt."""
    context = runtime.context
    first, *others = state.candidates
    said, spent = _asked(first, state, context)
    objection = _objection(said.text) if said else ""
    context.trajectory.note(
        "critic", turn=state.turn, model=said.model if said else "", veto=bool(objection), reason=objection
    )
    if not objection:
        return spent
    vetoed = Attempt(candidate=first, verdict=Verdict.REJECTED, detail=objection, flaw=Flaw.VETOED)
    booked = record(state, [vetoed], context)
    return {**spent, **booked, "candidates": tuple(others), "vetoes": state.vetoes + 1}


def _asked(
    candidate: Candidate, state: RepairState, context: RepairContext
) -> tuple[Completion | None, dict[str, Any]]:
    """What the strongest model says of ``candidate``, and what that cost, as changes to the state."""
    change = diff_lines(Attempt(candidate=candidate, verdict=Verdict.FAILING), context.sources)
    prompt = Prompt("critic", state, context, variables={"change": change})
    question = Question(
        stage="critic", compose=prompt, max_tokens=VERDICT_TOKENS, schema=VERDICT_SCHEMA, seed=state.turn
    )
    if not context.backends:
        return None, {}
    strongest = dataclasses.replace(state, tier=len(context.backends) - 1)
    context.progress.stage("critic", context.backends[-1].model)
    try:
        answer = ask(question, strongest, context)
    except ModelError as error:
        context.progress.stage("model", str(error))
        return None, {}
    # Whose turn it is to write patches is none of the critic's business.
    spent = {key: value for key, value in answer.update.items() if key.startswith("usage") or key == "gone"}
    return answer.completion, spent if answer.completion else {}


def _objection(text: str) -> str:
    """What the critic has against a patch, in words; empty where it has nothing."""
    if not _NO.search(text):
        return ""
    reason = _REASON.search(text)
    said = one_line(_unescaped(reason[1]), limit=REASON_CHARACTERS) if reason else ""
    return f"the critic does not believe in it: {said or 'no reason'}"


def _unescaped(text: str) -> str:
    try:
        return str(json.loads(f'"{text}"', strict=False))
    except ValueError:
        return text

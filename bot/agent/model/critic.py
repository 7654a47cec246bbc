"""A model as verifier: it is asked what it thinks of a patch, and is never what a verdict rests on.

It may send a patch back before it runs. An answer that cannot be read, and a model that is not to be had,
change nothing.
"""

import dataclasses
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from bot.agent.model.asking import Question, ask
from bot.agent.model.briefing.history import diff_lines
from bot.agent.model.prompting import Prompt
from bot.agent.state import RepairContext, RepairState
from bot.domain import Attempt, Candidate, Verdict
from bot.errors import ModelError
from bot.patch.text import one_line

VERDICT_TOKENS = 80
REASON_CHARACTERS = 200
VERDICT_SCHEMA: Mapping[str, object] = {
    "type": "object",
    "properties": {"reason": {"type": "string", "maxLength": 160}, "repairs": {"type": "boolean"}},
    "required": ["reason", "repairs"],
    "additionalProperties": False,
}
_NO = re.compile(r'"?repairs"?\s*:\s*"?(?:false|no)\b', re.IGNORECASE)
_REASON = re.compile(r'"reason"\s*:\s*"((?:[^"\\]|\\.)*)"')


@dataclass(frozen=True, slots=True, kw_only=True)
class Opinion:
    """What the critic says against a patch; ``update`` is what asking cost, as changes to the state."""

    objection: str = ""
    model: str = ""
    update: dict[str, Any] = dataclasses.field(default_factory=dict)


def judge(candidate: Candidate, state: RepairState, context: RepairContext) -> Opinion:
    """Whether ``candidate`` is worth running."""
    change = diff_lines(Attempt(candidate=candidate, verdict=Verdict.FAILING), context.sources)
    prompt = Prompt("critic", state, context, variables={"change": change})
    question = Question(
        stage="critic", compose=prompt, max_tokens=VERDICT_TOKENS, schema=VERDICT_SCHEMA, seed=state.turn
    )
    text, opinion = _asked(question, state, context)
    if not _NO.search(text):
        return opinion
    reason = _REASON.search(text)
    said = one_line(_unescaped(reason[1]), limit=REASON_CHARACTERS) if reason else ""
    return dataclasses.replace(opinion, objection=f"the critic does not believe in it: {said or 'no reason'}")


def _asked(question: Question, state: RepairState, context: RepairContext) -> tuple[str, Opinion]:
    """What the strongest model says, and an opinion that only costs."""
    if not context.backends:
        return "", Opinion()
    strongest = dataclasses.replace(state, tier=len(context.backends) - 1)
    context.progress.stage(question.stage, context.backends[-1].model)
    try:
        answer = ask(question, strongest, context)
    except ModelError as error:
        context.progress.stage("model", str(error))
        return "", Opinion()
    if answer.completion is None:
        return "", Opinion()
    # Whose turn it is to write patches is none of the critic's business.
    spent = {
        name: value for name, value in answer.update.items() if name.startswith("usage") or name == "gone"
    }
    return answer.completion.text, Opinion(model=answer.completion.model, update=spent)


def _unescaped(text: str) -> str:
    try:
        return str(json.loads(f'"{text}"', strict=False))
    except ValueError:
        return text

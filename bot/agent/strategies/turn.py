"""What the turns of all strategies with a model have in common: counting, reading, booking, giving up."""

import dataclasses
from typing import Any

from langgraph.runtime import Runtime

from bot.agent.model.asking import Answer, Question, ask
from bot.agent.model.briefing.target import Target, targets
from bot.agent.model.prompting import Prompt
from bot.agent.model.reading import Asked, read
from bot.agent.nodes.record import record
from bot.agent.state import RepairContext, RepairState, drafts_left
from bot.domain import Attempt, Baseline, Candidate, SpanEdit, Suspicion, Verdict
from bot.internal_errors import guarded

REPLY_FACTOR, REPLY_FRAME_TOKENS = 1.4, 80
FEWEST_TOKENS, MAX_TOKENS = 160, 1_600
# A model that may say what is wrong before it writes the code copies less.
WORDS = 160
FUNCTIONS_ASKED, LIKELY = 3, 0.5
"""The functions that the first turn's drafts go through, and the share of the highest suspicion they have."""
REPLY_CHARACTERS = 3_000
# Further drafts must differ from the first; more than this and small models write nonsense.
DRAFT_WARMTH, HOTTEST = 0.4, 1.0
# Greedy first; each further turn is warmer, so that a model leaves the answer that failed.
TEMPERATURES = (0.0, 0.3, 0.5, 0.7, 0.9)


def begin(state: RepairState, context: RepairContext) -> RepairState:
    """The state in which the next draft is asked for: one more of this turn, or the first of the next.

    Its most suspicious lines are those of the function that is asked for.
    """
    if drafts_left(state, context.request):
        state = dataclasses.replace(state, drafted=state.drafted + 1)
    else:
        state = dataclasses.replace(state, turn=state.turn + 1, drafted=1, plan="")
    with guarded("the choice of a function"):
        return dataclasses.replace(state, suspicions=_turned(state, context))
    return state


def _turned(state: RepairState, context: RepairContext) -> tuple[Suspicion, ...]:
    """The suspicions, those of one function first.

    The drafts of the first turn go through the most suspicious functions; a later turn goes on with the one
    in which the turn before came nearest.
    """
    likely = [one for one in state.suspicions if one.score >= LIKELY * state.suspicions[0].score]
    known = targets(context.sources, likely, most=FUNCTIONS_ASKED)
    if len(known) < 2:
        return state.suspicions
    wanted = known[(state.drafted - 1) % len(known)] if state.turn == 1 else known[0]
    last = nearest(last_turn(state))
    for edit in last.candidate.patch.edits if last and state.turn > 1 else ():
        wanted = next((one for one in known if _holds(one, edit, context)), wanted)
    inside = [one for one in state.suspicions if one.path == wanted.path and one.line in wanted.lines]
    return tuple(dict.fromkeys((*inside, *state.suspicions)))


def _holds(target: Target, edit: SpanEdit, context: RepairContext) -> bool:
    line = context.sources.get(edit.path, "").count("\n", 0, edit.start) + 1
    return target.path == edit.path and line in target.lines


def begun(state: RepairState) -> dict[str, Any]:
    """What ``begin`` changed."""
    return {"turn": state.turn, "drafted": state.drafted, "plan": state.plan}


def temperature(state: RepairState) -> float:
    """The temperature of a turn's first answer."""
    return TEMPERATURES[min(state.turn, len(TEMPERATURES)) - 1]


def warmth(state: RepairState) -> float:
    """The temperature of a draft: the turn's for the first, warmer for the others."""
    base = temperature(state)
    return min(HOTTEST, max(base, DRAFT_WARMTH) + 0.1 * (state.drafted - 2)) if state.drafted > 1 else base


def seed(state: RepairState) -> int:
    """A seed of its own for each draft, the same in each run."""
    return 100 * state.turn + state.drafted


def reply_tokens(prompt: Prompt, context: RepairContext, *, more: int = 0) -> int:
    """What the whole corrected code may take, and ``more`` for words."""
    code = context.tokens.count(prompt.brief.code)
    return min(MAX_TOKENS, max(FEWEST_TOKENS, round(REPLY_FACTOR * code) + REPLY_FRAME_TOKENS + more))


def keeps_signature(baseline: Baseline) -> bool:
    """Whether a repair leaves the arguments as they are: a test that cannot make its call may be right."""
    return not any(one.exception == "TypeError" and "argument" in one.message for one in baseline.failing)


def first_prompt(state: RepairState, context: RepairContext) -> Prompt:
    """What the drafts of a function are asked for with in the first turn: none learns of those before it.

    Servers keep it, so a further draft costs little but its reply; and no strategy finds less than as many
    drafts without feedback do (``docs/results/humanevalfix.md``).
    """
    return Prompt("draft", dataclasses.replace(state, history=()), context)


def draft(state: RepairState, runtime: Runtime[RepairContext], *, stage: str = "draft") -> dict[str, Any]:
    """The first question of strategies: in one reply what is wrong, and the whole function."""
    context = runtime.context
    state = begin(state, context)
    context.progress.stage(stage, f"turn {state.turn}")
    prompt = first_prompt(state, context)
    question = Question(
        stage=stage,
        compose=prompt,
        max_tokens=reply_tokens(prompt, context, more=WORDS),
        temperature=warmth(state),
        seed=seed(state),
    )
    return settled(ask(question, state, context), prompt, state, context)


def settled(  # noqa: PLR0913 - what an answer is read with, each by its name
    answer: Answer,
    prompt: Prompt,
    state: RepairState,
    context: RepairContext,
    *,
    explanation: str = "",
    text: str | None = None,
) -> dict[str, Any]:
    """The changes to the state that an answer to ``prompt`` makes: a candidate, or an attempt in vain.

    ``text`` is what is read of the answer, where that is not all of its text.
    """
    said = answer.completion
    if said is None:
        return lost(answer)
    text = said.text if text is None else text
    asked = Asked(
        turn=state.turn,
        target=prompt.brief.target,
        path=prompt.brief.path,
        explanation=explanation,
        keeps_signature=keeps_signature(state.baseline),
    )
    found = read(text, asked, context, model=said.model, cut=said.truncated)
    return booked(found, text, answer, state, context)


def booked(
    found: Candidate | Attempt, text: str, answer: Answer, state: RepairState, context: RepairContext
) -> dict[str, Any]:
    """The changes to the state where ``text`` of an answer was read as ``found``."""
    update = {**begun(state), "reply": text[:REPLY_CHARACTERS], **answer.update}
    if isinstance(found, Candidate):
        return {**update, "candidates": (found,)}
    return {**update, "candidates": (), **record(state, [found], context)}


def lost(answer: Answer) -> dict[str, Any]:
    """No model answers any more: what was found is kept, and nothing further proposed."""
    return {"candidates": (), "exhausted": True, **answer.update}


def last_turn(state: RepairState) -> tuple[Attempt, ...]:
    """The attempts of the turn before this one."""
    return tuple(attempt for attempt in state.history if attempt.candidate.turn == state.turn - 1)


def nearest(attempts: tuple[Attempt, ...]) -> Attempt | None:
    """Of those that ran, the one that came nearest, later ones first; None where none ran."""
    ran = [attempt for attempt in attempts if attempt.flaw is None]
    return max(reversed(ran), key=lambda one: (one.verdict is Verdict.PARTIAL, one.progress), default=None)

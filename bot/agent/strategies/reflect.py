"""The strategy that reflects: a draft first; then, of the last turn, the one thing that was wrong with it.

What is asked depends on how the last turn ended. Its patch ran and the test still failed: reflect on that.
It changed nothing new: repeat, in which the code that a model copies is not shown again, and a documented
function is written anew from what it promises. One that promises nothing is written anew from the
assertions about it, and every other turn single lines of it are asked for (``gaps``), until one brings the
test further. The code does not parse (syntax), the function takes other arguments (signature), or the reply
could not be used at all (refused). Each is a node with its own prompt.
"""

from __future__ import annotations

import dataclasses
from functools import partial
from typing import Any, Literal, get_args

from langgraph.runtime import Runtime

from bot.agent.model.asking import Answer, Question, ask
from bot.agent.model.briefing.examples import examples
from bot.agent.model.briefing.failure import FailureBrief, failure_of
from bot.agent.model.briefing.history import diff_lines, function_after
from bot.agent.model.briefing.target import targets
from bot.agent.model.prompting import Prompt
from bot.agent.model.prompts import render
from bot.agent.model.reading import function_in
from bot.agent.state import RepairContext, RepairState
from bot.agent.strategies.gaps import Gap, fill, gaps
from bot.agent.strategies.subgraph import Graph, one_of
from bot.agent.strategies.turn import (
    WORDS,
    begin,
    first_prompt,
    last_turn,
    nearest,
    reply_tokens,
    seed,
    settled,
    warmth,
)
from bot.agent.trial.evaluation import decisive
from bot.domain import Attempt, Flaw
from bot.ports import Message

Step = Literal["draft", "reflect", "repeat", "gap", "syntax", "signature", "refused"]
STEPS: tuple[Step, ...] = get_args(Step)
# One that replaces so much of the old lines is no change of them.
REWRITTEN = 0.5
_ANSWERS: dict[Flaw, Step] = {
    Flaw.CUT: "syntax",
    Flaw.SYNTAX: "syntax",
    Flaw.SIGNATURE: "signature",
    Flaw.UNCHANGED: "repeat",
    Flaw.REPEATED: "repeat",
}


def build() -> Graph:
    """The subgraph: one of its nodes, chosen by how the last turn ended."""
    return one_of({step: partial(turn, step) for step in STEPS}, _enter)


def next_step(state: RepairState) -> Step:
    """What to ask, where ``state.turn`` is the turn that begins or goes on."""
    tried = last_turn(state)
    if not tried:
        return "draft"
    if nearest(tried):
        return "reflect"
    found = {attempt.flaw for attempt in tried}
    # One that repeats itself is stuck; that is worth more than a slip.
    order = (Flaw.UNCHANGED, Flaw.REPEATED, Flaw.SIGNATURE, Flaw.SYNTAX, Flaw.CUT)
    return next((_ANSWERS[flaw] for flaw in order if flaw in found), "refused")


def _enter(state: RepairState, runtime: Runtime[RepairContext]) -> Step:
    return choose(begin(state, runtime.context), runtime.context)


def choose(state: RepairState, context: RepairContext) -> Step:
    """What to ask, in the state of the turn that begins, where single lines may be asked for."""
    step = next_step(state)
    copies = any(attempt.flaw is Flaw.UNCHANGED for attempt in state.history)
    fruitless = step == "reflect" and copies and not any(tried.progress > 0 for tried in last_turn(state))
    if not (step == "repeat" or fruitless):
        return step
    if state.turn % 2 == 0 and _examples(state, context):
        return "repeat"
    return "gap" if _gaps(state, context) else step


def turn(step: Step, state: RepairState, runtime: Runtime[RepairContext]) -> dict[str, Any]:
    """One draft by the prompt of ``step``."""
    context = runtime.context
    state = begin(state, context)
    context.progress.stage(step, f"turn {state.turn}")
    if step == "gap":
        return fill(_gaps(state, context), state, context)
    prompt = _prompt(step, state, context)
    question = Question(
        stage=step,
        compose=prompt,
        max_tokens=reply_tokens(prompt, context, more=WORDS if step in {"draft", "reflect"} else 0),
        temperature=warmth(state),
        seed=seed(state),
    )
    said = ask(question, state, context)
    return settled(_written(said, question, prompt, state, context), prompt, state, context)


def _prompt(step: Step, state: RepairState, context: RepairContext) -> Prompt:
    if step == "draft":
        return first_prompt(state, context)
    variables = _variables(step, state, context)
    return Prompt("revise" if "version" in variables else step, state, context, variables=variables)


def _written(
    said: Answer, question: Question, prompt: Prompt, state: RepairState, context: RepairContext
) -> Answer:
    """``said``; where it has words alone, the function that the model writes when it is asked on."""
    target = prompt.brief.target
    if said.completion is None or target is None:
        return said
    words = said.completion.text
    if "```" in words or function_in(words, target) is not None:
        return said
    spent = dataclasses.replace(state, **said.update)
    if not words.strip() or context.usage_reason(spent.usage):
        return said  # nothing to go on from, or no tokens or money

    def compose(room: int) -> tuple[Message, ...]:
        words_tokens = context.tokens.count(words)
        asked = prompt(max(room - words_tokens, room // 2))
        on = Message(role="user", content=render("write", brief=prompt.brief))
        return *asked, Message(role="assistant", content=words), on

    tokens = reply_tokens(prompt, context)
    on = dataclasses.replace(question, stage="write", compose=compose, max_tokens=tokens)
    written = ask(on, spent, context)
    return dataclasses.replace(written, update={**said.update, **written.update})


def _variables(step: Step, state: RepairState, context: RepairContext) -> dict[str, object]:
    tried = last_turn(state)
    variables: dict[str, object] = {"focus": _focus(state, context), "examples": ()}
    if step == "repeat":
        variables["examples"] = _examples(state, context)
    if step == "reflect":
        last = nearest(tried)
        assert last is not None
        variables |= {
            "change": diff_lines(last, context.sources),
            "failure": _failure(last, state, context),
            "gain": last.gain,
        }
        if version := _rewritten(last, state, context):
            variables["version"] = version
    elif step in {"syntax", "refused"}:
        variables |= {"reason": tried[-1].detail, "reply": state.reply}
    return variables


def _gaps(state: RepairState, context: RepairContext) -> tuple[Gap, ...]:
    """The lines to ask for in this turn; every other one writes the function anew, where that can be done."""
    before = max(state.turn - 2, 0)
    return gaps(state, context, number=before // 2 if _examples(state, context) else before)


def _examples(state: RepairState, context: RepairContext) -> tuple[str, ...]:
    """What the tests say of a function that says nothing itself."""
    known = targets(context.sources, state.suspicions, most=1)
    if not known or known[0].promise:
        return ()
    return examples(known[0], decisive(state.baseline)[0], context.sources)


def _failure(last: Attempt, state: RepairState, context: RepairContext) -> FailureBrief:
    """The one assertion that still failed, or the test that passed before and does not any more."""
    if last.broken and last.fixed:
        return FailureBrief(test=last.broken[0], code="", values=f"it breaks another test: {last.detail}")
    failure = next((result for result in last.endings if result.status.is_failure), state.baseline.failing[0])
    return failure_of(failure, context.sources)


def _rewritten(attempt: Attempt, state: RepairState, context: RepairContext) -> str:
    """The function as ``attempt`` wrote it anew; empty where it changed a few lines of what was there."""
    known = targets(context.sources, state.suspicions, most=1)
    if not known or not known[0].promise:
        return ""
    removed = sum(line.startswith("-") for line in diff_lines(attempt, context.sources).split("\n"))
    first = known[0].node.body[min(1, len(known[0].node.body) - 1)]
    if removed < REWRITTEN * (known[0].end - first.lineno + 1):
        return ""
    return function_after(attempt, known[0], context.sources)


def _focus(state: RepairState, context: RepairContext) -> tuple[str, ...]:
    """Suspicious lines that a model has not been pointed to before: one each time, after the first draft."""
    known = targets(context.sources, state.suspicions, most=1)
    lines = known[0].suspicious if known else ()
    return (known[0].line(lines[(state.turn - 2) % len(lines)]),) if lines else ()

"""The one place that asks a model: what fits, what it may cost, who is asked next when one gives out.

A model that is not to be had, or whose context is too small whatever is left out, gives way to the next of
the cascade, and where there is none, to the one before. When all are lost, the run goes on without: what it
has found stays found.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import takewhile
from typing import Any

from bot.agent.model.prompts import prompts_version
from bot.agent.state import RepairContext, RepairState
from bot.domain import Usage
from bot.errors import ContextOverflow, ModelError, ModelUnavailable
from bot.ports import ChatBackend, ChatRequest, Completion, InfillRequest, Message, Tool

LEAST_ROOM = 200
SHRINK = 0.6
RESERVED_TOKENS = 32
FEWEST_REPLY_TOKENS = 16
# A cheap model may need a second look, and seldom gets anywhere with a third.
FRUITLESS_TURNS = 2

Compose = Callable[[int], Sequence[Message]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What is asked: ``compose`` gives the messages for a number of tokens, perhaps again for fewer."""

    stage: str
    compose: Compose
    max_tokens: int
    temperature: float = 0.0
    schema: Mapping[str, object] | None = None
    tools: Sequence[Tool] = ()
    seed: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """``completion`` is None where no model answers any more; ``update`` is what changes in the state."""

    completion: Completion | None
    update: dict[str, Any] = field(default_factory=dict)


def object_schema(fields: Mapping[str, object]) -> dict[str, object]:
    """The JSON schema of an object that has all of ``fields`` and no others, as strict servers want it."""
    required = list(fields)
    return {"type": "object", "properties": dict(fields), "required": required, "additionalProperties": False}


def ask(question: Question, state: RepairState, context: RepairContext) -> Answer:
    """The reply of the model that it is the turn of, or of the next that answers.

    Raises:
        ModelError: no model of the cascade has ever answered in this run, and there was time to.
    """
    if not context.backends:
        raise ModelUnavailable("this strategy needs a model: pass --model, or use --strategy search")
    order = _order(state, context)
    gone = set(state.gone)
    for place, tier in enumerate(order, 1):
        backend = context.backends[tier]
        try:
            completion = _fitting(question, backend, state, context)
        except ModelError as error:
            context.trajectory.note("model", model=backend.model, lost=str(error), turn=state.turn)
            if not isinstance(error, ContextOverflow):  # a shorter question may fit
                gone.add(tier)
            if place < len(order):
                following = context.backends[order[place]].model
                context.progress.stage("model", f"{error}; going on with {following}")
                continue
            # One that never answered is an error, unless the time was over: then that is what ended the run.
            if not state.usage.calls and not state.drawn and not context.budget_spent():
                raise
            context.progress.stage("model", str(error))
            return Answer(completion=None, update={"tier": tier, "lost": str(error)})
        update = {"tier": tier, "gone": tuple(sorted(gone)), **_spent(state, completion)}
        return Answer(completion=completion, update=update)
    raise AssertionError("there is a model to ask, or it would have ended before")


def ask_to_fill(request: InfillRequest, state: RepairState, context: RepairContext) -> Answer:
    """What a model writes in the gap of ``request``: the first of the cascade that can be asked that.

    ``completion`` is None where none can, or the one that could answers no more: nothing depends on it.
    """
    tokens = _reply_tokens(request.max_tokens, state.usage, context)
    request = replace(request, max_tokens=tokens)
    asked: dict[str, Any] = {"stage": "infill", "turn": state.turn, "draft": state.drafted}
    for tier in _order(state, context):
        backend = context.backends[tier]
        try:
            said = backend.infill(request)
        except ModelError as error:
            context.trajectory.note("model", model=backend.model, lost=str(error), turn=state.turn)
            continue
        if said is None:
            continue
        messages = [
            {"role": "before", "content": request.before},
            {"role": "after", "content": request.after},
        ]
        context.trajectory.note(
            "prompt",
            **asked,
            model=backend.model,
            temperature=request.temperature,
            seed=request.seed,
            max_tokens=request.max_tokens,
            messages=messages,
        )
        _note_reply(said, asked, context)
        return Answer(completion=said, update=_spent(state, said))
    return Answer(completion=None)


def _order(state: RepairState, context: RepairContext) -> tuple[int, ...]:
    """The places of the models to ask, one after another: the stronger ones first, then the cheaper ones."""
    every = range(len(context.backends))
    left = [tier for tier in every if tier not in state.gone] or list(every)
    first = _tier(state, context, left)
    return (*(tier for tier in left if tier >= first), *(tier for tier in reversed(left) if tier < first))


def _tier(state: RepairState, context: RepairContext, left: Sequence[int]) -> int:
    """The place of the model to ask: a stronger one, where this one made no progress for turns."""
    tier = min(state.tier, len(context.backends) - 1)
    model = context.backends[tier].model
    own = takewhile(lambda attempt: attempt.candidate.origin == model, reversed(state.history))
    in_vain = takewhile(lambda attempt: not attempt.progress, own)
    turns = {attempt.candidate.turn for attempt in in_vain}
    stronger = next((other for other in left if other > tier), None)
    if stronger is not None and len(turns) >= FRUITLESS_TURNS:
        said = f"{model} makes no progress; going on with {context.backends[stronger].model}"
        context.progress.stage("model", said)
        context.trajectory.note("model", model=model, stuck=len(turns), turn=state.turn)
        return stronger
    return tier


def _spent(state: RepairState, completion: Completion) -> dict[str, Any]:
    by_model = dict(state.usage_by_model)
    by_model[completion.model] = by_model.get(completion.model, Usage()) + completion.usage
    return {"usage": state.usage + completion.usage, "usage_by_model": tuple(by_model.items())}


def _fitting(
    question: Question, backend: ChatBackend, state: RepairState, context: RepairContext
) -> Completion:
    """The reply to as much of the question as the model takes.

    Raises:
        ContextOverflow: not even the least of it fits.
        ModelUnavailable: see ``ChatBackend.complete``.
    """
    max_tokens = _reply_tokens(question.max_tokens, state.usage, context)
    question = replace(question, max_tokens=max_tokens)
    room = context.request.model.prompt_tokens
    if backend.context_tokens:
        room = min(room, backend.context_tokens - max_tokens - RESERVED_TOKENS)
    while True:
        messages = tuple(question.compose(max(room, LEAST_ROOM)))
        try:
            return _reply(messages, question, backend, state, context)
        except ContextOverflow:
            if room <= LEAST_ROOM:
                raise
            room = int(SHRINK * min(room, context.tokens.of(messages)))


def _reply(
    messages: tuple[Message, ...],
    question: Question,
    backend: ChatBackend,
    state: RepairState,
    context: RepairContext,
) -> Completion:
    """The reply to ``messages``; both are noted."""
    asked = {"stage": question.stage, "turn": state.turn, "draft": state.drafted}
    estimated = context.tokens.of(messages)
    context.trajectory.note(
        "prompt",
        **asked,
        model=backend.model,
        prompts=prompts_version(),
        temperature=question.temperature,
        seed=question.seed,
        max_tokens=question.max_tokens,
        estimated_tokens=estimated,
        messages=[{"role": message.role, "content": message.content} for message in messages],
    )
    completion = backend.complete(
        ChatRequest(
            messages,
            temperature=question.temperature,
            max_tokens=question.max_tokens,
            schema=question.schema,
            tools=question.tools,
            seed=question.seed,
        )
    )
    context.tokens.learn(estimated, completion.usage.prompt_tokens)
    _note_reply(completion, asked, context)
    return completion


def _note_reply(completion: Completion, asked: Mapping[str, Any], context: RepairContext) -> None:
    usage = completion.usage
    context.trajectory.note(
        "reply",
        **asked,
        model=completion.model,
        text=completion.text,
        tool_calls=[{"name": call.name, "arguments": call.arguments} for call in completion.tool_calls],
        truncated=completion.truncated,
        prompt_tokens=usage.prompt_tokens,
        completion_tokens=usage.completion_tokens,
        cost=usage.cost,
        seconds=usage.seconds,
    )


def _reply_tokens(wanted: int, usage: Usage, context: RepairContext) -> int:
    """``wanted``, or what the budget has left of it."""
    budget = context.request.budget
    left = [wanted]
    if budget.tokens:
        left.append(budget.tokens - usage.tokens)
    if budget.cost and usage.cost:
        # at what the tokens have cost so far
        left.append(round((budget.cost - usage.cost) * usage.tokens / usage.cost))
    return max(FEWEST_REPLY_TOKENS, min(left))

"""The strategy of one tool: the model calls ``run_tests`` with the corrected code until all tests pass.

Code in JSON is harder to write than code in text, so a first draft is asked for as text and run: the
conversation begins with its result. Where a model or a server has no tool calling, the code in the text
counts as the call. The conversation is made anew each time, out of the last few attempts: nothing but these
is kept. A model that repeats itself is warned, and asked with a lower temperature; one that makes no calls is
asked for single lines instead (``gaps``).
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Sequence
from functools import partial
from typing import Any, Literal

from langgraph.runtime import Runtime

from bot.agent.model.asking import Question, ask, object_schema
from bot.agent.model.briefing.history import function_after, outcome
from bot.agent.model.briefing.target import Target, targets
from bot.agent.model.prompting import Prompt
from bot.agent.model.prompts import render
from bot.agent.state import RepairContext, RepairState
from bot.agent.strategies.gaps import Gap, fill, gaps
from bot.agent.strategies.subgraph import Graph, one_of
from bot.agent.strategies.turn import begin, draft, lost, reply_tokens, seed, settled
from bot.domain import Attempt, Flaw
from bot.ports import Completion, Message, Tool, ToolCall

NAME, ARGUMENT = "run_tests", "code"
RUN_TESTS = Tool(
    name=NAME,
    description="Run the failing test on the corrected code, and say how it ends.",
    parameters=object_schema({ARGUMENT: {"type": "string", "description": "The whole corrected function."}}),
)
EXCHANGES = 2
FIRST_CALL = 2
CALL_TOKENS = 40
# Warm at first; each time that the model comes back to what it tried, cooler.
WARMEST, COOLING = 0.6, 0.3
_CALL = re.compile(r"<tool_call>(.*?)(?:</tool_call>|\Z)", re.DOTALL)
_STUCK = (Flaw.UNCHANGED, Flaw.REPEATED)

Step = Literal["draft", "call", "unstick", "gap"]


def build() -> Graph:
    """The subgraph: a draft, a call, one that is warned about repetition, or single lines."""
    calls = {step: partial(_turn, step) for step in ("call", "unstick")}
    return one_of({"draft": draft, "gap": _gap, **calls}, _enter)


def _enter(state: RepairState, runtime: Runtime[RepairContext]) -> Step:
    begun = begin(state, runtime.context)
    if begun.turn == 1 and targets(runtime.context.sources, state.suspicions, most=1):
        return "draft"
    if not stuck(state.history):
        return "call"
    return "gap" if not state.calls and _gaps(begun, runtime.context) else "unstick"


def _gaps(state: RepairState, context: RepairContext) -> tuple[Gap, ...]:
    return gaps(state, context, number=max(0, state.turn - 2))


def _gap(state: RepairState, runtime: Runtime[RepairContext]) -> dict[str, Any]:
    context = runtime.context
    state = begin(state, context)
    context.progress.stage("gap", f"turn {state.turn}")
    return fill(_gaps(state, context), state, context, shown=state.turn % 2 == 0)


def stuck(history: Sequence[Attempt]) -> int:
    """How many of the last attempts in a row brought nothing new: repeated code, or one and the same end."""
    count = 0
    for at in range(len(history) - 1, -1, -1):
        attempt = history[at]
        before = history[at - 1] if at else None
        same = before is not None and attempt.detail == before.detail and not attempt.flaw
        if attempt.flaw not in _STUCK and not same:
            break
        count += 1
    return count


def _turn(stage: str, state: RepairState, runtime: Runtime[RepairContext]) -> dict[str, Any]:
    context, loops = runtime.context, stuck(state.history)
    state = begin(state, context)
    context.progress.stage(stage, f"turn {state.turn}")
    tried = [attempt for attempt in state.history if attempt.candidate.turn][-EXCHANGES:]
    # Who did not call when it could cannot: calls are not spoken of again.
    textual = state.turn > FIRST_CALL and not state.calls
    variables = {"stuck": stage == "unstick", "textual": textual}
    prompt = Prompt("tools", state, context, variables=variables)

    def compose(room: int) -> tuple[Message, ...]:
        system, task = prompt(room)
        exchanges = _exchanges(tried, prompt.brief.target, state, context, textual=textual)
        while exchanges and context.tokens.of((system, task, *exchanges)) > room:
            exchanges = exchanges[2:]
        return system, task, *exchanges

    question = Question(
        stage=stage,
        compose=compose,
        max_tokens=reply_tokens(prompt, context, more=CALL_TOKENS),
        temperature=max(0.0, WARMEST - COOLING * loops),
        tools=(RUN_TESTS,),
        seed=seed(state),
    )
    answer = ask(question, state, context)
    if answer.completion is None:
        return lost(answer)
    said = called_code(answer.completion)
    calls = bool(answer.completion.tool_calls)
    return {"calls": calls, **settled(answer, prompt, state, context, text=said)}


def called_code(completion: Completion) -> str:
    """The code that a reply wants to have tried: the tool's argument, however it is given, or the text."""
    for asked in completion.tool_calls:
        if (code := _code_of(asked.arguments)) is not None:
            return code
    called = _CALL.search(completion.text)
    for text in (*([called[1]] if called else []), completion.text):
        if (code := _code_of(text)) is not None:
            return code
    calls = completion.tool_calls
    return calls[0].arguments if calls else completion.text


def _code_of(text: str) -> str | None:
    """The code in a call's arguments; None where they are no JSON, or hold none."""
    start, end = text.find("{"), text.rfind("}")
    for part in (text[start : end + 1], text) if 0 <= start < end else ():
        for load in (_json, _literal):
            value = load(part)
            if isinstance(value, dict):
                inner = value.get("arguments", value)
                inner = _json(inner) if isinstance(inner, str) else inner
                code = inner.get(ARGUMENT) if isinstance(inner, dict) else None
                if isinstance(code, str):
                    return code
    return None


def _json(text: str) -> object:
    try:
        return json.loads(text, strict=False)
    except (ValueError, RecursionError):
        return None


def _literal(text: str) -> object:
    try:
        return ast.literal_eval(text)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return None


def _exchanges(
    tried: Sequence[Attempt],
    target: Target | None,
    state: RepairState,
    context: RepairContext,
    *,
    textual: bool,
) -> list[Message]:
    """What was called, and what came of it, as a chat; calls where the model makes calls, text elsewhere."""
    messages: list[Message] = []
    for number, attempt in enumerate(tried):
        result = outcome(attempt, context.sources)
        code = function_after(attempt, target, context.sources) if target else ""
        if not code and number == len(tried) - 1:
            code = state.reply
        if not code:
            continue
        said = render("result", result=result, textual=textual)
        if state.calls:
            made = ToolCall(id=f"call_{number}", name=NAME, arguments=json.dumps({ARGUMENT: code}))
            messages.append(Message(role="assistant", content="", tool_calls=(made,)))
            messages.append(Message(role="tool", content=said, answers=made.id))
        else:
            messages.append(Message(role="assistant", content=f"```python\n{code}\n```"))
            messages.append(Message(role="user", content=said))
    return messages

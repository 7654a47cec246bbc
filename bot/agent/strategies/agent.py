"""The strategy of a coding agent: it changes a copy of the project, and what it changed is judged as a patch.

Nothing that it says counts. A refusal or a test that still fails is the task of its next turn, in the copy
as it left it.
"""

from __future__ import annotations

import dataclasses
from collections import Counter
from typing import Any

from langgraph.runtime import Runtime

from bot.agent.model.briefing.history import diff_lines
from bot.agent.model.prompting import Prompt
from bot.agent.nodes.record import record
from bot.agent.state import RepairContext, RepairState
from bot.agent.strategies.subgraph import Graph, one_of
from bot.agent.strategies.turn import begin, begun, last_turn
from bot.agent.timing.deadlines import Phase
from bot.domain import Attempt, Candidate, Flaw, Patch, Usage, Verdict
from bot.errors import ModelUnavailable, listed
from bot.patch.apply import from_sources
from bot.patch.syntax import syntax_problem
from bot.patch.text import decode, one_line, split_lines
from bot.ports import AgentWork, CodingAgent

LONGEST_S = 86_400.0
FILES = 3
"""Files that the agent is pointed to: those of the most suspicious lines."""
MAX_SAID = 8_000
MAX_FILES, MAX_FILE_BYTES, MAX_LINES = 20, 1_000_000, 500
"""What a repair may change: comparing more takes minutes, and nobody would read it."""
MAX_NAMES = 5
NOTHING = Patch(edits=())


def build() -> Graph:
    """The subgraph: one turn of the agent."""
    return one_of({"work": work})


def work(state: RepairState, runtime: Runtime[RepairContext]) -> dict[str, Any]:
    """One turn: the agent works, and its copy is compared with the project."""
    context = runtime.context
    agent = context.coding_agent
    if agent is None:
        raise ModelUnavailable("this strategy needs a coding agent: pass --agent")
    state = begin(state, context)
    context.progress.stage("agent", f"{agent.name}, turn {state.turn}")
    seconds = min(LONGEST_S, max(1.0, context.left(Phase.SEARCH, state.baseline)))
    done = agent.work(_task(agent, state, context), files=_files(state), seconds=seconds)
    _note(done, agent, state, context)
    spent = Usage(calls=1, cost=done.cost, seconds=done.seconds)
    update = {**begun(state), "usage": state.usage + spent}
    update["usage_by_model"] = ((agent.name, state.usage + spent),)
    found = _read(done, agent, state, context)
    if isinstance(found, Candidate):
        return {**update, "candidates": (found,)}
    # One that ends badly and changes nothing would do so again.
    over = found.flaw is Flaw.UNCHANGED and done.exit_status != 0
    lost = {"lost": f"{agent.name}: {found.detail}"} if over else {}
    booked = record(state, [found], context)
    return {**update, "candidates": (), "exhausted": over, **lost, **booked}


def _task(agent: CodingAgent, state: RepairState, context: RepairContext) -> str:
    """The briefing; from the second turn on with what came of the turn before."""
    before = last_turn(state)
    last = before[-1] if before else None
    change = diff_lines(last, context.sources) if last and last.candidate.patch.edits else ""
    variables = {
        "tests": [one.test for one in state.baseline.failing],
        "last": last,
        "is_kept": agent.has_worked,
        "change": change,
        "reason": _reason(last, state) if last else "",
    }
    prompt = Prompt("agent", state, context, variables=variables)
    return prompt(context.request.model.prompt_tokens)[-1].content


def _reason(last: Attempt, state: RepairState) -> str:
    if last.verdict is Verdict.PLAUSIBLE:
        return f"it did not hold in a fresh sandbox: {state.reason}"
    return last.detail or f"verdict: {last.verdict.value}"


def _files(state: RepairState) -> list[str]:
    return list(dict.fromkeys(one.path for one in state.suspicions))[:FILES]


def _note(done: AgentWork, agent: CodingAgent, state: RepairState, context: RepairContext) -> None:
    context.trajectory.note(
        "agent",
        turn=state.turn,
        model=agent.name,
        exit_status=done.exit_status,
        seconds=round(done.seconds, 3),
        cost=done.cost,
        changed=sorted(done.files),
        removed=list(done.removed),
        text=done.said[-MAX_SAID:],
    )


def _read(
    done: AgentWork, agent: CodingAgent, state: RepairState, context: RepairContext
) -> Candidate | Attempt:
    """What the agent changed as a candidate, or as an attempt in vain."""
    said = f"a change by {agent.name}"
    nothing = Candidate(patch=NOTHING, origin=agent.name, explanation=said, turn=state.turn)
    if problem := _problem(done, context):
        flaw, detail = problem
        return Attempt(candidate=nothing, verdict=Verdict.REJECTED, detail=detail, flaw=flaw)
    new = {path: decode(data) for path, data in done.files.items()}
    patch = from_sources(context.sources, new)
    return dataclasses.replace(nothing, patch=patch)


def _problem(done: AgentWork, context: RepairContext) -> tuple[Flaw, str] | None:
    if done.problem:
        return Flaw.UNREADABLE, done.problem
    if done.removed:
        removed = listed(sorted(done.removed), MAX_NAMES)
        return Flaw.UNREADABLE, f"it removed {removed}: a patch here can only change files"
    if not done.files:
        return Flaw.UNCHANGED, f"it changed no file ({_end(done)})"
    others = sorted(path for path in done.files if not path.endswith(".py"))
    if others:
        return Flaw.REFUSED, f"it changed {listed(others, MAX_NAMES)}: only Python files may be changed"
    if size := _too_large(done, context):
        return Flaw.REFUSED, size
    for path, data in done.files.items():
        text, old = decode(data), context.sources.get(path, "")
        if (problem := syntax_problem(path, text)) and not syntax_problem(path, old):
            return Flaw.SYNTAX, problem
    return None


def _too_large(done: AgentWork, context: RepairContext) -> str:
    """Why it is too much for a repair; empty where it is not."""
    if len(done.files) > MAX_FILES:
        return f"it changed {len(done.files)} files: a repair changes at most {MAX_FILES}"
    large = sorted(path for path, data in done.files.items() if len(data) > MAX_FILE_BYTES)
    if large:
        return f"{listed(large, MAX_NAMES)}: more than {MAX_FILE_BYTES} bytes"
    lines = 0
    for path, data in done.files.items():
        new, old = (Counter(split_lines(text)) for text in (decode(data), context.sources.get(path, "")))
        lines += max((new - old).total(), (old - new).total())
    return f"it changed {lines} lines: a repair changes at most {MAX_LINES}" if lines > MAX_LINES else ""


def _end(done: AgentWork) -> str:
    if done.exit_status is None:
        return "its time was over"
    last = next((line for line in reversed(done.said.splitlines()) if line.strip()), "")
    said = f": {one_line(last)}" if done.exit_status and last else ""
    return f"it ended with status {done.exit_status}{said}"

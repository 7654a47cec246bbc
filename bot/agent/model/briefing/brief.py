"""What one prompt says of a failure: the pieces that fit, the most useful ones first.

The order in which pieces are dropped is not the order in which they are shown: what never changes between
turns stands first in a prompt, so that a server need not read it again.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from bot.agent.model.briefing.failure import FailureBrief, failure_of, shortened
from bot.agent.model.briefing.history import learned, line_of
from bot.agent.model.briefing.target import Target, bindings, callees, marks, targets
from bot.agent.model.excerpts import suspicious_excerpt
from bot.agent.state import RepairContext, RepairState
from bot.agent.trial.evaluation import decisive
from bot.domain import Patch
from bot.internal_errors import guarded
from bot.patch.diff import unified_diff
from bot.patch.diff_excerpt import diff_of

# What the words around the pieces take: the system prompt, headings, the question.
FRAME_TOKENS, HEADING_TOKENS = 160, 8
HISTORY_SHOWN = 5
PROMISE_CHARACTERS = 1_500
LEAST_CODE_TOKENS = 120


@dataclass(frozen=True, slots=True, kw_only=True)
class Brief:
    """The pieces of one prompt; an empty one was left out.

    ``code`` is what is to be repaired: the whole of ``target``, or lines around the suspicious ones where
    there is no such function. ``numbered`` is the same with line numbers; ``promise`` is what its docstring
    says, shown apart: small models copy what they are shown.
    """

    failure: FailureBrief
    path: str = ""
    target: Target | None = None
    code: str = ""
    numbered: str = ""
    promise: str = ""
    bindings: str = ""
    callees: tuple[str, ...] = ()
    neighbour: str = ""
    marks: tuple[str, ...] = ()
    history: tuple[str, ...] = ()
    learned: str = ""
    culprit: str = ""
    diff: str = ""


def brief_of(state: RepairState, context: RepairContext, *, room: int, numbered: bool = False) -> Brief:
    """What fits into ``room`` tokens, the frame of the prompt included."""
    red = decisive(state.baseline)[0]
    failure = FailureBrief(test=red.test, code="", values="")
    with guarded("the briefing's failure"):
        failure = failure_of(red, context.sources)
    known: tuple[Target, ...] = ()
    with guarded("the briefing's targets"):
        known = targets(context.sources, state.suspicions)
    brief = _code(Brief(failure=failure), known, state, context)
    left = room - FRAME_TOKENS - context.tokens.count(failure.text)
    left -= context.tokens.count(brief.numbered if numbered else brief.code)
    if left < 0:
        return _cut(brief, context, room)
    for field, value in _further(brief, known, state, context):
        piece: str | tuple[str, ...] = ""
        with guarded(f"the briefing's {field}"):
            piece = value()
        text = piece if isinstance(piece, str) else "\n".join(piece)
        cost = context.tokens.count(text) + HEADING_TOKENS
        if text and cost <= left:
            left -= cost
            brief = replace(brief, **{field: piece})  # type: ignore[arg-type]  # by its name
    return brief


def _code(brief: Brief, known: tuple[Target, ...], state: RepairState, context: RepairContext) -> Brief:
    if known:
        target = known[0]
        return replace(brief, target=target, path=target.path, code=target.code, numbered=target.numbered)
    shown = suspicious_excerpt(context.sources, state.suspicions)
    return replace(brief, path=shown.path, code=shown.text, numbered=shown.numbered) if shown else brief


def _further(
    brief: Brief, known: tuple[Target, ...], state: RepairState, context: RepairContext
) -> Iterator[tuple[str, Callable[[], str | tuple[str, ...]]]]:
    """The pieces that may be left out, each with what makes it, the most useful first."""
    target, sources = brief.target, context.sources
    if target:
        yield "promise", lambda: shortened(target.promise, PROMISE_CHARACTERS)
        yield "marks", lambda: tuple(marks(target))
        yield "bindings", lambda: bindings(target, sources)
    tried = [attempt for attempt in state.history if attempt.candidate.turn][-HISTORY_SHOWN:]
    if state.culprit:
        back = Patch(edits=state.culprit.edits)
        yield "culprit", lambda: unified_diff(back, sources)
    yield "history", lambda: tuple(dict.fromkeys(line_of(attempt, sources) for attempt in tried))
    yield "learned", lambda: learned(state, sources)
    if target:
        yield "callees", lambda: callees(target, sources)
    yield "diff", lambda: diff_of(context.request.diff, brief.path)
    if len(known) > 1:
        yield "neighbour", lambda: known[1].text


def _cut(brief: Brief, context: RepairContext, room: int) -> Brief:
    """The code around its most suspicious line, as much as there is room for; the test gives way first."""
    left = max(LEAST_CODE_TOKENS, room - FRAME_TOKENS)
    values = FailureBrief(test=brief.failure.test, code="", values=brief.failure.values[: 2 * left])
    lines = brief.code.split("\n")
    suspicious = brief.target.suspicious if brief.target else ()
    first = last = suspicious[0] - brief.target.start if brief.target and suspicious else 0
    per_line = max(1, context.tokens.count(brief.numbered) // max(1, len(lines)))
    while (last - first + 1) * per_line < left // 2 and (first > 0 or last < len(lines) - 1):
        first, last = max(0, first - 1), min(len(lines) - 1, last + 1)
    return replace(
        brief,
        failure=values,
        target=None,  # of a part, the whole cannot be asked back
        code="\n".join(lines[first : last + 1]),
        numbered="\n".join(brief.numbered.split("\n")[first : last + 1]),
    )

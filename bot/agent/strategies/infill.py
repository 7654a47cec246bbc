"""Lines that a model writes between those around them: candidates beside the search's.

A model that sees what stands before and after a gap writes there what is natural, and a bug seldom is: Xia
and Zhang, "Less Training, More Repairing Please: Revisiting Automated Program Repair via Zero-Shot Learning"
(ESEC/FSE 2022). A small model cannot rewrite a function, but can do this. What it writes is tried as the
search's candidates are, and counts among the alternatives of a patch that the search found.
"""

from __future__ import annotations

import ast
import dataclasses
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from langgraph.runtime import Runtime

from bot.agent.model.asking import ask_to_fill
from bot.agent.state import RepairContext, RepairState
from bot.agent.strategies.gap_places import GapPlace, around, places
from bot.agent.timing.deadlines import Phase
from bot.choice.choose import looks
from bot.domain import Candidate, Patch, SpanEdit
from bot.internal_errors import guarded
from bot.patch.replies.fences import fences
from bot.patch.syntax import parsed
from bot.patch.text import dominant_newline, split_lines, unix_newlines
from bot.ports import InfillRequest

BEFORE, AFTER = 1_600, 600
"""The characters that are shown on both sides of a gap."""
LINES_TOKENS, EXPRESSION_TOKENS = 80, 40
WARMTH = 0.8
# The seconds for all questions, with a patch that passes and without, and their share of what is left.
BESIDE_S, ALONE_S, SHARE = 30.0, 60.0, 0.5
# Of a reply that goes on and on, its first lines are tried as well.
BEGINNINGS = 3
ORIGIN = "infill"
# As likely as what the search tries early.
LIKELY = 0.5


def infill(state: RepairState, runtime: Runtime[RepairContext]) -> dict[str, Any]:
    """Ask a model to fill gaps, as many as there is time for; what it writes is tried next."""
    context = runtime.context
    update: dict[str, Any] = {"filled": True}
    written: list[Candidate] = []
    left = context.left(Phase.SEARCH, state.baseline)
    end = context.stopwatch.elapsed + min(BESIDE_S if state.plausible else ALONE_S, SHARE * left)

    def is_over() -> bool:
        return context.stopwatch.elapsed >= end or bool(
            context.usage_reason(update.get("usage", state.usage))
        )

    with guarded("the gaps that a model fills"):
        for place in _places(state, context):
            texts: list[str] = []
            while len(texts) < place.samples and not is_over():
                context.progress.stage(ORIGIN, f"{place.path}, {len(written)} patches so far")
                request = _request(place, context, number=len(texts))
                answer = ask_to_fill(request, dataclasses.replace(state, **update), context)
                if answer.completion is None:
                    break
                update |= answer.update
                texts.append(answer.completion.text)
                if _is_content(texts, place, context):
                    break
            written += _candidates(texts, place, context)
            if is_over() or not texts:
                break
    return {**update, "candidates": (*_distinct(written), *state.candidates)}


def _places(state: RepairState, context: RepairContext) -> Iterator[GapPlace]:
    standing = [one for one in state.plausible if one.candidate.patch not in state.refuted]
    best = sorted(standing, key=lambda one: looks(one, context.sources), reverse=True)
    suspicions = (one for one in state.suspicions if context.policy.may_change(one.path))
    return places(best, suspicions, context.sources)


def _request(place: GapPlace, context: RepairContext, *, number: int) -> InfillRequest:
    source = context.sources[place.path]
    before, after = around(place, source, most_before=BEFORE, most_after=AFTER)
    lines = is_whole_lines(place, source)
    return InfillRequest(
        before=before,
        after=after,
        temperature=WARMTH if number else 0.0,
        max_tokens=LINES_TOKENS if lines else EXPRESSION_TOKENS,
        seed=number,
        stop=("\n\n",) if lines else ("\n",),
    )


def _is_content(texts: Sequence[str], place: GapPlace, context: RepairContext) -> bool:
    """Whether the likeliest reply is what stands there: the fault is seldom what a model writes itself."""
    source = context.sources[place.path]
    hidden = source[place.start : place.end]
    return len(texts) == 1 and bool(hidden) and _written(texts[0], place, source).split() == hidden.split()


def _candidates(texts: Sequence[str], place: GapPlace, context: RepairContext) -> Iterator[Candidate]:
    """A candidate for each text that changes the program and can be compiled in its place."""
    source = context.sources[place.path]
    old = parsed(source)
    votes = Counter(_written(text, place, source) for text in texts)
    for written, count in votes.items():
        share = count / (len(texts) + 1)  # of one reply alone no more than half
        for some in (written, *_beginnings(written)):
            patch = Patch(
                edits=(SpanEdit(path=place.path, start=place.start, end=place.end, replacement=some),)
            )
            new = parsed(source[: place.start] + some + source[place.end :])
            if new and old and ast.dump(new) != ast.dump(old):
                line = source.count("\n", 0, place.start) + 1
                yield Candidate(
                    patch=patch,
                    origin=ORIGIN,
                    explanation=f"what a model writes at line {line}",
                    score=LIKELY if some == written else LIKELY / 2,
                    gap=share if some == written else share / 10,
                )


def _written(text: str, place: GapPlace, source: str) -> str:
    """What of a reply belongs into the gap: none of the code around it."""
    bodies = (fence.body for fence in fences(text))
    lines = unix_newlines(next(bodies, text)).split("\n")
    if not is_whole_lines(place, source):
        return lines[0].rstrip()
    following = next((line.strip() for line in source[place.end :].split("\n") if line.strip()), "")
    deep = _depth(place, source)
    kept: list[str] = []
    for line in lines:
        if line.strip() and (_indent(line) < deep or line.strip() == following):
            break
        kept.append(line.rstrip())
    while kept and not kept[-1]:
        kept.pop()
    newline = dominant_newline(source)
    return "".join(line + newline for line in kept)


def is_whole_lines(place: GapPlace, source: str) -> bool:
    """Whether the gap is one of lines, not within one."""
    return source[place.start - 1 : place.start] in {"", "\n"}


def _beginnings(written: str) -> list[str]:
    lines = split_lines(written)
    return ["".join(lines[:length]) for length in range(1, len(lines))][:BEGINNINGS]


def _depth(place: GapPlace, source: str) -> int:
    """How deep the lines in a gap are at least."""
    if place.start < place.end:
        return _indent(source[place.start : place.end].split("\n", maxsplit=1)[0])
    before = next((line for line in reversed(source[: place.start].split("\n")) if line.strip()), "")
    after = next((line for line in source[place.start :].split("\n") if line.strip()), "")
    return _indent(before) if before.rstrip().endswith(":") else min(_indent(before), _indent(after))


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _distinct(candidates: Sequence[Candidate]) -> tuple[Candidate, ...]:
    """Each patch once, the likeliest first."""
    best: dict[Patch, Candidate] = {}
    for one in sorted(candidates, key=lambda one: -one.gap):
        best.setdefault(one.patch, one)
    return tuple(best.values())

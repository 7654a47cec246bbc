"""A trajectory as entries that a page and a terminal show alike: a title, a few facts, longer parts.

The texts are untrusted. Here they are made printable; markup is for whoever shows them to keep out.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from bot.trajectory.reading import Event, Recording, moment, number

_STRUCTURE = frozenset({"kind", "at", "format"})


@dataclass(frozen=True, slots=True, kw_only=True)
class StoryPart:
    """A longer text; a ``diff`` is coloured."""

    label: str
    text: str
    form: Literal["text", "diff"] = "text"


@dataclass(frozen=True, slots=True, kw_only=True)
class StoryEntry:
    """One thing that happened, ``at`` so many seconds; ``facts`` are labels with short texts."""

    kind: str
    at: float
    title: str
    facts: tuple[tuple[str, str], ...] = ()
    parts: tuple[StoryPart, ...] = ()


def printable(text: object) -> str:
    """``text`` without what a terminal or a browser acts upon; line ends and tabs stay."""
    plain = str(text).replace("\r\n", "\n")
    return "".join(c if c in "\n\t" or c.isprintable() else "\ufffd" for c in plain)


def story(recording: Recording) -> tuple[StoryEntry, ...]:
    """The entries of ``recording``, in order; a stage that goes on is one entry."""
    entries: list[StoryEntry] = []
    for event in recording.events:
        if event["kind"] == "profile":
            continue  # a table of its own
        entry = _READ.get(event["kind"], _other)(event)
        before = entries[-1] if entries else None
        if before and entry.kind == before.kind == "stage" and entry.title == before.title:
            entries[-1] = replace(before, facts=entry.facts)
        else:
            entries.append(entry)
    return tuple(entries)


def result_facts(result: Event) -> tuple[tuple[str, str], ...]:
    """What there is to say of the answer, apart from its patch."""
    evidence, choice = _mapping(result.get("evidence")), _mapping(result.get("choice"))
    proved = (
        f"{len(_list(evidence.get('fail_to_pass')))} repaired, in each of {evidence.get('repeats')} runs; "
        f"{evidence.get('pass_to_pass')} still pass; in {evidence.get('sandbox')}"
    )
    facts = [
        ("outcome", result.get("outcome")),
        ("reason", result.get("reason")),
        ("change", result.get("explanation")),
        ("evidence", proved if evidence else ""),
        ("candidates tried", result.get("attempts")),
        ("the choice", choice.get("reason")),
        ("failed before", "\n".join(map(str, _list(result.get("failing_before"))[:20]))),
    ]
    return tuple((label, printable(value)) for label, value in facts if value not in {None, ""})


def _stage(event: Event) -> StoryEntry:
    detail = [("", printable(event["detail"]))] if event.get("detail") else []
    tried = [("tried", str(int(number(event["attempts"]))))] if number(event.get("attempts")) else []
    return _entry(event, str(event.get("name", "")), facts=(*detail, *tried))


def _prompt(event: Event) -> StoryEntry:
    messages = [_mapping(message) for message in _list(event.get("messages"))]
    facts = _facts(event, ("model", "temperature", "max_tokens", "estimated_tokens", "prompts"))
    parts = tuple(
        StoryPart(label=printable(message.get("role", "")), text=printable(message.get("content", "")))
        for message in messages
    )
    return _entry(event, f"prompt: {event.get('stage', '')}", facts=facts, parts=parts)


def _reply(event: Event) -> StoryEntry:
    calls = [_mapping(call) for call in _list(event.get("tool_calls"))]
    facts = _facts(event, ("model", "prompt_tokens", "completion_tokens", "cost", "seconds", "truncated"))
    parts = [StoryPart(label="reply", text=printable(event["text"]))] if event.get("text") else []
    parts += [
        StoryPart(label=f"calls {printable(call.get('name', ''))}", text=printable(call.get("arguments", "")))
        for call in calls
    ]
    return _entry(event, f"reply: {event.get('stage', '')}", facts=facts, parts=tuple(parts))


def _agent(event: Event) -> StoryEntry:
    facts = _facts(event, ("model", "exit_status", "changed", "removed", "cost", "seconds"))
    parts = (StoryPart(label="printed", text=printable(event["text"])),) if event.get("text") else ()
    return _entry(event, "the coding agent", facts=facts, parts=parts)


def _verdict(event: Event) -> StoryEntry:
    facts = _facts(event, ("model", "flaw", "detail", "gain", "fixed", "broken", "seconds"))
    patch = event.get("patch")
    parts = (StoryPart(label="patch", text=printable(patch), form="diff"),) if patch else ()
    return _entry(event, f"verdict: {event.get('verdict', '')}", facts=facts, parts=parts)


def _other(event: Event) -> StoryEntry:
    return _entry(event, event["kind"], facts=_facts(event, tuple(sorted(event.keys() - _STRUCTURE))))


_READ: Mapping[str, Callable[[Event], StoryEntry]] = {
    "stage": _stage,
    "prompt": _prompt,
    "reply": _reply,
    "agent": _agent,
    "verdict": _verdict,
}


def _entry(
    event: Event, title: str, *, facts: tuple[tuple[str, str], ...] = (), parts: tuple[StoryPart, ...] = ()
) -> StoryEntry:
    turn = int(number(event.get("turn")))  # from 1; 0 is the search's
    return StoryEntry(
        kind=printable(event["kind"]),
        at=moment(event),
        title=printable(f"{title} (turn {turn})" if turn > 0 else title),
        facts=facts,
        parts=parts,
    )


def _facts(event: Event, names: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    nothing: tuple[object, ...] = (None, "", [], False, 0.0)
    return tuple(_shown(name, event[name]) for name in names if event.get(name) not in nothing)


def _shown(name: str, value: object) -> tuple[str, str]:
    if isinstance(value, float):
        value = f"{value:.6f}".rstrip("0").rstrip(".") if name == "cost" else f"{value:.3g}"
    elif not isinstance(value, str | int):
        value = json.dumps(value, default=str)
    return printable(name.replace("_", " ")), printable(value)


def _mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _list(value: object) -> list[Any]:
    return value if isinstance(value, list) else []


def diff_lines(text: str) -> Iterator[tuple[str, str]]:
    """The lines of a diff, each with what it is: ``added``, ``removed``, ``head`` or nothing."""
    for line in text.split("\n"):
        if line.startswith(("+++ ", "--- ", "diff --git ", "@@", "index ", "new file ")):
            yield "head", line
        elif line.startswith("+"):
            yield "added", line
        elif line.startswith("-"):
            yield "removed", line
        else:
            yield "", line

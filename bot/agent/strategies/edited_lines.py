"""Edits of single lines, and their JSON schema for one prompt.

What small models get wrong was read in their replies. Asked for a range of lines, they count wrong; asked to
quote the old line before the new one, they copy the old one; shown an example that changes nothing, they
change nothing. So a model says one number, which the schema limits to the lines that it was shown, and the
new line.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from bot.agent.model.asking import object_schema
from bot.agent.model.briefing.brief import Brief
from bot.domain import Attempt, Candidate, Flaw, Patch, SpanEdit, Verdict
from bot.patch.apply import apply
from bot.patch.replies.lenient_json import object_in
from bot.patch.syntax import syntax_problem
from bot.patch.text import NumberedSource, Sources

MAX_EDITS, MAX_LISTED, TRIES = 3, 200, 2
"""OpenAI's strict schemas take 1,000 values of enumerations: more lines than ``MAX_LISTED`` are left out."""
_NUMBERED = re.compile(r"\s*(\d+)\|\s?(.*)")


def editable(brief: Brief) -> dict[int, str]:
    """The shown lines that may be changed, by their numbers (1-based); no blank ones.

    A function's head is none of them where it has no defaults: a repair leaves its arguments as they are.
    """
    first = 1
    if target := brief.target:
        own = target.node.args
        has_defaults = bool(own.defaults or any(own.kw_defaults))
        first = target.first if has_defaults else max(target.first, target.node.body[0].lineno)
    shown = filter(None, map(_NUMBERED.fullmatch, brief.numbered.split("\n")))
    return {int(one[1]): one[2] for one in shown if one[2].strip() and int(one[1]) >= first}


def spent(history: Sequence[Attempt], brief: Brief, sources: Sources) -> frozenset[int]:
    """The lines to look away from: a model left them as they are, or changed them twice in vain."""
    counts: Counter[int] = Counter()
    for attempt in history:
        for edit in attempt.candidate.patch.edits:
            if edit.path == brief.path:
                counts[_line(edit, sources)] += TRIES if attempt.flaw is Flaw.UNCHANGED else 1
    return frozenset(line for line, count in counts.items() if count >= TRIES)


def schema_for(brief: Brief, away: frozenset[int] = frozenset()) -> Mapping[str, object]:
    """``{"edits": [{"line": number, "new": text}]}``; with a path where no file is shown.

    The lines ``away`` cannot be chosen, unless there are no others.
    """
    shown = editable(brief)
    line: dict[str, object] = {"type": "integer"}
    if 0 < len(shown) <= MAX_LISTED:
        line["enum"] = [number for number in shown if number not in away] or list(shown)
    fields: dict[str, object] = {"line": line, "new": {"type": "string"}}
    if not brief.path:
        fields = {"path": {"type": "string"}, **fields}
    edits = {"type": "array", "items": object_schema(fields), "minItems": 1, "maxItems": MAX_EDITS}
    return object_schema({"edits": edits})


def patch_of(reply: str, brief: Brief, sources: Sources) -> Patch | None:
    """The patch of a ``reply`` that changes shown lines and nothing else, perhaps one that changes nothing.

    Of two edits of one line the last one counts. None where it is another kind of reply.
    """
    shown, changed = editable(brief), dict[int, list[str]]()
    for edit in _edits(reply):
        number, new = edit.get("line"), edit.get("new")
        if edit.keys() != {"line", "new"} or number not in shown or not isinstance(new, str):
            return None
        changed[number] = _laid_out(_without_numbers(new), shown[number])
    if not changed or brief.path not in sources:
        return None
    source = NumberedSource(brief.path, sources[brief.path])
    return Patch(edits=tuple(source.replace(one, one, lines) for one, lines in sorted(changed.items())))


def judged(candidate: Candidate, sources: Sources) -> Candidate | Attempt:
    """``candidate``, or the attempt that it is in vain: it changes nothing, or does not parse.

    All its edits are of one file.
    """
    edits = candidate.patch.edits
    old = sources[edits[0].path]
    new = apply(candidate.patch, sources).get(edits[0].path, old)
    is_code = edits[0].path.endswith(".py") and syntax_problem("", old) is None
    problem = syntax_problem(edits[0].path, new) if is_code else None
    flaw = Flaw.SYNTAX if problem else None
    if new == old or (problem and all(_has_same_words(edit, old) for edit in edits)):
        line = _line(edits[0], sources)
        problem = f"line {line} stays as it is: say what it should be, or choose another"
        flaw = Flaw.UNCHANGED
    if flaw is None:
        return candidate
    return Attempt(candidate=candidate, verdict=Verdict.REJECTED, detail=problem or "", flaw=flaw)


def _has_same_words(edit: SpanEdit, text: str) -> bool:
    return edit.replacement.split() == text[edit.start : edit.end].split()


def _line(edit: SpanEdit, sources: Sources) -> int:
    return sources[edit.path].count("\n", 0, edit.start) + 1


def _edits(reply: str) -> list[dict[str, Any]]:
    edits = object_in(reply).get("edits")
    return edits if isinstance(edits, list) and all(isinstance(one, dict) for one in edits) else []


def _without_numbers(text: str) -> str:
    lines = text.split("\n")
    matches = [_NUMBERED.fullmatch(line) for line in lines]
    return "\n".join(match[2] if match else line for match, line in zip(matches, lines, strict=True))


def _laid_out(new: str, old: str) -> list[str]:
    """The lines of ``new``, none where it is blank, moved to the indentation of ``old``.

    Of the same words with another indentation, that is the change.
    """
    lines = new.rstrip().split("\n")
    if not new.strip() or new.strip() == old.strip():
        return lines if new.strip() else []
    own, indent = _indent(lines[0]), _indent(old)
    return [indent + line.removeprefix(own) if line.strip() else "" for line in lines]


def _indent(line: str) -> str:
    return line[: len(line) - len(line.lstrip())]

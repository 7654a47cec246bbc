"""What was tried, and what a search learned, in as few words as a small model can make use of."""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from bot.agent.model.briefing.failure import failure_of
from bot.agent.model.briefing.target import Target
from bot.agent.state import RepairState
from bot.domain import Attempt
from bot.patch.apply import apply
from bot.patch.replies.definitions import unindented
from bot.patch.syntax import Function, parsed
from bot.patch.text import line_changes, split_lines

LINE_CHARACTERS = 240
CHANGE_CHARACTERS = 120
BASES_SHOWN, OPERATORS_SHOWN = 3, 6


def line_of(attempt: Attempt, sources: Mapping[str, str]) -> str:
    """``attempt`` in one line: what it changed, and what came of it."""
    change = change_of(attempt, sources) or attempt.candidate.explanation
    return " ".join(f"{change[:CHANGE_CHARACTERS]}: {outcome(attempt, sources)}".split())[:LINE_CHARACTERS]


def change_of(attempt: Attempt, sources: Mapping[str, str]) -> str:
    """The lines that ``attempt`` puts in place of others, in one line; empty where it changes nothing."""
    texts = apply(attempt.candidate.patch, sources) if attempt.candidate.patch.edits else {}
    return " / ".join(new for path, text in texts.items() for new in _changes(sources.get(path, ""), text))


def diff_lines(attempt: Attempt, sources: Mapping[str, str]) -> str:
    """The changed lines with ``-`` and ``+`` in front, without context."""
    lines: list[str] = []
    for path, source in apply(attempt.candidate.patch, sources).items():
        old, new = split_lines(sources.get(path, "")), split_lines(source)
        for change in line_changes(old, new):
            lines += [f"-{line.rstrip()}" for line in old[change.old_start : change.old_end]]
            lines += [f"+{line.rstrip()}" for line in new[change.new_start : change.new_end]]
    return "\n".join(lines)


def function_after(attempt: Attempt, target: Target, sources: Mapping[str, str]) -> str:
    """``target`` as ``attempt`` leaves it; empty where it changes nothing in that file."""
    texts = apply(attempt.candidate.patch, sources) if attempt.candidate.patch.edits else {}
    if target.path not in texts:
        return ""
    new, old = split_lines(texts[target.path]), split_lines(sources[target.path])
    after = "".join(new[target.start - 1 : target.end + len(new) - len(old)]).rstrip()
    tree = parsed("".join(unindented(split_lines(after))))
    node = tree.body[0] if tree and tree.body else None
    if not isinstance(node, Function):
        return after
    # As the target is shown: without its docstring.
    return replace(target, start=1, text=after, node=node).code


def outcome(attempt: Attempt, sources: Mapping[str, str]) -> str:
    """What came of ``attempt``, in one line: the reason of a refusal, or how the test ended."""
    red = next((result for result in attempt.endings if result.status.is_failure), None)
    if attempt.flaw or red is None:
        return attempt.detail
    values = ", ".join(" ".join(line.split()) for line in failure_of(red, sources).values.split("\n") if line)
    return f"{values} ({attempt.gain})" if attempt.gain else values


def learned(state: RepairState, sources: Mapping[str, str]) -> str:
    """What the search before a model's turn found out; empty where none was made."""
    return "\n".join(_learned(state, sources))


def _learned(state: RepairState, sources: Mapping[str, str]) -> Iterator[str]:
    searched = [base for base in state.bases if not base.attempt.candidate.turn]
    nearest = sorted(searched, key=lambda base: -base.attempt.progress)[:BASES_SHOWN]
    for base in nearest:
        change = change_of(base.attempt, sources)[:CHANGE_CHARACTERS]
        yield f"nearer, not enough: {change} ({base.attempt.gain})"
    names = [name for name, _count in state.ruled_out.operators if not name.startswith("two ")]
    if state.drawn and names:
        yield f"in vain: {state.drawn} small changes ({', '.join(names[:OPERATORS_SHOWN])})"


def _changes(old: str, new: str) -> Iterator[str]:
    before, after = split_lines(old), split_lines(new)
    for change in line_changes(before, after):
        lines = after[change.new_start : change.new_end]
        yield "; ".join(line.strip() for line in lines) or "(deleted)"

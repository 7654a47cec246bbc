"""Filling gaps: a suspicious line is hidden, and a model is asked to write it.

A small model that is shown a whole function copies it. What it cannot see it has to write, and what it finds
natural there is seldom the bug: Xia and Zhang, "Less Training, More Repairing Please: Revisiting Automated
Program Repair via Zero-Shot Learning" (ESEC/FSE 2022).
"""

import ast
import dataclasses
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from bot.agent.model.asking import Question, ask
from bot.agent.model.briefing.target import Target, targets
from bot.agent.model.prompting import Prompt
from bot.agent.model.reading import Asked, read
from bot.agent.nodes.record import record
from bot.agent.state import RepairContext, RepairState
from bot.agent.strategies.turn import begun, keeps_signature, lost, seed, warmth
from bot.domain import Attempt, Candidate
from bot.patch.replies.fences import fences

# A turn's replies are a line each: four of them take no longer than one whole function.
GAPS = 4
LINE_TOKENS = 80
MARK = "____"
_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Gap:
    """A line of ``target`` of which only the first word is shown, by its number in the file."""

    target: Target
    number: int

    @property
    def _at(self) -> int:
        return self.number - self.target.start

    @property
    def _lines(self) -> list[str]:
        return [line.rstrip("\r") for line in self.target.text.split("\n")]

    @property
    def _hidden(self) -> str:
        return self._lines[self._at].strip()

    @property
    def line(self) -> str:
        """What is shown of the line: its first word, and whether a block follows."""
        end = ":" if self._hidden.endswith(":") else ""
        return f"{_first_word(self._hidden)} {MARK}{end}".lstrip()

    @property
    def shown(self) -> str:
        """The function, with what is shown of the line in its place."""
        return self._with(self.line)

    def filled(self, answer: str) -> str:
        """The function with the line that ``answer`` gives; empty where it gives none.

        A model may give the whole function, or what stands around the line, as well.
        """
        bodies = (fence.body for fence in fences(answer))
        given = [line.strip() for line in next(bodies, answer).splitlines()]
        given = [line for line in given if line and not line.startswith("#") and MARK not in line]
        lines = [line.strip() for line in self._lines]
        around = {line for line in lines[: self._at] + lines[self._at + 1 :] if line}
        if len(given) > 1:  # one line alone may well be what stands elsewhere, too
            given = [line for line in given if line not in around]
        alike = [line for line in given if _first_word(line) == _first_word(self._hidden)]
        if not (alike or given):
            return ""
        line = (alike or given)[0]
        return self._with(line + ":" if self._hidden.endswith(":") and not line.endswith(":") else line)

    def _with(self, line: str) -> str:
        lines = self._lines
        old = lines[self._at]
        lines[self._at] = old[: len(old) - len(old.lstrip())] + line
        return "\n".join(lines)


def _first_word(line: str) -> str:
    found = _WORD.match(line)
    return found[0] if found else ""


def gaps(state: RepairState, context: RepairContext, *, number: int) -> tuple[Gap, ...]:
    """The lines of the most suspicious function to hide in a turn: the ``number``-th four of them, from 0.

    Each is a statement of one line, or the head of one. None where the function is documented: what it
    promises is worth more.
    """
    found = targets(context.sources, state.suspicions, most=1)
    if not found or found[0].promise:
        return ()
    target = found[0]
    whole = set(_whole_lines(target.node))
    every = [Gap(target=target, number=number) for number in target.suspicious if number in whole]
    first = GAPS * number
    return tuple(every[first : first + GAPS] or every[:GAPS])


def _whole_lines(function: ast.AST) -> Iterator[int]:
    for node in ast.walk(function):
        if not isinstance(node, ast.stmt) or node is function:
            continue
        body = getattr(node, "body", None)
        end = body[0].lineno - 1 if body else node.end_lineno
        if end == node.lineno:
            yield node.lineno


def fill(found: tuple[Gap, ...], state: RepairState, context: RepairContext) -> dict[str, Any]:
    """Ask for each of the lines: a candidate for each that is new, attempts in vain for the others."""
    candidates: list[Candidate] = []
    in_vain: list[Attempt] = []
    spent: dict[str, Any] = {}
    for turn, gap in enumerate(found):
        prompt = Prompt("gap", state, context, variables={"shown": gap.shown, "beginning": gap.line})
        question = Question(
            stage="gap",
            compose=prompt,
            max_tokens=LINE_TOKENS,
            temperature=warmth(state),
            seed=seed(state) + 10 * turn,
        )
        answer = ask(question, dataclasses.replace(state, **spent), context)
        spent = {**spent, **answer.update}
        if answer.completion is None:
            return {**lost(answer), "candidates": tuple(candidates)}
        text = answer.completion.text
        asked = Asked(
            turn=state.turn,
            target=gap.target,
            path=gap.target.path,
            explanation=f"a model's line {gap.number}",
            keeps_signature=keeps_signature(state.baseline),
        )
        outcome = read(gap.filled(text) or text, asked, context, model=answer.completion.model)
        if isinstance(outcome, Attempt):
            in_vain.append(outcome)
        elif all(outcome.patch != other.patch for other in candidates):
            candidates.append(outcome)
        spent["reply"] = text
        if context.usage_reason(spent["usage"]):
            break
    booked = record(dataclasses.replace(state, **spent), in_vain, context)
    return {**begun(state), **spent, **booked, "candidates": tuple(candidates)}

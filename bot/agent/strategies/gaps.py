"""Single lines: a suspicious line is hidden, or others are asked for instead of it, and a model writes them.

A small model that is shown a whole function copies it. What it cannot see it has to write, and what it finds
natural there is seldom the bug: Xia and Zhang, "Less Training, More Repairing Please: Revisiting Automated
Program Repair via Zero-Shot Learning" (ESEC/FSE 2022). Of four other lines that it is asked for at once, some
are new.
"""

import ast
import dataclasses
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from bot.agent.model.asking import Question, ask, object_schema
from bot.agent.model.briefing.target import Target, targets
from bot.agent.model.prompting import Prompt
from bot.agent.model.reading import Asked, read
from bot.agent.nodes.record import record
from bot.agent.state import RepairContext, RepairState
from bot.agent.strategies.turn import begun, keeps_signature, lost, seed, warmth
from bot.domain import Attempt, Candidate
from bot.patch.replies.fences import fences
from bot.patch.replies.lenient_json import object_in

# A turn's replies are a line each: four of them take no longer than one whole function.
GAPS = 4
LINE_TOKENS = 80
# So many other lines are asked for at once: each costs little, and the tests say which is right.
LINES = 4
SCHEMA = object_schema(
    {"instead": {"type": "array", "items": {"type": "string"}, "minItems": LINES, "maxItems": LINES}}
)
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
    def hidden(self) -> str:
        """The line as it is, without its indentation."""
        return self._lines[self._at].strip()

    @property
    def line(self) -> str:
        """What is shown of the line: its first word, and whether a block follows."""
        end = ":" if self.hidden.endswith(":") else ""
        return f"{_first_word(self.hidden)} {MARK}{end}".lstrip()

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
        alike = [line for line in given if _first_word(line) == _first_word(self.hidden)]
        if not (alike or given):
            return ""
        line = (alike or given)[0]
        return self._with(line + ":" if self.hidden.endswith(":") and not line.endswith(":") else line)

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

    None where the function is documented: what it promises is worth more.
    """
    found = targets(context.sources, state.suspicions, most=1)
    return hidden(found[0], number=number) if found and not found[0].promise else ()


def hidden(target: Target, quoted: Sequence[int] = (), *, number: int) -> tuple[Gap, ...]:
    """Lines of ``target`` to hide: the ``quoted``, then the ``number``-th four suspicious ones, from 0.

    Each is a statement of one line, or the head of one.
    """
    whole = set(_whole_lines(target.node))
    every = [line for line in target.suspicious if line in whole]
    first = GAPS * number
    own = [line for line in quoted if line in whole]
    lines = dict.fromkeys([*own, *(every[first : first + GAPS] or every[:GAPS])])
    return tuple(Gap(target=target, number=line) for line in lines)


def _whole_lines(function: ast.AST) -> Iterator[int]:
    for node in ast.walk(function):
        if not isinstance(node, ast.stmt) or node is function:
            continue
        body = getattr(node, "body", None)
        end = body[0].lineno - 1 if body else node.end_lineno
        if end == node.lineno:
            yield node.lineno


def fill(
    found: tuple[Gap, ...],
    state: RepairState,
    context: RepairContext,
    *,
    shown: bool = False,
    explanation: str = "",
) -> dict[str, Any]:
    """Ask for each of the lines: a candidate for each that is new, attempts in vain for the others.

    One that is ``shown`` is asked for other lines instead, as a JSON list.
    """
    candidates: list[Candidate] = []
    in_vain: list[Attempt] = []
    spent: dict[str, Any] = {}
    for turn, gap in enumerate(found):
        question = _question(gap, state, context, shown=shown, seed=seed(state) + 10 * turn)
        answer = ask(question, dataclasses.replace(state, **spent), context)
        spent = {**spent, **answer.update}
        said = answer.completion
        if said is None:
            return {**lost(answer), "candidates": tuple(candidates)}
        text = said.text
        asked = Asked(
            turn=state.turn,
            target=gap.target,
            path=gap.target.path,
            explanation=explanation or f"a model's line {gap.number}",
            keeps_signature=keeps_signature(state.baseline),
        )
        lines = lines_in(text) if shown else (text,)
        outcomes = [read(gap.filled(line) or line, asked, context, model=said.model) for line in lines]
        made = [one for one in outcomes if isinstance(one, Candidate)]
        in_vain += [] if made else [one for one in outcomes if isinstance(one, Attempt)][:1]
        candidates += made
        spent["reply"] = text
        if context.usage_reason(spent["usage"]):
            break
    booked = record(dataclasses.replace(state, **spent), in_vain, context)
    different = {one.patch: one for one in candidates}
    return {**begun(state), **spent, **booked, "candidates": tuple(different.values())}


def _question(gap: Gap, state: RepairState, context: RepairContext, *, shown: bool, seed: int) -> Question:
    variables = {"line": gap.hidden} if shown else {"shown": gap.shown, "beginning": gap.line}
    prompt = Prompt("instead" if shown else "gap", state, context, variables=variables)
    return Question(
        stage="instead" if shown else "gap",
        compose=prompt,
        max_tokens=LINES * LINE_TOKENS if shown else LINE_TOKENS,
        temperature=warmth(state),
        schema=SCHEMA if shown else None,
        seed=seed,
    )


def lines_in(reply: str) -> tuple[str, ...]:
    """The lines that a ``reply`` in JSON lists; of another kind of reply, itself."""
    said = object_in(reply).get("instead")
    lines = [line for line in said if isinstance(line, str)] if isinstance(said, list) else []
    return tuple(dict.fromkeys(lines)) or (reply,)

"""What the Thought agent says: why the test fails, and the lines that have to change, by quotation.

Asked for a line's number, a small model counts wrong; asked in words alone, it names lines of the test. So
the schema lets it quote lines of the code and nothing else.
"""

from collections.abc import Mapping

from bot.agent.model.asking import object_schema
from bot.agent.model.briefing.brief import Brief
from bot.agent.strategies.edited_lines import MAX_LISTED, editable
from bot.patch.replies.lenient_json import object_in

MAX_LINES = 3
MAX_CHARACTERS = 1_000


def thought_schema(brief: Brief, away: frozenset[int] = frozenset()) -> Mapping[str, object]:
    """``{"why": text, "lines": [quotation]}``: one to three lines of the code that ``brief`` shows.

    The lines ``away`` cannot be quoted, unless there are no others.
    """
    shown = editable(brief)
    texts = [text.strip() for number, text in shown.items() if number not in away]
    texts = list(dict.fromkeys(texts or [text.strip() for text in shown.values()]))
    line: dict[str, object] = {"type": "string"}
    if 0 < len(texts) <= MAX_LISTED:
        line["enum"] = texts
    lines = {"type": "array", "items": line, "minItems": 1, "maxItems": MAX_LINES}
    return object_schema({"why": {"type": "string"}, "lines": lines})


def thought_of(reply: str) -> str:
    """A ``reply`` as text: why, and the quoted lines, a line each; another kind of reply as it is."""
    said = object_in(reply)
    why, lines = said.get("why"), said.get("lines")
    if isinstance(why, str) and isinstance(lines, list):
        parts = [why.strip(), *dict.fromkeys(line.strip() for line in lines if isinstance(line, str))]
        reply = "\n".join(filter(None, parts))
    return reply.strip()[:MAX_CHARACTERS] or "(nothing)"


def quoted(thought: str, brief: Brief) -> tuple[int, ...]:
    """The numbers of the shown lines that ``thought`` quotes: whole lines first, then those within words."""
    shown = editable(brief)
    by_text: dict[str, int] = {}
    for number, text in shown.items():
        by_text.setdefault(text.strip(), number)
    said = [line.strip() for line in thought.split("\n")]
    whole = [by_text[line] for line in said if line in by_text]
    within = [number for text, number in by_text.items() if f"`{text}`" in thought]
    return tuple(dict.fromkeys([*whole, *within]))

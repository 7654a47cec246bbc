"""A model's reply as a patch: the ladder of accepted shapes, strictest first.

Format tolerance is a feature: a reply is read in whatever shape its meaning is clear. The first rung
whose shape is present decides; a lower rung never rescues a reply whose higher shape is wrong.
Whether the patch may be applied is the gate's business, not this module's.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from bot.domain import Patch
from bot.errors import PatchError
from bot.patch.apply import apply, from_texts
from bot.patch.fences import prose
from bot.patch.reply_blocks import read_blocks
from bot.patch.reply_code import read_code
from bot.patch.reply_diff import read_diff
from bot.patch.reply_json import read_json
from bot.patch.structured import to_patch
from bot.patch.text import Sources, is_encodable

Shape = Literal["json", "diff", "blocks", "code"]

MAX_REPLY_CHARACTERS = 200_000
MAX_EXPLANATION_CHARACTERS = 4_000

_THINKING = re.compile(r"\A.*</think(?:ing)?>", re.DOTALL)
_ACCEPTED = (
    "the reply holds no patch: answer with the JSON of the schema, a unified diff, SEARCH/REPLACE blocks, "
    "or one fenced function, class or file"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ParsedReply:
    """What a reply means: line edits that change something, and what the model said about them."""

    patch: Patch
    explanation: str
    shape: Shape


def parse_reply(reply: str, sources: Sources) -> ParsedReply:
    """Read ``reply`` in the first shape of the ladder that it has.

    Raises:
        PatchError: no accepted shape is there, the one that is cannot be applied, or nothing changes.
    """
    if len(reply) > MAX_REPLY_CHARACTERS:
        raise PatchError(f"the reply is too long: {len(reply)} characters, at most {MAX_REPLY_CHARACTERS}")
    # a reasoning model's notes may hold drafts of the patch
    answer = _THINKING.sub("", reply)
    patch, explanation, shape = _read(answer, sources)
    texts = apply(patch, sources)
    for path in (path for path, text in texts.items() if not is_encodable(path + text)):
        raise PatchError(f"the new text for {path!r} is not valid Unicode")
    if not texts:
        raise PatchError("the patch changes nothing")
    return ParsedReply(
        patch=from_texts(sources, texts),
        # whoever prints it must be able to encode it
        explanation=explanation[:MAX_EXPLANATION_CHARACTERS].encode("utf-8", "replace").decode("utf-8"),
        shape=shape,
    )


def _read(answer: str, sources: Sources) -> tuple[Patch, str, Shape]:
    if (structured := read_json(answer)) is not None:
        return to_patch(structured, sources), structured.explanation, "json"
    if (blocks := read_blocks(answer, sources)) is not None:
        return blocks, prose(answer), "blocks"
    if (diff := read_diff(answer, sources)) is not None:
        return diff, prose(answer), "diff"
    if (code := read_code(answer, sources)) is not None:
        return code, prose(answer), "code"
    raise PatchError(_ACCEPTED)

"""A model's reply as a patch: the ladder of accepted shapes, strictest first.

Format tolerance is a feature: a reply is read in whatever shape its meaning is clear. The first shape that
can be read decides; when none can, the strictest that is there says what is wrong. Nothing is guessed: what
fits two places, or is cut off, is refused with a reason that a model can act on. Whether the patch may be
applied is the gate's business, not this module's.
"""

import re
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Literal

from bot.domain import Patch
from bot.errors import EmptyPatch, PatchError
from bot.internal_errors import guarded
from bot.patch.apply import apply, from_sources
from bot.patch.policy.files.protected import is_test_path
from bot.patch.replies.blocks import read_blocks
from bot.patch.replies.code import read_code
from bot.patch.replies.diffs import read_diff
from bot.patch.replies.edits_in_json import read_json
from bot.patch.replies.fences import prose
from bot.patch.replies.placement import placed
from bot.patch.text import Sources, is_encodable

Shape = Literal["json", "diff", "blocks", "code"]

# Some twenty thousand tokens; a model's reply is a tenth of that.
MAX_REPLY_CHARACTERS = 80_000
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


def parse_reply(reply: str, sources: Sources, *, shown: Collection[str] = ()) -> ParsedReply:
    """Read ``reply`` in the first shape of the ladder that can be read.

    ``shown`` are the files that the model has seen: what a reply says without naming another one is looked
    for there first, then in all ``sources``.

    Raises:
        PatchError: no accepted shape is there, the one that is cannot be applied, or nothing changes.
    """
    if len(reply) > MAX_REPLY_CHARACTERS:
        raise PatchError(f"the reply is too long: {len(reply)} characters, at most {MAX_REPLY_CHARACTERS}")
    # a reasoning model's notes may hold drafts of the patch
    answer = _THINKING.sub("", reply)
    problem: PatchError | None = None
    for view in _views(answer, sources, shown):
        for reading in (_json, _blocks, _diff, _code):
            with guarded("the reading of a reply"):
                try:
                    if (found := reading(answer, view)) is not None:
                        return _checked(found, sources)
                except PatchError as error:
                    problem = problem or error
    raise problem or PatchError(_ACCEPTED)


def _views(answer: str, sources: Sources, shown: Collection[str]) -> Iterator[Sources]:
    """The files that were shown by themselves, unless ``answer`` names another one; then all."""
    seen = {path: sources[path] for path in shown if path in sources}
    others = (path for path in sources if path not in seen and not is_test_path(path))
    if 0 < len(seen) < len(sources) and not any(path in answer for path in others):
        yield seen
    yield sources


def _checked(found: ParsedReply, sources: Sources) -> ParsedReply:
    changed = apply(found.patch, sources)
    for path in (path for path, text in changed.items() if not is_encodable(path + text)):
        raise PatchError(f"the new text for {path!r} is not valid Unicode")
    # who repeats code is careless with blanks; who edits it means them
    if all(found.shape == "code" and _same_code(changed[path], sources.get(path, "")) for path in changed):
        raise EmptyPatch(
            "the patch changes nothing: it gives the code as it is; change the line that is wrong"
        )
    return ParsedReply(
        patch=from_sources(sources, changed),
        # whoever prints it must be able to encode it
        explanation=found.explanation[:MAX_EXPLANATION_CHARACTERS].encode("utf-8", "replace").decode("utf-8"),
        shape=found.shape,
    )


def _same_code(one: str, other: str) -> bool:
    lines = ([line.rstrip() for line in text.split("\n") if line.strip()] for text in (one, other))
    return next(lines) == next(lines)


def _json(answer: str, sources: Sources) -> ParsedReply | None:
    structured = read_json(answer, next(iter(sources)) if len(sources) == 1 else None)
    if structured is None:
        return None
    if not structured.edits:
        raise EmptyPatch("the patch changes nothing: its list of edits is empty")
    patch = placed(structured, sources)
    return ParsedReply(patch=patch, explanation=structured.explanation, shape="json")


def _shaped(
    read: Callable[[str, Sources], Patch | None], shape: Shape, answer: str, sources: Sources
) -> ParsedReply | None:
    patch = read(answer, sources)
    return None if patch is None else ParsedReply(patch=patch, explanation=prose(answer), shape=shape)


_blocks = partial(_shaped, read_blocks, "blocks")
_diff = partial(_shaped, read_diff, "diff")
_code = partial(_shaped, read_code, "code")

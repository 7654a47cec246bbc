"""The one comment below a pull request: found again by its first line, which holds what is known so far.

The line is a comment to Markdown and JSON to us; a second one at the end holds the proposal itself, packed,
so that ``/regreen apply`` and ``explain`` need nothing else. Both are read as untrusted text: only
comments that this token has written are looked at, and a patch out of one passes every check again.
"""

import base64
import binascii
import re
import zlib
from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import Field, StringConstraints, ValidationError

from bot.delivery.options import DeliveryStep, Kind, Rung
from bot.delivery.proposal import ProposalArtifact, digest, load
from bot.delivery.proposal_parts import MAX_BYTES, Count, Sha, Strict
from bot.errors import DeliveryError, NotFound
from bot.github.client import GitHub
from bot.github.records import Comment, stored

PACKED_LIMIT = 20_000
"""More characters than this of a comment are not spent on the packed proposal."""

_STATE = re.compile(r"\A<!-- regreen:state:1 (\{[^\r\n]{1,20000}\}) -->")
_PACKED = re.compile(r"<!-- regreen:proposal ([A-Za-z0-9+/=]{1,60000}) -->\s*\Z")
_MARK = "<!-- regreen:state:1 "

Id = Annotated[str, StringConstraints(pattern=r"\A([0-9a-f]{16})?\z")]
OptionalSha = Annotated[str, StringConstraints(pattern=r"\A([0-9a-f]{40}|[0-9a-f]{64})?\z")]
Branch = Annotated[str, StringConstraints(pattern=r"\A(regreen/fix-[0-9a-z-]{1,60})?\z")]
Status = Literal["publishing", "delivered", "withdrawn", "dismissed", "applied", "noted"]


class StepState(Strict):
    """``DeliveryStep`` as the comment keeps it."""

    rung: Rung
    done: bool
    detail: Annotated[str, StringConstraints(max_length=500)]


class State(Strict):
    """What is known of a pull request. ``why`` says in our own words why a proposal was withdrawn.

    ``patch`` and ``tests`` are the ids of what the last proposal was, ``head`` is what it was for. ``change``
    names its lines wherever they stand (``change_id``), ``refused`` those of proposals that people dismissed.
    ``attempts`` counts repairs, ``today`` those of ``day`` (UTC, as 2026-01-31), ``run`` is the last one
    counted. ``expects`` names suggestions of what outdated tests would assert, which nothing applies.
    """

    status: Status = "noted"
    head: OptionalSha = ""
    tests: Id = ""
    patch: Id = ""
    change: Id = ""
    kind: Kind = "none"
    url: Annotated[str, StringConstraints(max_length=500)] = ""
    branch: Branch = ""
    commit: OptionalSha = ""
    pull: Count = 0
    why: Annotated[str, StringConstraints(max_length=300)] = ""
    steps: Annotated[tuple[StepState, ...], Field(max_length=10)] = ()
    attempts: Count = 0
    day: Annotated[str, StringConstraints(pattern=r"\A(\d{4}-\d\d-\d\d)?\z")] = ""
    today: Count = 0
    run: Id = ""
    dismissed: Annotated[tuple[Sha, ...], Field(max_length=50)] = ()
    refused: Annotated[tuple[Id, ...], Field(max_length=50)] = ()
    expects: Id = ""

    @property
    def stands(self) -> bool:
        """Whether a proposal is out there that a person may still take."""
        return self.status in {"publishing", "delivered"} and bool(self.patch)

    @property
    def unwanted(self) -> tuple[str, ...]:
        """The changes that are not proposed again: dismissed ones, and one that was applied before."""
        applied = (self.change,) if self.status == "applied" and self.change else ()
        return tuple(dict.fromkeys((*self.refused, *applied)))[-50:]


@dataclass(frozen=True, slots=True, kw_only=True)
class Sticky:
    """The comment with what it holds; ``artifact`` is None where it was too large to be kept."""

    comment: Comment
    state: State
    artifact: ProposalArtifact | None


def change_id(diff: str) -> str:
    """Names the lines that the unified ``diff`` removes and adds, wherever they stand in their files."""
    return digest(*(line for line in diff.split("\n") if line.startswith(("+", "-"))))


def find(github: GitHub, number: int) -> Sticky | None:
    """The comment below pull request ``number``; None if there is none, or none that can be read."""
    for comment in github.own(github.comments(number)):
        if state := read_state(comment.body):
            return Sticky(comment=comment, state=state, artifact=read_artifact(comment.body))
    return None


def claimed(github: GitHub, number: int) -> tuple[State, ...]:
    """What comments below pull request ``number`` claim to be the state, whoever wrote them: a hint only."""
    states = (read_state(comment.body) for comment in github.comments(number))
    return tuple(state for state in states if state)


def save(github: GitHub, number: int, sticky: Sticky | None, body: str) -> Comment:
    """Put ``body`` into the comment, or make it; what it says already is not said again."""
    if sticky is None:
        return github.comment(number, body)
    if stored(sticky.comment.body) == stored(body):
        return sticky.comment
    try:
        return github.update_comment(sticky.comment.id, body)
    except NotFound:  # somebody has deleted it since it was read
        return github.comment(number, body)


def state_line(state: State) -> str:
    """The first line of the comment."""
    # What would end the comment, or begin another, is written as JSON may write it.
    text = state.model_dump_json(exclude_defaults=True)
    for char in "-<>":
        text = text.replace(char, f"\\u{ord(char):04x}")
    return f"{_MARK}{text} -->"


def packed_line(artifact: ProposalArtifact | None) -> str:
    """The last line of the comment; empty where the proposal is too large for one."""
    if artifact is None or not artifact.is_patched:
        return ""
    text = artifact.model_dump_json(exclude_defaults=True).encode()
    packed = base64.b64encode(zlib.compress(text, 9)).decode("ascii")
    return f"<!-- regreen:proposal {packed} -->" if len(packed) <= PACKED_LIMIT else ""


def read_state(body: str) -> State | None:
    """The state in a comment's text; None if there is none of this version."""
    match = _STATE.match(body)
    if not match:
        return None
    try:
        return State.model_validate_json(match[1])
    except ValidationError:
        return None


def read_artifact(body: str) -> ProposalArtifact | None:
    """The proposal in a comment's text; None if there is none that holds."""
    match = _PACKED.search(body[-PACKED_LIMIT - 100 :])
    if not match:
        return None
    try:
        unpacker = zlib.decompressobj()
        return load(unpacker.decompress(base64.b64decode(match[1]), MAX_BYTES))
    except (zlib.error, binascii.Error, DeliveryError):
        return None


def kept(steps: tuple[DeliveryStep, ...]) -> tuple[StepState, ...]:
    """``steps`` as the state keeps them."""
    return tuple(StepState(rung=one.rung, done=one.done, detail=one.detail[:500]) for one in steps[:10])

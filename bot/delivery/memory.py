"""What the people of a repository took and dismissed: in Regreen's comments, and if allowed on a branch.

Of comments only the newest of this token are read; a file on a branch of its own keeps what they said. Who
may push can change the file. It changes the order of candidates and what is not proposed unasked, and
nothing else.
"""

from collections.abc import Collection
from contextlib import suppress
from typing import Annotated, Self

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError

from bot.delivery.proposal_parts import Text
from bot.delivery.sticky import Id, State, change_id, read_artifact, read_state
from bot.errors import GitHubError, HeadMoved
from bot.github.client import GitHub

BRANCH = "regreen/memory"
FILE = "memory.json"
MAX_ACCEPTED = 10
"""More operators than these are not preferred: an order that prefers all prefers none."""

MAX_REFUSED = 1_000
MAX_BYTES = 100_000
LONGEST_OPERATOR = 100
Operator = Annotated[Text, StringConstraints(max_length=LONGEST_OPERATOR)]


class Decisions(BaseModel):
    """The operators whose patches people took, and the changes (``change_id``) not to be proposed again.

    Of both the latest come first.
    """

    model_config = ConfigDict(extra="ignore", frozen=True, strict=True)

    version: int = 1
    accepted: Annotated[tuple[Operator, ...], Field(max_length=MAX_ACCEPTED)] = ()
    refused: Annotated[tuple[Id, ...], Field(max_length=MAX_REFUSED)] = ()

    def joined(self, older: Self, wanted: Collection[str] = ()) -> "Decisions":
        """This and what ``older`` knows besides; people have taken the changes ``wanted`` since."""
        refused = dict.fromkeys((*self.refused, *(one for one in older.refused if one not in wanted)))
        return Decisions(
            accepted=tuple(dict.fromkeys((*self.accepted, *older.accepted)))[:MAX_ACCEPTED],
            refused=tuple(refused)[:MAX_REFUSED],
        )


def known(github: GitHub) -> Decisions:
    """All that is remembered.

    Raises:
        GitHubError: GitHub cannot be asked.
    """
    said, wanted = _of_comments(github)
    return said.joined(_of_file(github, github.branch_head(BRANCH)), wanted)


def is_unwanted(diff: str, state: State, github: GitHub) -> bool:
    """Whether people dismissed the change ``diff``: where ``state`` is, or elsewhere in the repository.

    Where GitHub does not say what was dismissed elsewhere, nothing was.
    """
    change = change_id(diff)
    if change in state.unwanted:
        return True
    try:
        return change in known(github).refused
    except GitHubError:
        return False


def keep(github: GitHub) -> None:
    """Have the file say all that is remembered; where it does, nothing is written.

    Raises:
        GitHubError: GitHub cannot be asked, or the token may not write.
    """
    head = github.branch_head(BRANCH)
    before = _of_file(github, head)
    said, wanted = _of_comments(github)
    now = said.joined(before, wanted)
    if now == before:
        return
    content = now.model_dump_json(indent=1).encode() + b"\n"
    sha = github.commit(parent=head or "", files={FILE: content}, message="Remember what people decided")
    with suppress(HeadMoved):  # another run has written meanwhile; the next one adds what is missing
        if head:
            github.move_branch(BRANCH, sha, expected=head)
        else:
            github.create_branch(BRANCH, sha)


def _of_comments(github: GitHub) -> tuple[Decisions, frozenset[str]]:
    """What the newest comments say, and the changes that people took: of one change, the latest holds."""
    accepted = dict[str, None]()
    refused = dict[str, bool]()
    for comment in github.own(github.newest_comments()):
        state = read_state(comment.body)
        if state is None:
            continue
        # What was committed unasked has no reason: nobody took it.
        taken = state.status == "applied" and bool(state.why)
        if taken and state.change:
            refused.setdefault(state.change, False)
        for change in reversed(state.refused):
            refused.setdefault(change, True)
        artifact = read_artifact(comment.body) if taken else None
        if artifact and artifact.operator and artifact.patch_id == state.patch:
            names = artifact.operator.split(" + ")  # a pair of changes has two
            accepted |= dict.fromkeys(name for name in names if len(name) <= LONGEST_OPERATOR)
    return (
        Decisions(
            accepted=tuple(accepted)[:MAX_ACCEPTED],
            refused=tuple(change for change, is_refused in refused.items() if is_refused)[:MAX_REFUSED],
        ),
        frozenset(change for change, is_refused in refused.items() if not is_refused),
    )


def _of_file(github: GitHub, head: str | None) -> Decisions:
    """What the branch at ``head`` says; nothing where that is no memory."""
    content = github.file(FILE, ref=head) if head else None
    if content is None or len(content) > MAX_BYTES:
        return Decisions()
    try:
        return Decisions.model_validate_json(content)
    except ValidationError:
        return Decisions()

"""What the people of a repository took and dismissed: in Regreen's comments, and if allowed on a branch.

Of comments only the newest of this token are read; a file on a branch of its own keeps what they said. Who
may push can change the file. It changes the order of candidates and what is not proposed unasked, and
nothing else.
"""

from typing import Annotated, Self

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError

from bot.delivery.proposal_parts import Text
from bot.delivery.sticky import Id, State, change_id, read_artifact, read_state
from bot.errors import HeadMoved
from bot.github.client import GitHub

BRANCH = "regreen/memory"
FILE = "memory.json"
MAX_ACCEPTED = 10
"""More operators than these are not preferred: an order that prefers all prefers none."""

MAX_REFUSED = 1_000
MAX_BYTES = 100_000
Operator = Annotated[Text, StringConstraints(max_length=100)]


class Memory(BaseModel):
    """The operators whose patches people took, and the changes (``change_id``) not to be proposed again.

    Of both the latest come first.
    """

    model_config = ConfigDict(extra="ignore", frozen=True, strict=True)

    version: int = 1
    accepted: Annotated[tuple[Operator, ...], Field(max_length=MAX_ACCEPTED)] = ()
    refused: Annotated[tuple[Id, ...], Field(max_length=MAX_REFUSED)] = ()

    def joined(self, older: Self) -> "Memory":
        """This and what ``older`` knows besides."""
        return Memory(
            accepted=tuple(dict.fromkeys((*self.accepted, *older.accepted)))[:MAX_ACCEPTED],
            refused=tuple(dict.fromkeys((*self.refused, *older.refused)))[:MAX_REFUSED],
        )


def known(github: GitHub) -> Memory:
    """All that is remembered.

    Raises:
        GitHubError: GitHub cannot be asked.
    """
    return _of_comments(github).joined(_of_file(github, github.branch_head(BRANCH)))


def is_unwanted(diff: str, state: State, github: GitHub) -> bool:
    """Whether people dismissed the change ``diff``: where ``state`` is, or elsewhere in the repository.

    Raises:
        GitHubError: GitHub cannot be asked.
    """
    change = change_id(diff)
    return change in state.unwanted or change in known(github).refused


def keep(github: GitHub) -> None:
    """Have the file say all that is remembered; where it does, nothing is written.

    Raises:
        GitHubError: GitHub cannot be asked, or the token may not write.
    """
    head = github.branch_head(BRANCH)
    before = _of_file(github, head)
    now = _of_comments(github).joined(before)
    if now == before:
        return
    content = now.model_dump_json(indent=1).encode() + b"\n"
    sha = github.commit(parent=head or "", files={FILE: content}, message="Remember what people decided")
    try:
        if head:
            github.move_branch(BRANCH, sha, expected=head)
        else:
            github.create_branch(BRANCH, sha)
    except HeadMoved:
        pass  # another run has written meanwhile; the next one adds what is missing


def _of_comments(github: GitHub) -> Memory:
    accepted, refused = dict[str, None](), dict[str, None]()
    for comment in github.own(github.newest_comments()):
        state = read_state(comment.body)
        if state is None:
            continue
        refused |= dict.fromkeys(filter(None, state.refused))
        # What was committed unasked has no reason: nobody took it.
        if state.status == "applied" and state.why:
            artifact = read_artifact(comment.body)
            if artifact and artifact.operator and artifact.patch_id == state.patch:
                accepted |= dict.fromkeys(artifact.operator.split(" + "))  # a pair of changes has two
    return Memory(accepted=tuple(accepted)[:MAX_ACCEPTED], refused=tuple(refused)[:MAX_REFUSED])


def _of_file(github: GitHub, head: str | None) -> Memory:
    """What the branch at ``head`` says; nothing where that is no memory."""
    content = github.file(FILE, ref=head) if head else None
    if content is None or len(content) > MAX_BYTES:
        return Memory()
    try:
        return Memory.model_validate_json(content)
    except ValidationError:
        return Memory()

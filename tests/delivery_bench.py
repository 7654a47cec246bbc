"""A pull request with a bug on a stand-in GitHub, and a proposal for it, ready to be published."""

import base64
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any, cast

from delivery_cases import NOW, edit, result
from github_fixture import Bench, bench

from bot.delivery.options import Delivered, DeliveryOptions
from bot.delivery.proposal import ProposalArtifact
from bot.delivery.proposing import Origin, proposal_of
from bot.delivery.publish import publish
from bot.delivery.verify import Verified, verify
from bot.github.client import GitHub
from bot.patch.policy.gate import Policy
from bot.result import RepairResult

FILE = "cart.py"
FILLER = b"".join(b"x%d = %d\n" % (n, n) for n in range(20))
BROKEN = b"def total(net, tax):\n    return net - tax\n"
START = 21
TESTS = b"from cart import total\n\n\ndef test_total():\n    assert total(100, 20) == 120\n"
ASKED = "/regreen apply"
BEFORE = FILLER + BROKEN
AFTER = FILLER + BROKEN.replace(b"-", b"+")


_READING = ("GET", "HEAD")


class Died(BaseException):
    """The process ended here."""


WRITES = frozenset(
    {
        *("review", "review_comment", "comment", "update_comment", "update_review_comment", "commit"),
        *("create_branch", "move_branch", "delete_branch", "open_pull", "update_pull"),
    }
)


@dataclass(slots=True)
class Mortal:
    """A client whose process dies instead of writing once more than ``writes`` times."""

    client: GitHub
    writes: int

    def __getattr__(self, name: str):
        if name in WRITES:
            if not self.writes:
                raise Died
            self.writes -= 1
        return getattr(self.client, name)


@dataclass(slots=True, kw_only=True)
class Here:
    """``found`` is the repair's result; ``writes`` are the requests so far that change something."""

    bench: Bench
    number: int
    options: DeliveryOptions
    found: RepairResult
    origin: dict[str, Any]
    artifact: ProposalArtifact = field(init=False)

    def __post_init__(self) -> None:
        self.propose()

    @property
    def client(self):
        return self.bench.client

    @property
    def server(self):
        return self.bench.server

    @property
    def repository(self):
        return self.bench.repository

    @property
    def head(self) -> str:
        return self.artifact.head_sha

    def ask(self) -> int:
        """A person's comment that asks for something; its id."""
        world, issue = self.server.world, self.repository.issues[self.number]
        return world.comment(issue, ASKED, user=world.user("octo")).id

    def propose(self) -> None:
        head = self.repository.branch_head("feature") or self.client.pull(self.number).head_sha
        content = self.client.file(FILE, ref=head)
        origin = Origin(
            repository="octo/app",
            pull=self.number,
            base_sha=self.client.branch_head("main"),
            head_sha=head,
            head_ref="feature",
            run_id=99,
            **self.origin,
        )
        self.artifact = proposal_of(self.found, origin=origin, files={FILE: content})

    def verified(self) -> Verified:
        return verify(self.artifact, self.client, policy=Policy())

    def publish(
        self, verified: Verified | None = None, *, options: DeliveryOptions | None = None, **said
    ) -> Delivered:
        return publish(verified or self.verified(), self.client, options or self.options, now=NOW, **said)

    def push_again(self) -> None:
        """A commit that leaves the bug where it is; the proposal is made for it anew."""
        self.server.world.push(self.repository, "feature", {"more.py": b"z = 1\n"})
        self.propose()

    def writes(self) -> list[str]:
        seen = [one for one in self.server.requests if one.method not in _READING]
        return [f"{one.method} {one.path}" for one in seen if one.path != "/graphql"]

    def crashing(self, after: int) -> "Here":
        """The same with a process that dies after that many writes."""
        client = cast("GitHub", Mortal(self.bench.client, after))
        return replace(self, bench=replace(self.bench, client=client))

    def forged(self, text: bytes) -> ProposalArtifact:
        """The proposal with another text in the place of its edit's."""
        (one,) = self.artifact.edits
        edit = one.model_copy(update={"text": base64.b64encode(text).decode()})
        return self.artifact.model_copy(update={"edits": (edit,)})


@contextmanager
def delivery(
    *,
    near: bool = False,
    fork: bool = False,
    pull: bool = True,
    permissions: dict[str, str] | None = None,
    options: DeliveryOptions | None = None,
    found: RepairResult | None = None,
    **origin,
) -> Iterator[Here]:
    """A pull request from ``feature``; ``near``: the bug lies within its diff."""
    with bench() as there:
        world, repository = there.server.world, there.repository
        repository.pulls_by_actions = True
        main = {FILE: FILLER + BROKEN.replace(b"-", b"*")} if near else {FILE: BEFORE}
        main["tests/test_cart.py"] = TESTS
        world.push(repository, "main", main)
        source = world.fork(repository, "stranger") if fork else repository
        world.push(source, "feature", {FILE: BEFORE, "other.py": b"y = 2\n"})
        number = world.pull(repository, "feature", fork=source if fork else None).number if pull else 0
        if permissions is not None:
            world.tokens[there.token].permissions = {"metadata": "read", **permissions}
        found = found or result(edit(BEFORE, "net - tax", "net + tax", FILE))
        chosen = options or DeliveryOptions()
        yield Here(bench=there, number=number, options=chosen, found=found, origin=origin)


def comments(here: Here) -> list[str]:
    """The comments below the pull request, without what people asked for."""
    return [one.body for one in here.repository.issues[here.number].comments if one.body != ASKED]


def line_comments(here: Here) -> list[Any]:
    """The comments on lines of the pull request."""
    return here.repository.issues[here.number].pull.line_comments


def fixes(here: Here) -> list[Any]:
    """The pull requests from branches of Regreen's own."""
    every = here.repository.issues.values()
    return [one for one in every if one.pull and one.pull.head_ref.startswith("regreen/")]

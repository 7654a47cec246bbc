"""Whether a proposal may be published: everything in it is checked against GitHub, not against itself.

The originals are fetched by the head's sha, the patch is applied anew, and the policy gate that judged it in
the job which ran the project's code judges it again here. What only that job knows, the evidence, is taken
over as its word; it decides nothing but what a comment says.
"""

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from bot.delivery.expectations import problem_of
from bot.delivery.judging import judged, made_for, refused
from bot.delivery.proposal import ProposalArtifact
from bot.delivery.proposal_parts import MAX_LINES, TEXT, Original, patch_of
from bot.domain import Patch
from bot.errors import HeadMoved, PatchError
from bot.github.client import GitHub
from bot.github.records import PullRequest
from bot.patch.apply import apply
from bot.patch.diff import unified_diff
from bot.patch.policy.files.protected import name_problem
from bot.patch.policy.gate import Policy
from bot.patch.text import decode, encode, one_line, shown_surrogates

TRAILER = "Regreen-Fix"
OWN_BRANCHES = "regreen/"


@dataclass(frozen=True, slots=True, kw_only=True)
class NewTests:
    """Files of tests by path, as they are and with other literals in their assertions."""

    before: Mapping[str, bytes | None]
    after: Mapping[str, bytes]
    diff: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Verified:
    """A proposal that holds; contents by path, None for a file that is not there yet.

    ``expected`` are outdated tests with what they would assert, in place of a patch.
    ``pull`` is None where a branch is repaired. ``applied`` is the commit by which the patch is on the
    branch already; then nothing is left to do. What
    a person has to see is among the artifact's ``warnings``, whoever saw it first.
    """

    artifact: ProposalArtifact
    pull: PullRequest | None
    before: Mapping[str, bytes | None]
    after: Mapping[str, bytes]
    diff: str
    applied: str = ""
    expected: NewTests | None = None

    @property
    def warnings(self) -> tuple[str, ...]:
        """Why only a person may apply the patch; empty where anybody may."""
        return self.artifact.warnings


def verify(
    artifact: ProposalArtifact, github: GitHub, *, policy: Policy, test_changes: bool = False
) -> Verified:
    """The proposal, checked; one without a patch has no files.

    What it would have tests expect is kept with ``test_changes`` only, which the base branch decides.

    Raises:
        DeliveryError: it is refused; the message says why.
        HeadMoved: the branch is not where it was when the repair began.
        GitHubError: GitHub cannot be asked.
    """
    if artifact.repository.lower() != github.repository.lower():
        raise refused(f"it is for {one_line(artifact.repository)}, and this is {github.repository}")
    pull = _pull(artifact, github)
    applied = _applied(artifact, github, pull)
    before: dict[str, bytes | None] = {}
    after: dict[str, bytes] = {}
    diff = ""
    if not test_changes:
        artifact = artifact.model_copy(update={"new_expectations": None})
    if artifact.is_patched:
        before = _originals(artifact.originals, made_for(artifact), github)
        chosen = replace(policy, formats_tests=artifact.failed == "check")
        seen = [one_line(text, limit=TEXT) for text in judged(artifact, before, github, chosen)]
        warnings = tuple(dict.fromkeys((*artifact.warnings, *seen)))[:MAX_LINES]
        artifact = artifact.model_copy(update={"warnings": warnings})
        after, diff = _patched(artifact.patch, artifact.diff, before)
    if applied and not github.changes_only(after, sha=applied, parent=artifact.head_sha):
        raise _out_of_date(artifact, applied)
    return Verified(
        artifact=artifact,
        pull=pull,
        before=before,
        after=after,
        diff=diff,
        applied=applied,
        expected=_expected(artifact, github),
    )


def is_own_commit(github: GitHub, sha: str, *, patch_id: str = "", parent: str = "") -> bool:
    """Whether the commit is one of Regreen's: by its trailer, its author, and what it is asked to be.

    Who may push can forge all of these: ``GitHub.changes_only`` says whether it holds the patch, and no more.
    """
    commit = github.read_commit(sha)
    found = trailer_of(commit.message)
    if not found or (patch_id and found != patch_id) or (parent and commit.parents != (parent,)):
        return False
    return commit.author.lower() in {"", github.viewer().lower()}


def says_it_is_a_fix(github: GitHub, sha: str, *, parent: str = "") -> bool:
    """Whether the commit names itself a repair, of ``parent`` if given, whoever has published it.

    Enough to leave something alone, and nothing more: anybody can write a trailer. Whoever looks for a patch
    may hold another token than whoever published one, and would not know the other's commits by their author.
    """
    commit = github.read_commit(sha)
    return bool(trailer_of(commit.message)) and (not parent or commit.parents == (parent,))


def trailer_of(message: str) -> str:
    """What the trailer of a commit's message names, in its last paragraph; empty if there is none."""
    last = message.replace("\r\n", "\n").rstrip().rpartition("\n\n")[2]
    values = [line.partition(":")[2].strip() for line in last.split("\n") if line.startswith(f"{TRAILER}:")]
    return values[-1] if values else ""


def _pull(artifact: ProposalArtifact, github: GitHub) -> PullRequest | None:
    if not artifact.pull:
        return None
    pull = github.pull(artifact.pull)
    if pull.base_repository.lower() != github.repository.lower():
        raise refused(f"pull request {pull.number} is not one of {github.repository}")
    if pull.state != "open":
        raise HeadMoved(f"pull request {pull.number} is closed: nothing is published for it any more")
    return pull


def _applied(artifact: ProposalArtifact, github: GitHub, pull: PullRequest | None) -> str:
    """The commit by which the patch is there already; empty while the head is what it was."""
    ref = pull.head_ref if pull else artifact.head_ref
    if artifact.judged:
        if pull and pull.head_sha == artifact.head_sha:
            return ""
        raise _out_of_date(artifact, pull.head_sha if pull else "nothing")
    if ref.startswith(OWN_BRANCHES) and not (pull and pull.is_fork):
        raise refused(f"{one_line(ref)} is a branch of Regreen's own")
    head = pull.head_sha if pull else github.branch_head(ref)
    if head == artifact.head_sha:
        return ""
    if head and artifact.patch_id and not (pull and pull.is_fork):
        own = is_own_commit(github, head, patch_id=artifact.patch_id, parent=artifact.head_sha)
        if own:
            return head
    raise _out_of_date(artifact, head or "nothing")


def _out_of_date(artifact: ProposalArtifact, head: str) -> HeadMoved:
    return HeadMoved(
        f"{one_line(artifact.head_ref)} is at {head[:12]} and was at {artifact.head_sha[:12]} when the "
        "repair began: the proposal is out of date"
    )


def _expected(artifact: ProposalArtifact, github: GitHub) -> NewTests | None:
    new = artifact.new_expectations
    if new is None or not artifact.pull:
        return None
    before = _originals(new.originals, artifact.head_sha, github)
    patch = patch_of(new.edits)
    texts = {path: decode(content) for path, content in before.items() if content is not None}
    if problem := problem_of(patch.edits, texts):
        raise refused(problem)
    after, diff = _patched(patch, new.diff, before)
    return NewTests(before=before, after=after, diff=diff)


def _originals(originals: Iterable[Original], sha: str, github: GitHub) -> dict[str, bytes | None]:
    found: dict[str, bytes | None] = {}
    for original in originals:
        if problem := name_problem(original.path):
            raise refused(problem)
        content = github.file(original.path, ref=sha)
        sha256 = None if content is None else hashlib.sha256(content).hexdigest()
        if sha256 != original.sha256:
            raise refused(f"{one_line(original.path)} is not the file that the patch was made for")
        found[original.path] = content
    return found


def _patched(patch: Patch, shown: str, before: Mapping[str, bytes | None]) -> tuple[dict[str, bytes], str]:
    sources = {path: decode(content) for path, content in before.items() if content is not None}
    try:
        texts = apply(patch, sources)
        diff = unified_diff(patch, sources)
    except PatchError as error:
        raise refused(one_line(str(error))) from error
    if shown_surrogates(diff) != shown:
        raise refused("the diff that it shows is not what its edits do")
    return {path: encode(text) for path, text in texts.items()}, diff

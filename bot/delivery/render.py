"""What people read on GitHub: the comment, a review's suggestions, a pull request's body, the job's summary.

Pure: facts in, Markdown out. The words stand in ``templates/``; every untrusted text passes through
``bot.delivery.markdown`` on its way there. What is too long is rendered again with less of the diff,
and is a short text at last.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING
from urllib.parse import quote

from bot.delivery import markdown
from bot.delivery.expectations import LABEL
from bot.delivery.options import Delivered
from bot.delivery.proposal import ProposalArtifact
from bot.delivery.sticky import State, packed_line, state_line
from bot.delivery.suggestions import Suggestion
from bot.delivery.verify import TRAILER
from bot.github.records import PullRequest
from bot.internal_errors import guarded
from bot.patch.text import encode

if TYPE_CHECKING:
    from jinja2 import Environment

# Well below the limit: how GitHub counts characters beyond the basic plane is not documented.
_ROOM = markdown.LIMIT - 5_000
_DIFF_LIMITS = (20_000, 6_000, 1_500, 0)
SUMMARY_LIMIT = 500_000
_TOO_LONG = "The report is too long to be shown here: the summary of the workflow run has it."
_WIDTH = 76
_PLAIN_PATH = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_./-]{0,80}")


def comment(artifact: ProposalArtifact, state: State, *, pull: PullRequest, diff: str) -> str:
    """The one comment below a pull request, with its hidden first and last line."""
    packed = packed_line(artifact)
    return _fitted(
        "comment",
        room=_ROOM - len(packed),
        diff=diff,
        first_line=state_line(state),
        last_line=packed,
        artifact=artifact,
        state=state,
        pull=pull,
        can_apply=bool(packed) and not pull.is_fork and not artifact.warnings,
        commit_link=commit_link(pull, state.commit) if state.commit else "",
    )


def ended(artifact: ProposalArtifact | None, state: State, *, pull: PullRequest) -> str:
    """The comment once its proposal stands no more; ``artifact`` is None if it was too large to be kept."""
    if artifact is not None:
        return comment(artifact, state, pull=pull, diff="")
    return _render("ended", first_line=state_line(state), state=state)


def answer(marker: str, text: str, link: tuple[str, str] = ("", "")) -> str:
    """A short answer to a command, with a ``link``: our own words, and the address if there is one."""
    words, address = link
    more = f" {markdown.link(words, address)}." if address else ""
    return f"{marker}\n{markdown.sentence(text)}{more}\n"


def pull_title(artifact: ProposalArtifact) -> str:
    """The title of a fix pull request, and a commit's first line: nothing in it is untrusted prose."""
    paths = [original.path for original in artifact.originals]
    plain = len(paths) == 1 and _PLAIN_PATH.fullmatch(paths[0])
    where = paths[0] if plain else markdown.plural(len(paths), "file")
    return f"Repair {where}: {markdown.plural(artifact.failing_count, f'failing {artifact.failed}')} to pass"


def commit_message(artifact: ProposalArtifact) -> str:
    """A commit's message without its trailer; a commit can close issues and mention people, too."""
    found = f"Found and verified by Regreen {artifact.regreen} for commit {artifact.head_sha}."
    return f"{pull_title(artifact)}\n\n{found}"


def trailers(artifact: ProposalArtifact) -> dict[str, str]:
    """By which a commit is known as Regreen's own."""
    return {TRAILER: artifact.patch_id}


def pull_body(artifact: ProposalArtifact, *, pull: PullRequest | None, diff: str, branch: str) -> str:
    """The body of a fix pull request."""
    return _fitted("pull", room=_ROOM, diff=diff, artifact=artifact, pull=pull, branch=branch)


def withdrawn_pull_body(body: str, why: str) -> str:
    """A fix pull request's body with the reason why it is closed in front."""
    note = f"**Withdrawn:** {markdown.sentence(why)}\n\n---\n\n"
    return body if body.startswith(note) else (note + body)[: markdown.LIMIT]


def review_body(artifact: ProposalArtifact, count: int) -> str:
    """What stands above the suggestions of a review."""
    return _render("review", artifact=artifact, count=count)


def suggestion_marker(patch_id: str, number: int) -> str:
    """The first line of a suggestion, to know it again."""
    return f"<!-- regreen:suggestion {patch_id} {number} -->"


def suggestion_body(artifact: ProposalArtifact, suggestion: Suggestion, *, number: int, count: int) -> str:
    """One suggestion; its lines go in as they are, so they must be fit to be shown."""
    text = "".join(suggestion.lines)
    ticks = "`" * max([3, *(len(run) + 1 for run in re.findall("`+", text))])
    if artifact.new_expectations:
        said = f"**{LABEL}**, and no code: apply it only if the change is meant."
    else:
        said = markdown.sentence(artifact.explanation) or f"This makes the failing {artifact.failed}s pass."
    together = f" Part {number} of {count}: apply all of them together." if count > 1 else ""
    return (
        f"{suggestion_marker(artifact.patch_id or artifact.expectations_id, number)}\n"
        f"{said}{together}\n\n"
        f"{ticks}suggestion\n{text}{ticks}\n"
    )


def is_suggestion(body: str) -> bool:
    """Whether a comment on lines still suggests something: one that was withdrawn does not."""
    return "```suggestion\n" in body.replace("\r\n", "\n")


def withdrawn_suggestion(marker: str, why: str) -> str:
    """What stands in the place of a suggestion that is not to be applied any more."""
    return f"{marker}\nThis suggestion was withdrawn: {markdown.sentence(why)}\n"


def explanation(artifact: ProposalArtifact, state: State, *, marker: str, diff: str) -> str:
    """The answer to ``/regreen explain``: all that is known of how the patch came about."""
    return _fitted("explanation", room=_ROOM, diff=diff, artifact=artifact, state=state, first_line=marker)


def summary(artifact: ProposalArtifact, delivered: Delivered | None = None, *, problem: str = "") -> str:
    """The job's summary; ``problem`` is why a patch could not be published."""
    diff = artifact.diff if artifact.is_patched else ""
    return _render(
        "summary",
        titled=False,
        artifact=artifact,
        delivered=delivered,
        problem=problem,
        diff=diff,
        diff_limit=SUMMARY_LIMIT,
    )


def heading(artifact: ProposalArtifact) -> str:
    """One line that says how it ended."""
    return _render("heading", artifact=artifact, diff="").strip()


def check(artifact: ProposalArtifact, delivered: Delivered | None = None) -> str:
    """The text of a check run: the job's summary within GitHub's limit, below a title of the check's own."""
    return _fitted(
        "summary",
        titled=True,
        room=_ROOM,
        diff=artifact.diff if artifact.is_patched else "",
        artifact=artifact,
        delivered=delivered,
        problem="",
    )


def commit_link(pull: PullRequest, sha: str) -> str:
    """A link to a commit of the repository that ``pull`` belongs to."""
    return markdown.link(f"`{sha[:12]}`", f"{repository_url(pull)}/commit/{sha}")


def repository_url(pull: PullRequest) -> str:
    """The address of the repository, on whatever server it lies."""
    return pull.url.rpartition("/pull/")[0]


def compare_url(repository: str, *, base: str, branch: str) -> str:
    """Where a pull request from ``branch`` onto ``base`` can be opened by hand."""
    return f"{repository}/compare/{quote(base, safe='/')}...{quote(branch, safe='/')}?expand=1"


def _fitted(name: str, *, room: int, diff: str, **facts: object) -> str:
    for limit in _DIFF_LIMITS:
        text = _render(name, diff=diff, diff_limit=limit, **facts)
        if len(text) <= room:
            return text
    state = facts.get("state")
    if not isinstance(state, State):
        return _bare(facts, _TOO_LONG)
    where = markdown.link("Here it is", state.url) if state.url else ""
    return _bare(facts, _TOO_LONG, markdown.sentence(state.why), where)


def _render(name: str, **facts: object) -> str:
    """The template ``name`` with ``facts``; where it fails, the diff and the hidden lines alone.

    Without those lines the comment would not be found again, and the patch not be applied.
    """
    with guarded(f"the report's template {name}"):
        return _environment().get_template(f"{name}.jinja").render(**facts).strip() + "\n"
    note = "The report could not be written, because of an error in Regreen: the job's log has it."
    diff = str(facts.get("diff", ""))
    limit = int(str(facts.get("diff_limit", 0)))
    shown = markdown.fence(diff, "diff", limit=limit) if diff and limit else ""
    return _bare(facts, note, shown)


def _bare(facts: Mapping[str, object], *texts: str) -> str:
    """``texts`` between the hidden lines."""
    parts = (facts.get("first_line", ""), *texts, facts.get("last_line", ""))
    return "\n\n".join(str(part) for part in parts if part) + "\n"


@cache
def _environment() -> Environment:
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("bot.delivery", "templates"),
        undefined=StrictUndefined,
        autoescape=False,  # noqa: S701 - it is Markdown; every untrusted text passes a filter below
        trim_blocks=True,
        lstrip_blocks=True,
    )
    filters: Sequence[Callable[..., str]] = (
        *(markdown.code, markdown.cell, markdown.prose, markdown.sentence, markdown.fence, markdown.listed),
        *(markdown.plural, markdown.link, apply_script, _seconds, _money),
    )
    environment.filters.update({one.__name__.strip("_"): one for one in filters})
    return environment


def _seconds(value: float) -> str:
    return f"{value:.1f} s" if value < 120 else f"{value / 60:.0f} min"


def _money(value: float) -> str:
    return f"${value:.4f}" if value < 0.1 else f"${value:.2f}"


def apply_script(diff: str) -> str:
    """``git apply`` with the diff as its input, whatever is in it.

    What a page cannot give back as it is (carriage returns, bytes that are not UTF-8, what cannot be seen)
    goes as base64.
    """
    if markdown.is_visible(diff) and diff.endswith("\n"):
        word = _word(diff)
        return f"git apply <<'{word}'\n{diff}{word}"
    text = base64.b64encode(encode(diff)).decode("ascii")
    lines = "\n".join(text[at : at + _WIDTH] for at in range(0, len(text), _WIDTH))
    return f"base64 -d <<'REGREEN' | git apply\n{lines}\nREGREEN"


def _word(diff: str) -> str:
    """A word that is no line of ``diff``, so that nothing in it ends the input."""
    word, lines = "REGREEN", set(diff.split("\n"))
    while word in lines:
        word += "_"
    return word

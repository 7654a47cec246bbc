"""What has to hold whatever went wrong: nothing twice, nothing lost, nothing leaked, nothing left.

Pure but for the stand-in's state, which is read and never changed. Each function gives sentences, one for
each breach.
"""

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from fakes.github.model import Issue, Repository
from fakes.github.server import Request

OWN = "regreen/"
STATE = "<!-- regreen:state:"
_SUGGESTION = re.compile(r"\A<!-- regreen:suggestion ([0-9a-f]{16}) (\d+) -->")
_STATUS = re.compile(r"\A<!-- regreen:state:1 (\{.*?\}) -->")


def twice(repository: Repository, *, bot: str, asked: Mapping[int, int]) -> Iterator[str]:
    """What stands more than once; ``asked`` is how many commands of each pull request get an answer."""
    where = repository.full_name
    for issue in repository.issues.values():
        if issue.pull is None:
            continue
        own = [one.body for one in issue.comments if one.user.login == bot]
        memory = sum(body.startswith(STATE) for body in own)
        if memory > 1:
            yield f"{where}#{issue.number} has {memory} comments that remember"
        if len(own) - memory > asked.get(issue.number, 0):
            yield f"{where}#{issue.number} has {len(own) - memory} answers to {asked.get(issue.number, 0)}"
        yield from _suggested_twice(f"{where}#{issue.number}", issue, bot)
    fixes = [one for one in repository.issues.values() if one.pull and one.pull.head_ref.startswith(OWN)]
    for (head, _), count in Counter((one.pull.head_ref, one.pull.base_ref) for one in fixes).items():
        if count > 1:
            yield f"{where} has {count} pull requests from {head}"
    for base, count in Counter(one.pull.base_ref for one in fixes if one.state == "open").items():
        if count > 1:
            yield f"{where} has {count} open fixes for {base}"


def _suggested_twice(where: str, issue: Issue, bot: str) -> Iterator[str]:
    bodies = [one.body for one in issue.pull.line_comments if one.user.login == bot]
    marks = Counter(match[0] for body in bodies if (match := _SUGGESTION.match(body)))
    for mark, count in marks.items():
        if count > 1:
            yield f"{where} has {count} times {mark}"
    standing = {_SUGGESTION.match(body)[1] for body in bodies if "```suggestion" in body}
    if len(standing) > 1:
        yield f"{where} has suggestions of {len(standing)} proposals at once"


def delivered(repository: Repository, issue: Issue | None, branch: str, *, bot: str) -> list[str]:
    """The ways in which a proposal for a pull request, or for a branch without one, stands."""
    found = [
        f"pull request {one.number}"
        for one in repository.issues.values()
        if one.pull
        and one.state == "open"
        and one.pull.head_ref.startswith(OWN)
        and one.pull.base_ref == branch
    ]
    if issue is None:
        return found
    lines = [one.body for one in issue.pull.line_comments if one.user.login == bot]
    found += ["suggestion"] if any("```suggestion" in body for body in lines) else []
    memory = state(issue, bot=bot)
    if memory.get("kind") == "comment" and memory.get("status") == "delivered":
        found.append("comment")
    return found


def state(issue: Issue, *, bot: str) -> dict[str, object]:
    """What the comment remembers; empty without one."""
    for one in issue.comments:
        if one.user.login == bot and (match := _STATUS.match(one.body)):
            return json.loads(match[1])
    return {}


def stray(repository: Repository) -> Iterator[str]:
    """Branches of ours that no open pull request is from and no comment leads to."""
    heads = {one.pull.head_ref for one in repository.issues.values() if one.pull and one.state == "open"}
    said = "\n".join(
        comment.body for one in repository.issues.values() if one.pull for comment in one.comments
    )
    for ref in repository.refs:
        name = ref.removeprefix("refs/heads/")
        if name.startswith(OWN) and name not in heads and name not in said:
            yield f"{repository.full_name} has a stray branch {name}"


def leaked(secrets: Iterable[str], pages: Mapping[str, str]) -> Iterator[str]:
    """Where of ``pages``, by their names, a secret can be read."""
    for name, text in pages.items():
        if any(secret in text for secret in secrets):
            yield f"a secret can be read in {name}"


def unmasked(log: str) -> str:
    """A log without the lines that tell the runner what to mask."""
    return "\n".join(line for line in log.split("\n") if not line.startswith("::add-mask::"))


def sent(requests: Iterable[Request]) -> str:
    """All that was sent in requests, but for the header that the token belongs in."""
    shown = []
    for one in requests:
        headers = {name: value for name, value in one.headers.items() if name != "authorization"}
        shown.append(f"{one.method} {one.path} {dict(one.query)} {headers} {json.dumps(one.body)}")
    return "\n".join(shown)

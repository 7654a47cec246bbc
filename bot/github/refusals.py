"""What GitHub's refusals mean, in one line that names what is missing and what to do about it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from bot.errors import GitHubError, NotFound, PermissionDenied, Unprocessable, quoted

if TYPE_CHECKING:
    from github import GithubException

MESSAGE_CHARACTERS = 300
DETAILS = 5
_ACCEPTED = "x-accepted-github-permissions"
_NOT_BY_ACTIONS = "not permitted to create or approve pull requests"
_FOR_JOBS = frozenset(
    {
        *("actions", "attestations", "checks", "contents", "deployments", "discussions", "id-token"),
        *("issues", "models", "packages", "pages", "pull-requests", "security-events", "statuses"),
    }
)
"""What a workflow's ``permissions`` can give to ``GITHUB_TOKEN``; all else takes an app's token."""

_PERMISSION = re.compile(r"([a-z_]+)=(read|write|admin)")


def refusal(error: GithubException, *, doing: str, needs: str) -> GitHubError:
    """The typed error for what GitHub answered.

    Args:
        error: PyGithub's.
        doing: what was tried, as in "cannot ...".
        needs: the permission that it takes, in a workflow's words, for when GitHub does not say.
    """
    headers = {name.lower(): value for name, value in (error.headers or {}).items()}
    said = _words(error.data)
    match error.status:
        case 401:
            return GitHubError(
                f"cannot {doing}: GitHub does not accept the token{_also(said)}: it is wrong, was revoked or "
                "has expired; a GITHUB_TOKEN ends with its job"
            )
        case 403:
            return _denied(said, headers, doing=doing, needs=needs)
        case 404 | 410 | 451:
            permission = needs.partition(":")[0]
            gone = "no longer there" if error.status == 410 else "nothing there that this token may see"
            return NotFound(f"cannot {doing}: {gone}{_also(said)}; seeing it takes `{permission}: read`")
        case 400 | 409 | 413 | 422:
            return Unprocessable(f"cannot {doing}: GitHub refuses{_also(said) or ' it without a reason'}")
        case status if status >= 500:
            return GitHubError(
                f"cannot {doing}: GitHub failed with status {status}, and again when asked again: run again "
                "later, or see whether it is down"
            )
        case status:
            return GitHubError(f"cannot {doing}: GitHub answered with status {status}{_also(said)}")


def permissions(header: str) -> str:
    """``contents=write,workflows=write; issues=write`` in a workflow's words; empty where it names none."""
    alternatives = []
    for alternative in header.split(";"):
        found = [f"{name.replace('_', '-')}: {level}" for name, level in _PERMISSION.findall(alternative)]
        if found:
            alternatives.append(" and ".join(f"`{one}`" for one in found))
    return " or ".join(alternatives)


def _denied(said: str, headers: Mapping[str, str], *, doing: str, needs: str) -> PermissionDenied:
    if _NOT_BY_ACTIONS in said:
        return PermissionDenied(
            f"cannot {doing}: GitHub Actions is not permitted to create or approve pull requests here: allow "
            "it in the repository's settings (Actions, General, Workflow permissions), or use an app's token"
        )
    if "not accessible by" not in said and headers.get(_ACCEPTED) is None:
        return PermissionDenied(f"cannot {doing}: GitHub refuses{_also(said)}; it takes `{needs}`")
    wanted = permissions(headers.get(_ACCEPTED, "")) or f"`{needs}`"
    names = re.findall(r"`([a-z-]+): ", wanted)
    advice = "add it to the job's `permissions`"
    if not _FOR_JOBS.intersection(names):
        advice = "a GITHUB_TOKEN cannot have it, so use an app's token"
    elif ": write" in wanted:
        advice += " (a run that a fork's pull request started cannot write at all)"
    return PermissionDenied(f"cannot {doing}: the token lacks {wanted}: {advice}")


def _also(said: str) -> str:
    return f": {said}" if said and said != "'Not Found'" else ""


def _words(answer: Any) -> str:  # noqa: ANN401 - a server may answer anything
    """GitHub's message with the first details, fit to be shown."""
    if not isinstance(answer, Mapping):
        return ""
    parts = [answer.get("message"), *_details(answer.get("errors"))]
    text = ", ".join(part for part in parts if isinstance(part, str) and part)
    text = " ".join(text.split())
    return quoted(text, limit=MESSAGE_CHARACTERS) if text else ""


def _details(errors: Any) -> list[str]:  # noqa: ANN401 - a server may answer anything
    if not isinstance(errors, list):
        return [errors] if isinstance(errors, str) else []
    return [_detail(one) for one in errors[:DETAILS]]


def _detail(one: Any) -> str:  # noqa: ANN401 - a server may answer anything
    if not isinstance(one, Mapping):
        return one if isinstance(one, str) else ""
    if isinstance(one.get("message"), str):
        return str(one["message"])
    return " ".join(str(one[key]) for key in ("resource", "field", "code") if isinstance(one.get(key), str))

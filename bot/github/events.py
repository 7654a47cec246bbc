"""What set the Action off: the event's payload, read for the few things that are used of it.

The payload says what to look at; what is true of that is asked of the API. A comment's text is untrusted:
a command is its whole first line, or there is none.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal, cast, get_args

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from bot.errors import ConfigurationError, quoted

Kind = Literal[
    "workflow_run",
    "workflow_dispatch",
    "issue_comment",
    "pull_request_review_comment",
    "pull_request",
    "schedule",
]
Command = Literal["fix", "apply", "dismiss", "explain"]
KINDS: tuple[Kind, ...] = get_args(Kind)
COMMENTS = frozenset({"issue_comment", "pull_request_review_comment"})
"""Kinds of a comment by which a person may ask for something."""

LABEL = "regreen"
"""The label by which a person asks for a repair."""

EVENT_LIMIT_BYTES = 64 * 1024 * 1024
"""GitHub's own limit for a payload is 25 MB."""

# Not a line further down, nothing beside it, no indentation: neither a quote nor code can be taken for one.
# ASCII: without it, letters that look otherwise count as the same regardless of case, such as the long s.
_COMMAND = re.compile(
    r"\A/regreen[ \t]+(?P<command>fix(?:[ \t]+(?P<test>[^\s]{1,300}))?|apply|dismiss|explain)"
    r"[ \t]*(?:\r?\n|\Z)",
    re.IGNORECASE | re.ASCII,
)
# A test as pytest names it at the project's top; nothing that could be an option or lead out of it.
_TEST = re.compile(r"(?!/)(?!.*(?:\A|/)\.\.?/)[\w][\w./-]*\.py(?:::[\w.\[\]=,:+/-]+)?", re.ASCII)


@dataclass(frozen=True, slots=True, kw_only=True)
class Trigger:
    """What an event asks for; numbers are 0 and texts empty where it says nothing.

    ``pull`` is the pull request of a comment or of a push to one; those of a run that ended are asked of the
    API, since its payload names other repositories' as well. ``run_id`` is the run that ended. ``command`` is
    what a person asks for by a new comment, ``comment_id``, below a pull request or at its lines; ``test`` is
    the one test that it names. ``labelled`` is whether a person has put ``LABEL`` on the pull request.
    """

    kind: Kind
    action: str = ""
    pull: int = 0
    run_id: int = 0
    comment_id: int = 0
    command: Command | Literal[""] = ""
    test: str = ""
    labelled: bool = False

    @property
    def at_line(self) -> bool:
        """Whether its comment stands at a line of the diff."""
        return self.kind == "pull_request_review_comment"

    @property
    def is_asked(self) -> bool:
        """Whether a person asks for this very repair."""
        return self.kind in COMMENTS or self.kind == "workflow_dispatch" or self.labelled


def read_trigger(path: Path, *, name: str) -> Trigger:
    """What the file that ``GITHUB_EVENT_PATH`` names says; ``name`` is ``GITHUB_EVENT_NAME``.

    Raises:
        ConfigurationError: it cannot be read, or is none of ``KINDS``.
    """
    try:
        with path.open("rb") as file:
            raw = file.read(EVENT_LIMIT_BYTES + 1)
        if len(raw) > EVENT_LIMIT_BYTES:
            raise ConfigurationError(f"the event's file {path} is too large to be one of GitHub's")
        payload = json.loads(raw)
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise ConfigurationError(
            f"cannot read the event's file {path}: {reason}; GITHUB_EVENT_PATH names it in a workflow"
        ) from error
    except (ValueError, RecursionError) as error:
        raise ConfigurationError(f"the event's file {path} is not JSON ({type(error).__name__})") from error
    return trigger_of(payload, name=name)


def trigger_of(payload: object, *, name: str) -> Trigger:
    """What ``payload`` says, as an event of that ``name``.

    Raises:
        ConfigurationError: it is none of ``KINDS``, or lacks what such an event has.
    """
    if name not in KINDS:
        raise ConfigurationError(
            f"the event {quoted(name)} is none that Regreen answers: run it on {', '.join(KINDS)}"
        )
    try:
        return _EVENTS[name].model_validate(payload).trigger(name)
    except ValidationError as error:
        problems = error.errors(include_url=False, include_context=False, include_input=False)
        place = ".".join(str(part) for part in problems[0]["loc"]) or "the payload"
        raise ConfigurationError(
            f"this is no {name} event of GitHub's: {place}: {problems[0]['msg'].lower()}"
        ) from error


def parse_request(body: str) -> tuple[Command | Literal[""], str]:
    """What a comment asks for, and the test that it names; both empty if nothing."""
    found = _COMMAND.match(body)
    test = (found["test"] or "") if found else ""
    if found is None or (test and not _TEST.fullmatch(test)):
        return "", ""
    return cast("Command", found["command"].split()[0].lower()), test


_Number = Annotated[int, Field(gt=0, lt=2**63, strict=True)]
_Word = Annotated[str, Field(max_length=200)]


class _Part(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True)


class _User(_Part):
    type: str = "User"


class _Run(_Part):
    id: _Number


class _Issue(_Part):
    number: _Number
    pull_request: Mapping[str, object] | None = None


class _Pull(_Part):
    number: _Number


class _Comment(_Part):
    id: _Number
    body: str | None = None
    user: _User | None = None


class _Label(_Part):
    name: _Word


class _Event(_Part):
    """What an event of any kind may have; those below say what one of a kind has to have."""

    action: _Word = ""
    workflow_run: _Run | None = None
    issue: _Issue | None = None
    pull_request: _Pull | None = None
    comment: _Comment | None = None
    label: _Label | None = None

    def trigger(self, kind: Kind) -> Trigger:
        pull = self.pull_request.number if self.pull_request else 0
        if self.issue and self.issue.pull_request is not None:
            pull = self.issue.number
        command, test = parse_request(self._asked) if pull else ("", "")
        return Trigger(
            kind=kind,
            action=self.action,
            pull=pull,
            run_id=self.workflow_run.id if self.workflow_run else 0,
            comment_id=self.comment.id if self.comment else 0,
            command=command,
            test=test,
            labelled=self.action == "labeled" and self.label is not None and self.label.name == LABEL,
        )

    @property
    def _asked(self) -> str:
        """A new comment's words. An edited one asks for nothing, nor a bot's, which would answer itself."""
        user = self.comment.user if self.comment else None
        is_asked = self.action == "created" and user and user.type == "User"
        return (self.comment.body or "") if self.comment and is_asked else ""


class _RunEvent(_Event):
    workflow_run: _Run


class _PullEvent(_Event):
    pull_request: _Pull


class _IssueComment(_Event):
    issue: _Issue
    comment: _Comment


class _ReviewComment(_PullEvent):
    comment: _Comment


_EVENTS: dict[Kind, type[_Event]] = {
    "workflow_run": _RunEvent,
    "workflow_dispatch": _Event,
    "issue_comment": _IssueComment,
    "pull_request_review_comment": _ReviewComment,
    "pull_request": _PullEvent,
    "schedule": _Event,
}

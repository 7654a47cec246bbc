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
    API, since its payload names other repositories' as well. ``head_sha`` is what the event was about when it
    happened, ``run_id`` the run that ended. ``actor`` is
    whose act it was, ``triggering_actor`` who started the run that ended, or started it again. ``command`` is
    what a person asks for by a new comment, ``comment_id``, below a pull request or at its lines; ``test`` is
    the one test that it names. ``labelled`` is whether a person has put ``LABEL`` on the pull request.
    """

    kind: Kind
    action: str = ""
    pull: int = 0
    run_id: int = 0
    head_sha: str = ""
    actor: str = ""
    triggering_actor: str = ""
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
        return _READERS[name].model_validate(payload).trigger()
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
_Sha = Annotated[str, Field(pattern=r"\A[0-9a-f]{40}(?:[0-9a-f]{24})?\z")]


class _Part(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True)


class _User(_Part):
    login: Annotated[str, Field(max_length=200)]
    type: str = "User"


class _Numbered(_Part):
    number: _Number


class _Event(_Part):
    action: Annotated[str, Field(max_length=100)] = ""
    sender: _User | None = None

    @property
    def actor(self) -> str:
        return self.sender.login if self.sender else ""


class _Run(_Part):
    id: _Number
    head_sha: _Sha
    triggering_actor: _User | None = None


class _WorkflowRun(_Event):
    workflow_run: _Run

    def trigger(self) -> Trigger:
        run = self.workflow_run
        return Trigger(
            kind="workflow_run",
            action=self.action,
            run_id=run.id,
            head_sha=run.head_sha,
            actor=self.actor,
            triggering_actor=run.triggering_actor.login if run.triggering_actor else "",
        )


class _Issue(_Numbered):
    pull_request: Mapping[str, object] | None = None


class _Comment(_Part):
    id: _Number
    body: str | None = None
    user: _User | None = None


class _CommentEvent(_Event):
    comment: _Comment

    def asked(self, kind: Kind, pull: int) -> Trigger:
        """An edited comment asks for nothing, nor does a bot's, which would answer itself."""
        user, text = self.comment.user, ""
        if pull and self.action == "created" and user and user.type == "User":
            text = self.comment.body or ""
        command, test = parse_request(text)
        return Trigger(
            kind=kind,
            action=self.action,
            pull=pull,
            actor=self.actor,
            comment_id=self.comment.id,
            command=command,
            test=test,
        )


class _IssueComment(_CommentEvent):
    issue: _Issue

    def trigger(self) -> Trigger:
        return self.asked("issue_comment", self.issue.number if self.issue.pull_request is not None else 0)


class _Head(_Part):
    sha: _Sha


class _Pull(_Numbered):
    head: _Head


class _ReviewComment(_CommentEvent):
    pull_request: _Pull

    def trigger(self) -> Trigger:
        return self.asked("pull_request_review_comment", self.pull_request.number)


class _Label(_Part):
    name: Annotated[str, Field(max_length=200)]


class _PullRequest(_Event):
    pull_request: _Pull
    label: _Label | None = None

    def trigger(self) -> Trigger:
        pull = self.pull_request
        return Trigger(
            kind="pull_request",
            action=self.action,
            pull=pull.number,
            head_sha=pull.head.sha,
            actor=self.actor,
            labelled=self.action == "labeled" and self.label is not None and self.label.name == LABEL,
        )


class _Dispatch(_Event):
    def trigger(self) -> Trigger:
        return Trigger(kind="workflow_dispatch", actor=self.actor)


class _Schedule(_Event):
    def trigger(self) -> Trigger:
        return Trigger(kind="schedule")


_READERS: dict[
    Kind, type[_WorkflowRun | _IssueComment | _ReviewComment | _PullRequest | _Dispatch | _Schedule]
] = {
    "workflow_run": _WorkflowRun,
    "workflow_dispatch": _Dispatch,
    "issue_comment": _IssueComment,
    "pull_request_review_comment": _ReviewComment,
    "pull_request": _PullRequest,
    "schedule": _Schedule,
}

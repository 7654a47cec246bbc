"""What only the Action works with: its own options, and what the runner says of the run.

Pure: the environment is handed in by ``bot.config.sources``.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from bot.errors import ConfigurationError, quoted

DEFAULT_API = "https://api.github.com"
DEFAULT_SERVER = "https://github.com"


@dataclass(frozen=True, slots=True, kw_only=True)
class ActionSettings:
    """The group GitHub of the table of options, as it was written."""

    mode: Literal["repair", "propose", "publish", "acknowledge", "prove"]
    proposal: str
    pull_request: int | None
    run_id: int | None
    branch: str | None
    config_path: str
    delivery: Literal["auto", "suggestion", "pull-request", "commit", "comment", "none"]
    comment_on: Literal["patch", "always", "never"]
    draft: str
    labels: str
    max_attempts_per_pull: int
    max_per_day: int
    trusted_bots: str | None = None
    allow_test_changes: str = "false"
    lint_fix: str = "true"
    decisions: Literal["comments", "branch"] = "comments"

    @property
    def is_draft(self) -> bool:
        """Whether pull requests are opened as drafts."""
        return self.draft == "true"

    @property
    def allows_test_changes(self) -> bool:
        """Whether new values for outdated assertions are suggested."""
        return self.allow_test_changes == "true"

    @property
    def fixes_lint(self) -> bool:
        """Whether a formatter or linter that failed is let fix what it finds."""
        return self.lint_fix == "true"

    @property
    def label_names(self) -> tuple[str, ...]:
        """The labels, each once."""
        return _listed(self.labels)

    @property
    def trusted_bot_names(self) -> frozenset[str]:
        """The logins of the bots that count as writers for their own pull requests."""
        return frozenset(_listed(self.trusted_bots or ""))


@dataclass(frozen=True, slots=True, kw_only=True)
class GitHubPlace:
    """A repository (``owner/name``) and where its GitHub answers."""

    repository: str
    api_url: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Runner:
    """What the runner says of this run of the Action.

    ``output`` and ``summary`` are the files that outputs and the job's summary are appended to, None where
    there is none. ``workspace`` lies on the machine and is written by other steps: nothing there is trusted.
    """

    repository: str
    event_name: str
    event_path: Path
    run_id: int
    actor: str
    triggering_actor: str
    api_url: str
    server_url: str
    workspace: Path
    output: Path | None
    summary: Path | None

    @property
    def url(self) -> str:
        """Where this run is on the web."""
        return f"{self.server_url}/{self.repository}/actions/runs/{self.run_id}"


def runner(environment: Mapping[str, str]) -> Runner:
    """What ``environment`` says.

    Raises:
        ConfigurationError: it is not that of an Action.
    """
    needed = ("GITHUB_REPOSITORY", "GITHUB_EVENT_NAME", "GITHUB_EVENT_PATH", "GITHUB_WORKSPACE")
    for name in needed:
        if not environment.get(name):
            raise ConfigurationError(f"{name} is not set: this is the Action's entry; use 'regreen fix' here")
    run = environment.get("GITHUB_RUN_ID", "")
    if not (run.isascii() and run.isdigit()):
        raise ConfigurationError(
            f"GITHUB_RUN_ID is {quoted(run)}, not a number: this is no run of a workflow"
        )
    actor = environment.get("GITHUB_ACTOR", "")
    return Runner(
        repository=environment["GITHUB_REPOSITORY"],
        event_name=environment["GITHUB_EVENT_NAME"],
        event_path=Path(environment["GITHUB_EVENT_PATH"]),
        run_id=int(run),
        actor=actor,
        triggering_actor=environment.get("GITHUB_TRIGGERING_ACTOR") or actor,
        api_url=environment.get("GITHUB_API_URL") or DEFAULT_API,
        server_url=environment.get("GITHUB_SERVER_URL") or DEFAULT_SERVER,
        workspace=Path(environment["GITHUB_WORKSPACE"]),
        output=_file(environment, "GITHUB_OUTPUT"),
        summary=_file(environment, "GITHUB_STEP_SUMMARY"),
    )


def _listed(text: str) -> tuple[str, ...]:
    names = (name.strip() for name in text.split(","))
    return tuple(dict.fromkeys(name for name in names if name))


def _file(environment: Mapping[str, str], name: str) -> Path | None:
    return Path(environment[name]) if environment.get(name) else None

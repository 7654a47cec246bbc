"""Settings: what the caller chose, what the environment adds, what holds otherwise.

The only reader of the environment. A value given on the command line wins over the environment's.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from bot.errors import ConfigurationError

SANDBOXES = ("auto", "docker", "bubblewrap", "process")
DEFAULT_TIME_BUDGET_S = 300.0
DEFAULT_TEST_TIMEOUT_S = 30.0
# A search tries thousands of candidates cheaply; each attempt of a model costs tokens.
DEFAULT_ATTEMPTS = {"search": 20_000, "react": 5}


@dataclass(frozen=True, slots=True, kw_only=True)
class Secrets:
    """Keys, kept apart from the settings so that printing those shows none."""

    api_key: str = field(default="", repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What one ``regreen fix`` works with; times are seconds."""

    project: Path
    strategy: str = "search"
    test_command: str = ""
    log: Path | None = None
    sandbox: str = "auto"
    sandbox_image: str = ""
    python: str = ""
    time_budget: float = DEFAULT_TIME_BUDGET_S
    max_attempts: int = 0
    test_timeout: float = DEFAULT_TEST_TIMEOUT_S
    model: str = ""
    base_url: str = ""
    virtual_env: str = ""
    state_folder: Path = Path()
    resume: bool = False
    secrets: Secrets = field(default_factory=Secrets)

    @property
    def attempts(self) -> int:
        """The limit of attempts, by strategy where none was chosen."""
        return self.max_attempts or DEFAULT_ATTEMPTS[self.strategy]


def load(options: Mapping[str, object], environment: Mapping[str, str] = os.environ) -> Settings:
    """Settings from command-line ``options`` (None where not given) and ``environment``.

    Raises:
        ConfigurationError: a value cannot be used; the message names it.
    """
    chosen = {name: value for name, value in options.items() if value is not None}
    project = Path(str(chosen.pop("project", "."))).resolve()
    if not project.is_dir():
        raise ConfigurationError(f"not a repository: {project} is not a folder; pass the project's path")
    defaults: dict[str, object] = {
        "model": environment.get("REGREEN_MODEL", ""),
        "sandbox_image": environment.get("REGREEN_SANDBOX_IMAGE", ""),
        "sandbox": environment.get("REGREEN_SANDBOX") or "auto",  # a workflow's unset input is an empty text
    }
    settings = Settings(
        project=project,
        base_url=environment.get("OPENAI_BASE_URL", ""),
        virtual_env=environment.get("VIRTUAL_ENV", ""),
        state_folder=_state_folder(environment),
        secrets=Secrets(api_key=environment.get("OPENAI_API_KEY", "")),
        **{**defaults, **chosen},  # type: ignore[arg-type]  # click has checked the types
    )
    if settings.sandbox not in SANDBOXES:
        raise ConfigurationError(f"no such sandbox: {settings.sandbox}; choose one of {', '.join(SANDBOXES)}")
    if settings.strategy not in DEFAULT_ATTEMPTS:
        known = ", ".join(DEFAULT_ATTEMPTS)
        raise ConfigurationError(f"no such strategy: {settings.strategy}; choose one of {known}")
    return settings


def _state_folder(environment: Mapping[str, str]) -> Path:
    base = Path(environment.get("XDG_STATE_HOME", ""))
    if not base.is_absolute():  # which the XDG specification says to ignore
        home = environment.get("HOME") or "/tmp"  # noqa: S108 - the fallback of a machine without a home
        base = Path(home, ".local", "state")
    return base / "regreen" / "runs"

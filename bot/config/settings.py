"""Settings: what a run works with, whoever chose it; ``bot.config.sources`` finds out what they are."""

import posixpath
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from bot.config.action_settings import ActionSettings
from bot.config.build_variables import values_of
from bot.request import Critic, ModelOptions, SearchOptions
from bot.scrub import secrets_of_address
from sandbox.base import Limits
from sandbox.providers import KINDS


@dataclass(frozen=True, slots=True, kw_only=True)
class Secrets:
    """Keys, kept apart from the settings so that printing those shows none."""

    api_key: str = field(default="", repr=False)
    hf_token: str = field(default="", repr=False)
    github_token: str = field(default="", repr=False)
    build_secrets: str = field(default="", repr=False)

    @property
    def held(self) -> tuple[str, ...]:
        """All that must never be shown: each option's text, and each key of several."""
        texts = (self.api_key, self.hf_token, self.github_token)
        keys = (key for text in texts for key in names_in(text))
        return tuple(dict.fromkeys([*filter(None, texts), *keys, *values_of(self.build_secrets)]))


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What one ``regreen fix`` works with; times are seconds. An empty text is a choice left open.

    ``base`` names the version to compare with, as ``regreen fix --base`` does.

    ``origins`` says for each option of the table where its value came from.
    """

    project: Path
    log: Path | None = None
    base: str = ""
    resume: bool = False
    strategy: str
    agent: str
    test_command: str
    working_directory: str
    time_budget: float
    max_attempts: int
    max_tokens: int
    max_cost: float
    trajectory: str
    workers: int
    executor: str
    search_without: str
    test_timeout: float
    collect_timeout: float
    suite_timeout: float
    fix_tests: str
    sandbox: str
    sandbox_image: str
    sandbox_python: str
    sandbox_runtime: str
    setup_command: str
    base_image: str
    build_variables: str
    build_environment: Mapping[str, str] = field(repr=False)
    build_timeout: float
    limits: Limits
    model: str
    drafts: int
    critic: str
    prompt_tokens: int
    search_share: float
    backend: str
    base_url: str
    provider: str
    hub_url: str
    model_revision: str
    model_context: int
    model_threads: int
    model_timeout: float
    model_retries: int
    model_prices: str
    record: str
    replay: str
    virtual_env: str
    state_directory: Path
    cache_directory: Path
    origins: Mapping[str, str]
    secrets: Secrets
    action: ActionSettings

    @property
    def confidential(self) -> tuple[str, ...]:
        """All that must never be shown: the secrets, and what the servers' addresses hold of such."""
        addresses = (self.base_url, self.hub_url)
        return (*self.secrets.held, *(text for one in addresses for text in secrets_of_address(one)))

    @property
    def tests_directory(self) -> str:
        """Where the test command runs, in its plain form; empty where nobody says."""
        return posixpath.normpath(self.working_directory) if self.working_directory else ""

    @property
    def search(self) -> SearchOptions:
        """Which parts of the search take part."""
        left_out = names_in(self.search_without)
        return SearchOptions(
            spectra="spectra" not in left_out,
            progress="progress" not in left_out,
            pruning="pruning" not in left_out,
            alternatives="alternatives" not in left_out,
            order=1 if "second-order" in left_out else 2,
        )

    @property
    def model_options(self) -> ModelOptions:
        """How models are made use of."""
        return ModelOptions(
            drafts=self.drafts,
            critic=Critic(self.critic),
            prompt_tokens=self.prompt_tokens,
            search_share=self.search_share,
        )

    @property
    def providers(self) -> tuple[str, ...]:
        """The sandboxes to try, the best first. An image or a runtime is for those of an engine only."""
        if self.sandbox != "auto":
            return (self.sandbox,)
        engine_only = self.sandbox_image or self.base_image or self.sandbox_runtime
        usable = (kind for kind in KINDS.values() if kind.isolated)
        return tuple(kind.name for kind in usable if kind.from_image or not engine_only)

    @property
    def isolated(self) -> bool:
        """Whether every sandbox to try is a security boundary."""
        return all(KINDS[name].isolated for name in self.providers)


def names_in(text: str) -> tuple[str, ...]:
    """The names in ``text``, which has commas between."""
    return tuple(name.strip() for name in text.split(",") if name.strip())

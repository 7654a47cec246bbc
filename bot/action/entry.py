"""The Action from its environment to its exit status.

The environment is taken first: from then on no secret is in it. Statuses are those of the command line; no
patch is no failure.
"""

import functools
import os
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TextIO

from bot.action.flow import Flow
from bot.action.reporting import SKIPPED, ActionReporter, Report
from bot.action.workplace import Workplace
from bot.config import sources
from bot.config.action_settings import Runner, runner
from bot.config.settings import Settings
from bot.delivery.memory import keep
from bot.delivery.proposal import dump
from bot.delivery.proposal_parts import MAX_BYTES
from bot.ending import INTERNAL_ERROR, ending
from bot.errors import ConfigurationError, DeliveryError, GitHubError, quoted
from bot.github.client import GitHub, connect
from bot.github.events import read_trigger
from bot.github.runner_files import RunnerLog
from bot.scrub import Scrubber
from sandbox import leftovers
from sandbox.snapshot import read_plain


def run(environment: Mapping[str, str], out: TextIO) -> int:
    """One run of the Action; its exit status. ``out`` is what the runner reads."""
    log = RunnerLog(out)
    secrets = sources.secret_values(environment)
    for secret in secrets:
        log.mask(secret)
    reporter = ActionReporter(log=log, scrub=Scrubber(secrets))
    try:
        at = runner(environment)
        reporter = replace(reporter, output=at.output, summary=at.summary)
        leftovers.sweep()
        with leftovers.directory("action-") as directory:
            report = _run(environment, Path(directory), at, reporter, secrets)
    except Exception as error:  # noqa: BLE001 - the one broad except, at the root
        return _failed(error, reporter)
    return _failed(report.error, reporter) if report.error else 0


def _run(
    environment: Mapping[str, str],
    directory: Path,
    at: Runner,
    reporter: ActionReporter,
    secrets: tuple[str, ...],
) -> Report:
    settings = _settings(environment, directory, {})
    token = settings.secrets.github_token
    if not token:
        raise ConfigurationError("there is no token: pass github-token, or leave the input as it is")
    with connect(repository=at.repository, token=token, api_url=at.api_url) as github:
        workplace = Workplace(
            github=github,
            settings=settings,
            directory=directory,
            progress=reporter,
            trigger=at.event_name,
            secrets=secrets,
        )

        @functools.cache
        def configure(ref: str) -> Settings:
            return _configured(environment, directory, github, settings, ref)

        flow = Flow(
            workplace=workplace,
            runner=at,
            trigger=read_trigger(at.event_path, name=at.event_name),
            configure=configure,
            now=lambda: datetime.now(UTC),
        )
        return _flow(flow, settings, reporter)


def _flow(flow: Flow, settings: Settings, reporter: ActionReporter) -> Report:
    """Do what the mode says, and report it."""
    mode, file = settings.action.mode, ""
    publishes = mode in {"repair", "publish"}
    command = flow.trigger.command
    if publishes:
        flow.withdraw()
    if mode == "acknowledge":
        report = flow.acknowledge()
    elif command in {"apply", "dismiss", "explain"}:
        later = Report(outcome=SKIPPED, reason=f"/regreen {command}", to_publish=True)
        report = flow.answer(command) if publishes else later
    elif mode == "publish":
        report = flow.publish(_proposal(flow.runner.workspace, settings.action.proposal))
    elif mode in {"propose", "prove"}:
        report = flow.propose() if mode == "propose" else flow.prove()
        if report.artifact:
            reporter.patch(report.artifact)
            file = _write(flow.runner.workspace, settings.action.proposal, dump(report.artifact))
    else:
        report = flow.repair(reporter.patch)
    reporter.report(report, proposal=file)
    if publishes:
        _remember(flow)
    return report


def _remember(flow: Flow) -> None:
    """Keep what people decided on a branch, where the default branch's file asks for that."""
    try:
        if flow.configure(flow.github.default_branch()).action.decisions == "branch":
            keep(flow.github)
    except (GitHubError, ConfigurationError) as error:
        flow.workplace.progress.stage("memory", f"it was not kept: {error}")


def _settings(environment: Mapping[str, str], directory: Path, file: Mapping[str, object]) -> Settings:
    settings = sources.load({"project": directory, **file}, environment)
    # The machine's home is written by other steps too: nothing there is taken up, nothing left.
    return replace(
        settings, state_directory=directory / "state", cache_directory=directory / "cache", virtual_env=""
    )


def _configured(
    environment: Mapping[str, str], directory: Path, github: GitHub, settings: Settings, ref: str
) -> Settings:
    """The settings with the file at the branch ``ref`` added, if there is one."""
    path = settings.action.config_path
    # By its commit: a tag may have the branch's name, and stand before it.
    head = github.branch_head(ref)
    content = github.file(path, ref=head) if head else None
    if content is None:
        if settings.origins["config-path"] != sources.DEFAULT:
            raise ConfigurationError(f"there is no file {quoted(path)} on the branch {quoted(ref)}")
        return settings
    return _settings(environment, directory, {"config": path, "config_content": content})


def _inside(workspace: Path, name: str) -> Path:
    """The file ``name`` of the workspace.

    Raises:
        ConfigurationError: it leads elsewhere.
    """
    path = workspace / name
    if not path.resolve().is_relative_to(workspace.resolve()) or path.is_symlink():
        raise ConfigurationError(f"proposal: {quoted(name)} does not lie in the workspace")
    return path


def _proposal(workspace: Path, name: str) -> bytes | None:
    path = _inside(workspace, name)
    if not path.exists():
        return None
    content = read_plain(path, largest=MAX_BYTES)
    if content is None:
        raise ConfigurationError("cannot read the proposal: it is no plain file, or may not be read")
    if len(content) > MAX_BYTES:
        raise ConfigurationError(f"the proposal is larger than {MAX_BYTES:,} bytes")
    return content


def _write(workspace: Path, name: str, content: bytes) -> str:
    """Write the proposal; its name. What other steps left at its place is replaced, not followed."""
    path = _inside(workspace, name)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, staged = tempfile.mkstemp(dir=path.parent)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(content)
            Path(staged).chmod(0o644)  # the next step is not root
            Path(staged).replace(path)
        finally:
            with suppress(OSError):
                Path(staged).unlink(missing_ok=True)
    except OSError as error:
        raise DeliveryError(f"cannot write the proposal {quoted(name)}: {error.strerror}") from error
    return name


def _failed(error: Exception, reporter: ActionReporter) -> int:
    """Say in one line each what was wrong; the status for it."""
    status, lines = ending(error)
    is_ours = status == INTERNAL_ERROR
    for line in lines:
        reporter.failure(f"{line} (please report it)" if is_ours else line, failed=is_ours)
    return status

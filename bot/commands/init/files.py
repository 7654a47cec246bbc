"""The files that ``regreen init`` writes, as text. What the repository says goes into quotes."""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from bot.commands.init.look import RepositoryFindings
from bot.commands.init.remote import OWN_CHECKOUT, installed_from, remote_of
from bot.config.options import BY_NAME, file
from bot.config.options.option import Option
from bot.delivery.markdown import code
from bot.errors import ConfigurationError, quoted

if TYPE_CHECKING:
    from jinja2 import Environment

WORKFLOW = ".github/workflows/regreen.yml"
COMMENTS = ".github/workflows/regreen-comments.yml"
CONFIGURATION = ".github/regreen.yml"
PLACEHOLDER = "OWNER"
GITHUB = "github.com"
DEFAULT_ACTION = f"{PLACEHOLDER}/regreen@v0"
SHOWN = (
    "time-budget",
    "delivery",
    "comment-on",
    "max-attempts-per-pull",
    "strategy",
    "model",
    "setup-command",
)
"""The options that people ask for first; the file has them as comments."""

_ACTION = re.compile(
    r"(?P<name>[A-Za-z0-9][A-Za-z0-9-]*/[A-Za-z0-9._-]+)@(?P<ref>[A-Za-z0-9][A-Za-z0-9._/-]*)"
)
_PLAIN_PYTEST = frozenset({"pytest", "python -m pytest", "python3 -m pytest"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Action:
    """Where Regreen itself is used from: ``name`` is owner and repository, ``ref`` a tag or a commit."""

    name: str
    ref: str

    @property
    def is_placeholder(self) -> bool:
        """Whether somebody still has to say whose it is."""
        return self.name.partition("/")[0] == PLACEHOLDER


def read_action(text: str) -> Action:
    """``OWNER/regreen@v0`` in its parts.

    Raises:
        ConfigurationError: it is not written like that.
    """
    found = _ACTION.fullmatch(text)
    if found is None or ".." in text:
        raise ConfigurationError(
            f"--action: {quoted(text)} is not written as OWNER/REPOSITORY@TAG, such as {DEFAULT_ACTION}"
        )
    return Action(name=found["name"], ref=found["ref"])


def action_for(findings: RepositoryFindings) -> Action:
    """Where Regreen is used from: as a workflow there says, else where this Regreen comes from itself."""
    if findings.action and not read_action(findings.action).is_placeholder:
        return read_action(findings.action)
    own, here = remote_of(OWN_CHECKOUT) or installed_from(), remote_of(findings.top)
    placeholder = read_action(DEFAULT_ACTION)
    # A workflow uses what lies on the same server.
    if own is None or own.host != (here.host if here else GITHUB):
        return placeholder
    return Action(name=own.name, ref=placeholder.ref)


def render(
    findings: RepositoryFindings, *, action: Action, one_job: bool = False, comments: bool = False
) -> Mapping[str, str]:
    """The files by their paths in the repository.

    Args:
        findings: what the repository shows.
        action: where Regreen is used from.
        one_job: look for a patch and publish it in one job, not in two.
        comments: with a second workflow, which answers comments.

    Raises:
        ConfigurationError: what was found cannot be written into a file of options.
    """
    environment = _templates()
    names = [one.name for one in findings.watched]
    kinds = {WORKFLOW: "workflow.yml.jinja", **({COMMENTS: "comments.yml.jinja"} if comments else {})}
    written = {
        path: environment.get_template(template).render(workflows=names, action=action, one_job=one_job)
        for path, template in kinds.items()
    }
    options = [{"name": name, "help": BY_NAME[name].help, "value": _example(BY_NAME[name])} for name in SHOWN]
    configuration = environment.get_template("regreen.yml.jinja").render(
        command=findings.command,
        source=in_quotes(findings.source),
        # Of several, the log of a failed job says which; pytest by itself is what is run anyway.
        command_decides=findings.commands == 1 and findings.command not in _PLAIN_PYTEST,
        options=options,
    )
    file.read(Path(CONFIGURATION), content=configuration.encode())
    return {**written, CONFIGURATION: configuration}


def pull_request_body(findings: RepositoryFindings, paths: Sequence[str]) -> str:
    """What the pull request with the files at ``paths`` says, as Markdown."""
    here = remote_of(findings.top)
    return (
        _templates()
        .get_template("pull_request.md.jinja")
        .render(
            workflows=[f"{one.name} ({one.path})" for one in findings.watched],
            command=findings.command,
            python=findings.python,
            paths=paths,
            settings_url=f"{here.url}/settings/actions" if here else "",
        )
    )


def _templates() -> "Environment":
    from jinja2 import Environment, PackageLoader, StrictUndefined

    # GitHub's own expressions are written as jinja's.
    environment = Environment(
        loader=PackageLoader("bot.commands.init", "templates"),
        undefined=StrictUndefined,
        autoescape=False,  # noqa: S701 - YAML and Markdown; every foreign text passes a filter
        keep_trailing_newline=True,
        block_start_string="<%",
        block_end_string="%>",
        variable_start_string="<<",
        variable_end_string=">>",
    )
    environment.filters["quoted"] = in_quotes
    environment.filters["code"] = code
    return environment


def missing_settings(rendered: str, kept: bytes) -> tuple[str, ...]:
    """What a configuration that is ``kept`` does not set and the ``rendered`` one does, as lines of the file.

    Raises:
        ConfigurationError: the one that is kept cannot be read.
    """
    path = Path(CONFIGURATION)
    there = {entry.name for entry in file.read(path, content=kept)}
    wanted = file.read(path, content=rendered.encode())
    return tuple(f"{entry.name}: {in_quotes(entry.text)}" for entry in wanted if entry.name not in there)


def in_quotes(text: str) -> str:
    """``text`` as a YAML scalar on one line that is that text, whatever is in it."""
    import yaml

    if text.isprintable():
        escaped = text.replace("\\", "\\\\").replace('"', '\\"')
        return f'"{escaped}"'
    return yaml.dump(text, default_style='"', allow_unicode=True, width=math.inf).rstrip("\n")


def _example(option: Option) -> str:
    return option.show(option.default) or {"model": "openai/gpt-4.1-mini"}.get(option.name, "make develop")

"""The command ``regreen init``."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from bot.commands.init.files import Action
    from bot.commands.init.look import RepositoryFindings


@click.command("init", short_help="Write the workflow and the configuration for this repository.")
@click.argument("path", metavar="[PATH]", default=".", type=click.Path(path_type=Path))
@click.option("--dry-run", is_flag=True, help="Print the files, and write nothing.")
@click.option("--force", is_flag=True, help="Replace workflows that are there.")
@click.option(
    "--workflow",
    "workflows",
    metavar="NAME",
    multiple=True,
    help="The workflow that runs the tests, by its name or file; may be given several times.",
)
@click.option("--pull-request", is_flag=True, help="Write nothing here; open a pull request with the files.")
@click.option("--comments", is_flag=True, help="Write a second workflow, for '/regreen fix' in comments.")
@click.option("--one-job", is_flag=True, help="Look for a patch and publish it in one job, not in two.")
@click.option(
    "--action",
    metavar="OWNER/REPO@TAG",
    default="",
    help="Where Regreen itself is used from, if not as found.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def init(  # noqa: PLR0913 - the options of the command
    *,
    path: Path,
    dry_run: bool,
    force: bool,
    workflows: tuple[str, ...],
    pull_request: bool,
    comments: bool,
    one_job: bool,
    action: str,
    as_json: bool,
) -> None:
    """Write the workflow and the configuration that make Regreen repair failed runs of this repository.

    It looks at the repository around PATH first: which workflow runs the tests, by which command, with which
    Python. Then it writes .github/workflows/regreen.yml and .github/regreen.yml, all or none. A workflow that
    is there is replaced with --force only, a configuration that was changed never. Nothing of the repository
    is run. With --pull-request the files go to GitHub, with the token of GITHUB_TOKEN or of 'gh auth login'.

    Exit status: 0 written or unchanged, 2 it does not fit this repository, 5 it cannot be written.
    """
    from bot.commands.init.files import COMMENTS, CONFIGURATION, WORKFLOW, action_for, read_action, render
    from bot.commands.init.look import look, top_of
    from bot.commands.init.place import current_file, place

    named = read_action(action) if action else None
    findings = look(top_of(path), named=workflows, own=(WORKFLOW, COMMENTS))
    used = named or action_for(findings)
    files = render(findings, action=used, one_job=one_job, comments=comments)
    if pull_request and not dry_run:
        _open_pull_request(findings, files, used, force=force, as_json=as_json)
        return
    there = current_file(findings.top, CONFIGURATION)
    kept = there if there != files[CONFIGURATION].encode() else None
    wanted = {path: text for path, text in files.items() if kept is None or path != CONFIGURATION}
    written = None if dry_run else place(findings.top, wanted, force=force)
    if as_json:
        data = _plain_data(findings, files, written or (), is_kept=kept is not None)
        click.echo(json.dumps(data, indent=2))
        return
    if dry_run:
        click.echo("\n".join(f"# ==> {name} <==\n{text}" for name, text in files.items()), nl=False)
    for line in _said(findings, used, files, written, kept=kept):
        click.echo(line, err=True)


def _open_pull_request(
    findings: RepositoryFindings, files: Mapping[str, str], action: Action, *, force: bool, as_json: bool
) -> None:
    from bot.commands.init.pull_request import open_pull_request
    from bot.errors import ConfigurationError

    if action.is_placeholder:
        raise ConfigurationError(
            "no pull request was opened: say where Regreen is used from, by --action OWNER/REPO@TAG"
        )
    url = open_pull_request(findings, files, force=force)
    if as_json:
        click.echo(json.dumps({"pull_request": url or None}))
    elif url:
        click.echo(url)
        click.echo("opened: read it, then merge it; it takes effect on the default branch", err=True)
    else:
        click.echo("unchanged: the default branch has the files as they would be written", err=True)


def _plain_data(
    findings: RepositoryFindings, files: Mapping[str, str], written: tuple[str, ...], *, is_kept: bool
) -> dict[str, object]:
    from bot.commands.init.files import CONFIGURATION

    return {
        "repository": str(findings.top),
        "workflows": [{"path": one.path, "name": one.name} for one in findings.watched],
        "test_command": findings.command or None,
        "python": findings.python,
        "notes": list(findings.notes),
        "files": dict(files),
        "written": list(written),
        "kept": [CONFIGURATION] if is_kept else [],
    }


def _said(
    findings: RepositoryFindings,
    action: Action,
    files: Mapping[str, str],
    written: tuple[str, ...] | None,
    *,
    kept: bytes | None,
) -> Iterator[str]:
    """What was found, what was done, and what is left for a person to do; the last two where it wrote."""
    from bot.commands.init.files import COMMENTS
    from bot.commands.init.remote import remote_of
    from bot.console import plain

    for one in findings.watched:
        yield f"watches   {plain(one.name)} ({plain(one.path)})"
    more = f", one of {findings.commands}" if findings.commands > 1 else ""
    found = f"{plain(findings.command)} (from {plain(findings.source)}{more})" if findings.command else ""
    yield f"tests     {found or 'found in the log of each failed run'}"
    yield f"Python    {findings.python}"
    for note in findings.notes:
        yield f"note      {plain(note)}"
    if kept is not None:
        yield from _told_of_kept(files, kept)
    if written is None:
        return
    for path in written:
        yield f"wrote     {path}"
    if not written:
        yield f"unchanged: the {'files' if kept is None else 'workflows'} are there as they would be written"
    if not action.is_placeholder:
        yield f"uses      {action.name}@{action.ref}"
    yield "next:"
    if action.is_placeholder:
        yield "  - replace OWNER/regreen behind 'uses:' by where you use Regreen from (or --action)"
    yield "  - commit the files to the default branch: GitHub reads such a workflow from there only"
    here = remote_of(findings.top)
    where = f" ({here.url}/settings/actions)" if here else ""
    yield f"  - Settings, Actions, General{where}: allow GitHub Actions to create and approve pull requests"
    if COMMENTS not in files:
        yield "  - for forks, and to ask by '/regreen fix' in a comment: --comments writes one more workflow"
    yield "  - try it here first: regreen fix"


def _told_of_kept(files: Mapping[str, str], kept: bytes) -> Iterator[str]:
    """That the configuration stays as it is, and what it lacks."""
    from bot.commands.init.files import CONFIGURATION, missing_settings
    from bot.console import plain
    from bot.errors import ConfigurationError

    yield f"kept      {CONFIGURATION}, which is yours; to have it written anew, delete it first"
    try:
        for line in missing_settings(files[CONFIGURATION], kept):
            yield f"          what it does not say, and may: {plain(line)}"
    except ConfigurationError as error:
        yield f"          but it cannot be used: {plain(str(error))}"

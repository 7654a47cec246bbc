"""``python -m benchmarks fixes``: a corpus of real fixes, and what the engine can express of it."""

import statistics
from collections import Counter
from pathlib import Path
from typing import Any

import click

from benchmarks.fixes import corpus as corpora
from benchmarks.fixes import real_regressions
from benchmarks.fixes import suspects as suspected
from benchmarks.fixes.corpus import CORPUS
from benchmarks.fixes.express import MAX_NODES, Express
from benchmarks.fixes.mine import Fix, clone_of, date_of, mine
from benchmarks.fixes.real_regressions import RepairBroken
from benchmarks.fixes.repair import NOT_SHOWN, RepairFix
from benchmarks.fixes.suspects import Suspect
from benchmarks.reports.markdown import table
from benchmarks.reports.shares import Share
from benchmarks.runs import runfile
from benchmarks.runs.execute import execute
from benchmarks.runs.options import DIRECTORY, FILE, RunOptions, options, repair_options, run_options
from benchmarks.runs.pins import chosen, digest
from benchmarks.runs.runfile import Run
from bot.errors import ConfigurationError, MachineError

_KINDS = 25
_draw = options(
    click.argument("clones", type=DIRECTORY),
    click.option("--corpus", type=FILE, default=CORPUS, help="What mine wrote."),
    click.option("--sample", default=20, show_default=True, help="Fixes of each repository."),
    click.option("--seed", default=1, show_default=True, help="Draws them."),
    click.option(
        "--output", type=click.Path(path_type=Path), required=True, help="JSON lines; goes on there."
    ),
)


@click.group()
def fixes() -> None:
    """Mine real fixes from public histories, and see which of them the engine can express.

    Nothing of a repository is run. A clone is a git directory at OWNER+NAME/repo.
    """


@fixes.command("mine")
@click.argument("clones", type=DIRECTORY)
@click.option("--output", type=click.Path(path_type=Path), default=CORPUS, help="The corpus, as CSV.")
@click.option("--most", default=80, show_default=True, help="Fixes of one repository, the newest ones.")
def mine_command(*, clones: Path, output: Path, most: int) -> None:
    """Write down the small fixes of all CLONES: ids, paths and counts, no code."""
    rows: list[Fix] = []
    for clone in sorted(clones.glob("*+*/repo")):
        repository = clone.parent.name.replace("+", "/")
        try:
            found = list(mine(clone, repository))[:most]
        except (ConfigurationError, MachineError) as error:
            click.echo(f"{repository}: {error}", err=True)
            continue
        click.echo(f"{repository}: {len(found)}", err=True)
        rows += found
    corpora.write(output, rows)
    commits = len({fix.commit for fix in rows})
    click.echo(
        f"{commits} commits of {len({fix.repository for fix in rows})} repositories, {len(rows)} files"
    )


@fixes.command("suspects")
@click.argument("clones", type=DIRECTORY)
@click.option("--corpus", type=FILE, default=CORPUS, help="What mine wrote.")
@click.option("--since", default="2018-01-01", show_default=True, help="Fixes of this day or later.")
@click.option("--output", type=click.Path(path_type=Path), default=suspected.SUSPECTS, help="As CSV.")
def suspects_command(*, clones: Path, corpus: Path, since: str, output: Path) -> None:
    """Write down which commits may have broken what the fixes of CLONES repair: ids, paths and lines."""
    rows = corpora.read(corpus)
    alone = Counter(fix.commit for fix in rows)
    found: list[Suspect] = []
    for fix in rows:
        clone = clone_of(clones, fix.repository)
        if alone[fix.commit] == 1 and clone.is_dir() and date_of(clone, fix.commit) >= since:
            found += filter(None, [suspected.suspect(clone, fix)])
    suspected.write(output, found)
    click.echo(f"{len(found)} commits of {len({one.repository for one in found})} repositories")


@fixes.command("regressions")
@click.argument("clones", type=DIRECTORY)
@click.option("--suspects", type=FILE, default=suspected.SUSPECTS, help="What suspects wrote.")
@click.option("--of-each", default=10, show_default=True, help="Commits of each repository.")
@repair_options(time_budget=120.0, test_timeout=30.0)
@run_options()
def regressions_command(
    *,
    clones: Path,
    suspects: Path,
    of_each: int,
    **given: Any,  # noqa: ANN401
) -> None:
    """Repair what commits broke by the tests of a later fix, with the version before as base, and alone."""
    run, repair = RunOptions.split(given)
    execute(
        "fixes regressions",
        suspected.drawn(suspects, clones, sample=of_each, seed=run.selection.seed),
        RepairBroken(options=repair),
        options=run,
        inputs={suspects.name: digest(suspects)},
        configuration={**chosen(repair), "of each": of_each},
        report=real_regressions.shown,
    )


@fixes.command("express")
@_draw
def express_command(*, clones: Path, corpus: Path, sample: int, seed: int, output: Path) -> None:
    """Look for each fix among the candidates for the function that it changes."""
    execute(
        "fixes express",
        corpora.drawn(corpus, clones, sample=sample, seed=seed),
        Express(),
        options=RunOptions(output=output, resume=True),
        inputs={corpus.name: digest(corpus)},
        configuration={"sample": sample, "seed": seed},
        report=expressed,
    )


@fixes.command("report")
@click.argument("lines", type=FILE)
def report_command(*, lines: Path) -> None:
    """Say what share of the fixes in LINES can be expressed, by kind, and how early."""
    click.echo(expressed(runfile.read(lines)))


def expressed(run: Run) -> str:
    """The shares that can be expressed, and the place at which the fix came."""
    looked = [row for row in run.rows if "kind" in row]
    small = [one for one in looked if one["size"] <= MAX_NODES]
    found = [one for one in looked if one["rank"]]
    count = Counter(one["kind"] for one in small)
    kinds = Counter(one["kind"] for one in found)
    lines = [
        f"expressed: {Share(count=len(found), total=len(looked))}",
        f"of those of at most {MAX_NODES} nodes: {Share(count=len(found), total=len(small))}\n",
        table(
            ("what differs", "fixes", "expressed"),
            [(kind, total, kinds[kind]) for kind, total in count.most_common(_KINDS)],
        ),
    ]
    if found:
        median = statistics.median(one["rank"] for one in found)
        lines.append(f"\nmedian place of these fixes: {median:.0f}")
    return "\n".join(lines)


@fixes.command("repair")
@_draw
@click.option("--expressed", type=FILE, help="Only the fixes that express found, out of its lines.")
@click.option("--since", default="2020-01-01", show_default=True, help="Of this day or later.")
@click.option("--limit", type=click.IntRange(min=1), help="The first N of them only.")
@click.option("--held-out", is_flag=True, help="Of the repositories whose faults nobody looks at.")
@repair_options(time_budget=300.0, test_timeout=30.0)
def repair_command(  # noqa: PLR0913 - its options
    *,
    clones: Path,
    corpus: Path,
    expressed: Path | None,
    sample: int,
    since: str,
    limit: int | None,
    held_out: bool,
    seed: int,
    output: Path,
    **given: Any,  # noqa: ANN401
) -> None:
    """Repair the version before each fix, with the tests of the fix; the code runs in the sandbox."""
    _, repair = RunOptions.split(given)
    alone = Counter(fix.commit for fix in corpora.read(corpus))
    of = real_regressions.is_held_out if held_out else bool
    tasks = corpora.drawn(corpus, clones, sample=sample, seed=seed, of=of)
    tasks = [task for task in tasks if alone[task.fix.commit] == 1]
    if expressed:
        wanted = {row["task"] for row in runfile.rows(expressed) if row.get("rank")}
        tasks = [task for task in tasks if task.name in wanted]
    execute(
        "fixes repair",
        [task for task in tasks if date_of(task.clone, task.fix.commit) >= since][:limit],
        RepairFix(options=repair),
        options=RunOptions(output=output, resume=True),
        inputs={corpus.name: digest(corpus)},
        configuration={
            **chosen(repair),
            "sample": sample,
            "since": since,
            "seed": seed,
            "held out": held_out,
        },
        report=shown,
    )


def shown(run: Run) -> str:
    """What was repaired of the fixes that could be shown."""
    rows = [row for row in run.rows if row["outcome"] != NOT_SHOWN]
    return (
        f"plausible: {Share.of(rows, 'plausible')}\nthe fix itself: {Share.of(rows, 'correct')}\n"
        f"{len(run.rows) - len(rows)} of {len(run.rows)} could not be shown here"
    )

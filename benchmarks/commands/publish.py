"""A run as a directory that can be put on the web, and what it is against the runs of before."""

import json
from pathlib import Path

import click

from benchmarks import history, runfile
from benchmarks.dashboard import html
from benchmarks.options import FILE
from benchmarks.plot import drawn, over_time, pictures
from benchmarks.report import BULKY, label, summary


@click.command()
@click.argument("run", type=FILE)
@click.option(
    "--history",
    "history_file",
    required=True,
    type=click.Path(dir_okay=False, path_type=Path),
    help="The runs of before, a line each; this one is added.",
)
@click.option("--output", required=True, type=click.Path(file_okay=False, path_type=Path))
def publish(*, run: Path, history_file: Path, output: Path) -> None:
    """Write RUN to the directory OUTPUT: index.html, report.md, plots, badge.json, change.md, history.jsonl.

    Where pass@1 fell beyond noise against the last runs that are alike, there is regression.md as well. Of
    tasks and patches no text is in it.
    """
    read = runfile.read(run, without=BULKY)
    new, before = history.entry(read), history.read(history_file)
    known = [one for one in before if one["started"] != new["started"]]
    found = history.change(known, new)
    output.mkdir(parents=True, exist_ok=True)
    named = {label(read): read}
    plots = {title: drawn(draw, named, form="svg") for title, draw in pictures(named).items()}
    plots["pass@1 over time"] = over_time([*history.alike(known, new), new], form="svg")
    for title, picture in plots.items():
        (output / f"{title.replace('@', '-at-').replace(' ', '-')}.svg").write_bytes(picture)
    page = html(named, trajectories={}, pictures=plots, figures_only=True)
    (output / "index.html").write_text(page, "utf-8", errors="replace")
    (output / "report.md").write_text(summary(read), "utf-8")
    (output / "badge.json").write_text(json.dumps(history.badge(new)) + "\n", "utf-8")
    text = history.as_markdown(found, new)
    (output / "change.md").write_text(text, "utf-8")
    (output / "regression.md").unlink(missing_ok=True)
    if found.regressed:
        (output / "regression.md").write_text(text, "utf-8")
    if len(known) == len(before):
        history.append(history_file, new)
    (output / "history.jsonl").write_bytes(history_file.read_bytes())
    click.echo(text, nl=False)

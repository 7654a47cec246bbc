"""Runs as pictures, each of one question. A picture that there is nothing to show in is left out."""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.reports.details import after, asks_model, attempts_shown, counted, groups
from benchmarks.reports.shares import Share
from benchmarks.runs.progress import tokens_of
from benchmarks.runs.runfile import Run

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    Drawing = Callable[[Axes, Mapping[str, Run]], None]

SIZE = (8, 4.5)
SMALL = 24  # groups that have room beside each other


def pictures(runs: Mapping[str, Run]) -> Mapping[str, Drawing]:
    """What to draw of ``runs``, by title."""
    found: dict[str, Drawing] = {
        "pass@1 by group": by_group,
        "pass@1 by attempts": by_attempts,
        "time to fix": time_to_fix,
    }
    if any(asks_model(run) for run in runs.values()):
        found["tokens against success"] = tokens
    if any(cost(run) for run in runs.values()):
        found["cost against pass@1"] = costs
    return found


def drawn_all(runs: Mapping[str, Run], *, form: str) -> Mapping[str, bytes]:
    """All that is to be drawn of ``runs`` in the format ``form``, by title."""
    return {title: drawn(draw, runs, form=form) for title, draw in pictures(runs).items()}


def write(pictures_by_title: Mapping[str, bytes], directory: Path, *, form: str) -> None:
    """Write pictures of the format ``form`` to ``directory``, each by its title.

    Raises:
        OSError: one cannot be written.
    """
    directory.mkdir(parents=True, exist_ok=True)
    for title, picture in pictures_by_title.items():
        (directory / f"{title.replace('@', '-at-').replace(' ', '-')}.{form}").write_bytes(picture)


def drawn(drawing: Drawing, runs: Mapping[str, Run], *, form: str) -> bytes:
    """``drawing`` of ``runs`` in the format ``form``; the same bytes for the same runs."""
    import matplotlib as mpl

    mpl.use("agg")
    from matplotlib import pyplot as plt

    with mpl.rc_context({"svg.hashsalt": "regreen", "text.parse_math": False}):
        figure, axes = plt.subplots(figsize=SIZE, layout="constrained")
        drawing(axes, runs)
        axes.grid(visible=True, alpha=0.3)
        axes.spines[["top", "right"]].set_visible(False)
        if axes.get_legend_handles_labels()[0]:
            axes.legend(loc="best")
        sink = io.BytesIO()
        figure.savefig(sink, format=form, metadata={"Date": None} if form == "svg" else None)
        plt.close(figure)
    return sink.getvalue()


def by_group(axes: Axes, runs: Mapping[str, Run]) -> None:
    """A bar for each group and run, with its interval."""
    names = sorted({str(row["group"]) for run in runs.values() for row in run.rows})[:SMALL]
    width = 0.8 / max(1, len(runs))
    for number, (label, run) in enumerate(runs.items()):
        rows = groups(run.rows)
        shares = [Share.of(rows.get(name, ()), "plausible") for name in names]
        low = [share.value - share.interval[0] for share in shares]
        high = [share.interval[1] - share.value for share in shares]
        places = [place + number * width for place in range(len(names))]
        axes.bar(places, [s.value for s in shares], width, yerr=[low, high], capsize=2, label=label)
    middle = 0.4 - width / 2
    axes.set_xticks([place + middle for place in range(len(names))], names, rotation=20, ha="right")
    axes.set(ylim=(0, 1), ylabel="share of tasks, plausible")


def by_attempts(axes: Axes, runs: Mapping[str, Run]) -> None:
    """A step for each number of attempts."""
    for name, run in runs.items():
        counts = list(attempts_shown(run))
        shares = [after(run, count, "plausible").value for count in counts]
        axes.step(counts, shares, where="post", marker=".", label=name)
    models = {counted(run) for run in runs.values()}
    axes.set(ylim=(0, 1), xlabel=" or ".join(sorted(models)), ylabel="share of tasks, plausible")
    if not all(asks_model(run) for run in runs.values()):
        from matplotlib.ticker import NullLocator

        # From 0 on, where a run with a model begins; the usual labels would be read as mathematics.
        axes.set_xscale("symlog", linthresh=1)
        axes.set_xlim(left=0)
        axes.xaxis.set_major_formatter("{x:g}")
        axes.xaxis.set_minor_locator(NullLocator())


def time_to_fix(axes: Axes, runs: Mapping[str, Run]) -> None:
    """A step for each task, at the seconds that its first plausible patch took."""
    longest = max((row["seconds"] for run in runs.values() for row in run.rows), default=1.0)
    for name, run in runs.items():
        seconds = steps(run)
        shares = [number / len(run.rows) for number in range(1, len(seconds) + 1)]
        axes.step([*seconds, longest], [*shares, shares[-1] if shares else 0.0], where="post", label=name)
    axes.set(
        xscale="log", ylim=(0, 1), xlabel="seconds to the first plausible patch", ylabel="share of tasks"
    )
    from matplotlib.ticker import LogLocator, NullFormatter

    axes.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    axes.xaxis.set_major_formatter("{x:g}")
    axes.xaxis.set_minor_formatter(NullFormatter())


def tokens(axes: Axes, runs: Mapping[str, Run]) -> None:
    """The share of tasks that were won with so many tokens or fewer."""
    for name, run in runs.items():
        used = sorted(tokens_of(row) for row in run.rows if row["plausible"] and row.get("usage"))
        axes.step(
            used, [number / len(run.rows) for number in range(1, len(used) + 1)], where="post", label=name
        )
    axes.set(ylim=(0, 1), xlabel="tokens of the task, all calls", ylabel="share of tasks, plausible")


def costs(axes: Axes, runs: Mapping[str, Run]) -> None:
    """A point for each run."""
    for name, run in runs.items():
        share = Share.of(run.rows, "plausible")
        low, high = share.interval
        axes.errorbar(
            [cost(run) / max(1, len(run.rows))],
            [share.value],
            yerr=[[share.value - low], [high - share.value]],
            marker="o",
            capsize=2,
            label=name,
        )
    axes.set(ylim=(0, 1), xlabel="US$ a task", ylabel="pass@1, plausible")


def cost(run: Run) -> float:
    """What the models of ``run`` cost, in US dollars."""
    return sum(float(row["usage"]["cost"]) for row in run.rows if row.get("usage"))


def steps(run: Run) -> list[float]:
    """The seconds to the first plausible patch of the tasks whose patch was confirmed, sorted."""
    return sorted(float(row["first"]["seconds"]) for row in run.rows if row["plausible"] and row.get("first"))

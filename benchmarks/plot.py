"""Runs as a picture: the share of tasks with a plausible patch, by the seconds that the first one took."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from benchmarks.runfile import Run


def plot(runs: Mapping[str, Run], path: Path) -> None:
    """Draw a step for each task; the suffix of ``path`` is the format.

    Raises:
        OSError: it cannot be written.
    """
    import matplotlib as mpl

    mpl.use("agg")
    from matplotlib import pyplot as plt

    figure, axes = plt.subplots(figsize=(8, 4.5), layout="constrained")
    longest = max((row["seconds"] for run in runs.values() for row in run.rows), default=1.0)
    for name, run in runs.items():
        seconds = steps(run)
        shares = [number / len(run.rows) for number in range(1, len(seconds) + 1)]
        axes.step([*seconds, longest], [*shares, shares[-1] if shares else 0.0], where="post", label=name)
    axes.set(
        xscale="log", ylim=(0, 1), xlabel="seconds to the first plausible patch", ylabel="share of tasks"
    )
    for axis in (axes.xaxis.set_major_formatter, axes.xaxis.set_minor_formatter):
        axis("{x:g}")
    axes.grid(visible=True, alpha=0.3)
    axes.legend(loc="lower right")
    axes.spines[["top", "right"]].set_visible(False)
    figure.savefig(path, metadata={"Date": None} if path.suffix == ".svg" else None)
    plt.close(figure)


def steps(run: Run) -> list[float]:
    """The seconds to the first plausible patch of the tasks whose patch was confirmed, sorted."""
    return sorted(float(row["first"]["seconds"]) for row in run.rows if row["plausible"] and row.get("first"))

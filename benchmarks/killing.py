"""``python -m benchmarks.killing``: kill -9 a run at random times, and go on with it each time.

The result has to be that of a run that nobody disturbed, row by row.
"""

import random
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import click

from benchmarks import runfile
from benchmarks.tasks import Key


def disturbed(path: Path, command: list[str], *, kills: int, dice: random.Random) -> list[int]:
    """Let ``command`` run into ``path`` with ``kills`` interruptions; how many rows there were after each.

    A kill comes when one or some more rows have come, the next one being worked on or written.
    """
    command = [*command, "--output", str(path), "--resume"]
    seen = []
    for _ in range(kills):
        before = _size(path)
        with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as run:
            assert run.stderr
            for _ in range(dice.randrange(1, 8)):
                run.stderr.readline()
            run.send_signal(signal.SIGKILL)
        assert _size(path) >= before
        seen.append(sum(1 for _ in runfile.rows(path)))
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return seen


def same(one: Path, other: Path) -> bool:
    """Whether both runs have the same rows, in whatever order, none twice."""
    first, second = (sorted(runfile.rows(path), key=Key.of) for path in (one, other))
    return first == second and len({Key.of(row) for row in first}) == len(first)


def _size(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0


@click.command()
@click.option("--kills", default=10, show_default=True)
@click.option("--seed", default=0, show_default=True)
@click.option("--tasks", default=120, show_default=True)
@click.option("--parallel", default=2, show_default=True)
def main(*, kills: int, seed: int, tasks: int, parallel: int) -> None:
    """Kill a run of made-up tasks KILLS times. Exit status: 0 nothing was lost, 1 something was."""
    program = [sys.executable, "-m", "benchmarks", "invented"]
    command = [*program, "--count", str(tasks), "--task-seconds", "0.02", "--parallel", str(parallel)]
    with tempfile.TemporaryDirectory() as directory:
        path, quiet = Path(directory, "killed.jsonl"), Path(directory, "quiet.jsonl")
        seen = disturbed(path, command, kills=kills, dice=random.Random(seed))  # noqa: S311 - no secret
        subprocess.run([*command, "--output", str(quiet)], check=True, capture_output=True)
        equal = same(path, quiet)
    click.echo(f"rows after each kill: {seen}")
    click.echo("equal to an undisturbed run" if equal else "NOT equal to an undisturbed run")
    sys.exit(0 if equal else 1)


if __name__ == "__main__":
    main()

"""``python -m benchmarks.scale``: what the harness itself takes for many tasks, in time and in memory."""

import resource
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

import click


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    """Of a run of so many tasks: processor seconds, and the most memory that it had, in MiB."""

    tasks: int
    seconds: float
    memory_mib: float

    @property
    def milliseconds_a_task(self) -> float:
        """Processor time."""
        return 1000 * self.seconds / self.tasks


# Memory is counted over all children there were: of several runs, the smallest has to come first.
def cost(tasks: int) -> Cost:
    """What a run of made-up tasks costs, its start and its report included."""
    with tempfile.TemporaryDirectory() as directory:
        output = Path(directory, "run.jsonl")
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(
            [sys.executable, "-m", "benchmarks", "invented", f"--count={tasks}", f"--output={output}"],
            check=True,
            capture_output=True,
        )
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Cost(tasks=tasks, seconds=seconds, memory_mib=after.ru_maxrss / 1024)


@click.command()
@click.argument("counts", nargs=-1, type=click.IntRange(min=1))
def main(*, counts: tuple[int, ...]) -> None:
    """Go through COUNTS made-up tasks (1000, 5000 and 10000 by default), each number in a run of its own."""
    for tasks in sorted(counts or (1_000, 5_000, 10_000)):
        found = cost(tasks)
        click.echo(
            f"{found.tasks:6d} tasks: {found.seconds:.1f} s of processor, "
            f"{found.milliseconds_a_task:.2f} ms a task, {found.memory_mib:.0f} MiB at most"
        )


if __name__ == "__main__":
    main()

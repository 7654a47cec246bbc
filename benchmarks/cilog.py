"""How fast and in how much memory a CI log is read: megabytes a second, and the peak of the process.

A log of the wanted size is made by repeating the given logs, or lines like those of a long verbose test run
with failures, and is never held as a whole. Nothing here judges what is read; the golden tests do.
"""

import json
import resource
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import click

from benchmarks.options import FILE
from bot.cilog import read_log

PIECE = 64 * 1024
STAMP = "2024-07-13T09:04:01.0273607Z "


@click.command()
@click.argument("logs", nargs=-1, type=FILE)
@click.option(
    "--megabytes", type=click.IntRange(min=1), default=100, help="The size of the log that is read."
)
def cilog(logs: tuple[Path, ...], megabytes: int) -> None:
    """Read a large log; LOGS are repeated up to the size, else a verbose test run is invented."""
    source = [path.read_bytes() for path in logs] or [invented()]
    started, before = time.process_time(), peak_megabytes()
    size = megabytes * 1_000_000
    reading = read_log(repeated(source, size))
    seconds = time.process_time() - started
    figures = {
        "megabytes": megabytes,
        "lines": reading.log_lines,
        "failures": len(reading.failures),
        "sessions": len(reading.sessions),
        "cpu_seconds": round(seconds, 2),
        "megabytes_a_second": round(size / 1e6 / seconds, 1),
        "peak_megabytes": round(peak_megabytes(), 1),
        "peak_megabytes_before": round(before, 1),
    }
    click.echo(json.dumps(figures))


def repeated(sources: Sequence[bytes], size: int) -> Iterator[bytes]:
    """The sources again and again, in pieces, until ``size`` bytes have been given."""
    left = size
    while left > 0:
        for source in sources:
            for start in range(0, len(source), PIECE):
                if left <= 0:
                    return
                piece = source[start : start + min(PIECE, left)]
                left -= len(piece)
                yield piece


def invented() -> bytes:
    """About five megabytes of a job: an installation, a verbose session with failures, its report."""
    lines = ["##[group]Run pytest -v", "pytest -v", "shell: /usr/bin/bash -e {0}", "##[endgroup]"]
    lines += [f"Collecting package-{number % 300}>=1.{number % 9}" for number in range(5_000)]
    lines.append("============================= test session starts ==============================")
    lines += [
        f"tests/unit/test_{number % 97}.py::TestThings::test_{number}[parameter-{number % 13}] PASSED [ 13%]"
        for number in range(30_000)
    ]
    lines.append("=================================== FAILURES ===================================")
    for number in range(200):
        lines += [f"____________________ test_{number} ____________________", "", f"    def test_{number}():"]
        lines += [f"        step_{step}()" for step in range(20)]
        lines += [
            ">       assert 1 == 2",
            "E       assert 1 == 2",
            "",
            "tests/unit/test_1.py:3: AssertionError",
        ]
        lines += ["----------------------------- Captured stdout call -----------------------------"]
        lines += [f"printed line {line} of a test, with some words to read" for line in range(50)]
    lines.append("=========================== short test summary info ============================")
    lines += [f"FAILED tests/unit/test_1.py::test_{number} - assert 1 == 2" for number in range(200)]
    lines.append("================= 200 failed, 30000 passed in 75.30s (0:01:15) =================")
    lines.append("##[error]Process completed with exit code 1.")
    return "".join(f"{STAMP}{line}\n" for line in lines).encode()


def peak_megabytes() -> float:
    """The process's peak of memory so far."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


if __name__ == "__main__":
    cilog()

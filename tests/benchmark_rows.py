"""Rows and runs of benchmarks, as the reports read them."""

from benchmarks.runs import runfile
from benchmarks.runs.runfile import Run

HEAD = {
    "benchmark": "invented",
    "inputs": {"tasks.jsonl": "0123456789abcdef"},
    "code": {"version": "1.0", "commit": "", "digest": "fedcba9876543210"},
    "configuration": {"strategy": "search"},
    "machine": {"cores": 2, "processor": "abacus", "system": "Linux", "python": "3.11.2"},
    "started": "2026-01-02T03:04:05+00:00",
}


def row(task, group="one", *, plausible=True, correct=None, attempts=10, seconds=1.0, **more):
    """A task's row; ``seconds`` and ``attempts`` are those up to the first plausible patch."""
    sizes = {"changed_lines": 2, "reference_lines": 2, "alternatives": 1, "same_text": False}
    return {
        "task": task,
        "group": group,
        "outcome": "patched" if plausible else "no_patch",
        "plausible": plausible,
        "correct": correct if plausible else False,
        "first": {"attempts": attempts, "seconds": seconds} if plausible else None,
        "attempts": 50,
        "seconds": 30.0,
        **(sizes if plausible else {}),
        **more,
    }


def asked(task, *, plausible, turn=1, sample=0, calls=1, tokens=100):
    """The row of a task that a model was asked about; its first plausible patch came in ``turn``."""
    usage = {"calls": calls, "prompt_tokens": tokens, "completion_tokens": 10, "cost": 0.01, "seconds": 2.0}
    found = row(
        task,
        plausible=plausible,
        correct=True,
        attempts=turn + 4,
        sample=sample,
        turns=3,
        usage=usage,
        first_turn={"first_prompt_tokens": 90, "prompt_tokens": 90},
        stages={"patch": 3.0, "validate": 1.0},
        judging_seconds=1.0,
    )
    return {**found, "first": {**found["first"], "turn": turn} if plausible else None}


def run(*rows, **configuration):
    """A run of ``rows``."""
    return Run(header={**HEAD, "configuration": {"strategy": "search", **configuration}}, rows=rows)


def written(path, one):
    """The run ``one`` as a file; its path as an argument of a command."""
    with runfile.write(path, one.header, resume=False) as sink:
        for found in one.rows:
            sink.add(found)
    return str(path)


def cells(text, first):
    """The other cells of the table's line whose first cell is ``first``."""
    line = next(line for line in text.splitlines() if line.startswith(f"| {first} |"))
    return [cell.strip() for cell in line.strip("|").split("|")][1:]

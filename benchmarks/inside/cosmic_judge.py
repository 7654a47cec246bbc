"""cosmic-ray on some of its own mutants: ``cosmic_judge.py FILE`` in a copy of the project.

FILE is JSON: ``mutants`` are [path, operator, occurrence], ``command`` runs the tests within ``timeout``
seconds. The session is made from these instead of by ``cosmic-ray init``, which would list thousands; it is
run as ``cosmic-ray exec`` runs it, with the local distributor. A line of JSON on ``output`` answers.
"""

from __future__ import annotations

import json
import resource
import sys
import time
from pathlib import Path
from typing import Any

from cosmic_ray.commands import execute  # type: ignore[import-not-found]
from cosmic_ray.config import ConfigDict  # type: ignore[import-not-found]
from cosmic_ray.work_db import WorkDB, use_db  # type: ignore[import-not-found]
from cosmic_ray.work_item import MutationSpec, WorkItem  # type: ignore[import-not-found]

SOMEWHERE = (1, 0), (1, 1)  # the place is for reports alone: a mutant is found by its occurrence


def main() -> None:
    """Do what the file says."""
    task = json.loads(Path(sys.argv[1]).read_text("utf-8"))
    config = ConfigDict(
        {"timeout": task["timeout"], "test-command": task["command"], "distributor": {"name": "local"}}
    )
    steps: dict[str, tuple[float, float]] = {}
    with use_db(task["session"], WorkDB.Mode.create) as session:
        for number, (path, operator, occurrence) in enumerate(task["mutants"]):
            spec = MutationSpec(path, operator, occurrence, *SOMEWHERE)
            session.add_work_item(WorkItem.single(str(number), spec))
        started, keep = [time.perf_counter(), _cpu_s()], session.set_result

        def kept(job: str, result: Any) -> None:  # noqa: ANN401 - cosmic-ray's
            keep(job, result)
            now = [time.perf_counter(), _cpu_s()]
            steps[job] = now[0] - started[0], now[1] - started[1]
            started[:] = now

        session.set_result = kept
        execute(session, config)
        results = dict(session.results)
    verdicts = [
        {
            "number": int(job),
            "verdict": "timeout" if result.output == "timeout" else str(result.test_outcome.value),
            "seconds": steps[job][0],
            "cpu": steps[job][1],
            "output": (result.output or "")[-400:],
        }
        for job, result in results.items()
    ]
    Path(task["output"]).write_text(json.dumps({"verdicts": verdicts}), "utf-8")


def _cpu_s() -> float:
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


if __name__ == "__main__":
    main()

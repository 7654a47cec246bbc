"""The limit: fork a process that has the suite collected, and run one test there; ``bare_fork.py FILE``.

FILE is JSON: ``tests`` are ids, ``arguments`` pytest's, ``rounds`` how often. A line of JSON on ``output``
answers: the seconds of a fork that does nothing, and for each test what its phases took in such a fork.
Standard library and pytest only.
"""

import json
import os
import statistics
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from _pytest.runner import runtestprotocol


class Measure:
    """The plugin that measures instead of running the tests."""

    def __init__(self, task: "dict[str, Any]") -> None:
        self._task = task

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: Any) -> bool:  # noqa: ANN401 - pytest's
        """Measure and write the answer."""
        wanted = set(self._task["tests"])
        rounds = range(self._task["rounds"])
        items = [item for item in session.items if item.nodeid in wanted]
        forks = [_forked(None)[0] for _ in rounds]
        own = {item.nodeid: statistics.median(_forked(item)[1] for _ in rounds) for item in items}
        answer = {"fork": statistics.median(forks), "own": own}
        Path(self._task["output"]).write_text(json.dumps(answer), "utf-8")
        return True


def _forked(item: Any) -> "tuple[float, float]":  # noqa: ANN401 - pytest's
    """The seconds from a fork to its end, and those of the phases of ``item`` in there."""
    started = time.perf_counter()
    read, write = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            if item is not None:
                reports = runtestprotocol(item, log=False, nextitem=None)
                os.write(write, json.dumps(sum(report.duration for report in reports)).encode())
        finally:
            os._exit(0)
    os.close(write)
    os.waitpid(pid, 0)
    seconds = time.perf_counter() - started
    said = os.read(read, 100)
    os.close(read)
    return seconds, float(said or 0)


def main() -> None:
    """Do what the file says."""
    task = json.loads(Path(sys.argv[1]).read_text("utf-8"))
    sys.path[:1] = []
    pytest.main(["-q", "-p", "no:randomly", *task["arguments"]], plugins=[Measure(task)])


if __name__ == "__main__":
    main()

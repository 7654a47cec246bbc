"""Other ways to a verdict, as a program that the sandbox's interpreter runs outside of any sandbox.

It reads a task from standard input as JSON (``imports``, ``programs``), judges each program and prints the
verdicts and the seconds. It imports nothing of Regreen.

``fork``: ``os.fork`` and ``exec`` in the child, nothing else: no isolation, no limit, no report but the exit
status. The parent has imported what the programs import. This is the physical limit of the machine.

``process``: the way of human-eval's ``check_correctness`` (Chen et al., "Evaluating Large Language Models
Trained on Code", 2021, and its published harness): a ``multiprocessing.Manager``'s list for the result, a new
``multiprocessing.Process`` for each program, in it a temporary working directory, dangerous functions taken
away, input and output swallowed, an alarm as time limit, and ``exec``; the parent joins and kills.

``python``: a new interpreter for each program.
"""

import builtins
import contextlib
import faulthandler
import io
import json
import multiprocessing
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

LIMIT_S = 3.0


def by_fork(program: str) -> bool:
    """A fork that runs ``program`` and leaves by its exit status."""
    pid = os.fork()
    if pid == 0:
        status = 1
        try:
            os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
            exec(program, {"__name__": "candidate"})  # noqa: S102 - the point of it
            status = 0
        except BaseException:  # noqa: BLE001, S110 - a wrong program may raise anything
            pass
        finally:
            os._exit(status)
    return os.waitpid(pid, 0)[1] == 0


def by_process(program: str) -> bool:
    """A manager, a process, a working directory, an alarm: see the module's docstring."""
    result = multiprocessing.Manager().list()
    worker = multiprocessing.Process(target=_judge, args=(program, result))
    worker.start()
    worker.join(timeout=LIMIT_S + 1)
    if worker.is_alive():
        worker.kill()
    if not result:
        result.append("timed out")
    return bool(result[0] == "passed")


def by_python(program: str) -> bool:
    """A new interpreter."""
    argv = [sys.executable, "-c", program]
    return subprocess.run(argv, capture_output=True, timeout=LIMIT_S, check=False).returncode == 0


def _judge(program: str, result: Any) -> None:  # noqa: ANN401 - a proxy that multiprocessing makes
    rmdir, chdir = os.rmdir, os.chdir
    with tempfile.TemporaryDirectory() as directory:
        home = str(Path.cwd())
        os.chdir(directory)
        _disarm()
        try:
            with _swallowed(), _alarm(LIMIT_S):
                exec(program, {})  # noqa: S102
            result.append("passed")
        except TimeoutError:
            result.append("timed out")
        except BaseException as error:  # noqa: BLE001
            result.append(f"failed: {error}")
        finally:
            # What the directory's removal needs.
            os.rmdir, os.chdir = rmdir, chdir
            os.chdir(home)


def _disarm() -> None:
    """Take away what a harmless program does not need; no security boundary, as that harness says too."""
    faulthandler.disable()
    os.environ["OMP_NUM_THREADS"] = "1"
    for name in ("kill", "system", "putenv", "rename", "fork", "killpg", "chmod", "chown", "chroot", "rmdir"):
        setattr(os, name, None)
    for module, name in ((shutil, "move"), (subprocess, "Popen"), (builtins, "exit"), (builtins, "quit")):
        setattr(module, name, None)


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


WAYS: dict[str, Callable[[str], bool]] = {"fork": by_fork, "process": by_process, "python": by_python}


def main() -> None:
    """Judge what comes in by the way named on the command line."""
    multiprocessing.set_start_method("fork")
    judge = WAYS[sys.argv[1]]
    task = json.load(sys.stdin)
    for statement in task["imports"]:
        exec(statement, {})  # noqa: S102
    started = time.perf_counter()
    verdicts = [judge(program) for program in task["programs"]]
    print(json.dumps({"verdicts": verdicts, "seconds": time.perf_counter() - started}))


if __name__ == "__main__":
    main()

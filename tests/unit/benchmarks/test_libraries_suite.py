"""An environment is named and moved; a run outside leaves no process, whatever it did to get away."""

import os
import select
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.libraries.copies import MARK, end_strays, run, unprivileged
from benchmarks.libraries.environment import _moved, plan
from benchmarks.runs.limit import TooLong, limited
from sandbox import owner
from sandbox.base import SandboxSpec
from sandbox.environment.builder import PreparedEnvironment
from sandbox.snapshot import Snapshot

# Starts a process in a session of its own, names it, and goes on for ever.
ESCAPES = """
import os, subprocess, sys, time
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"], start_new_session=True)
open(sys.argv[1], "w").write(str(child.pid))
if sys.argv[2] == "stays":
    time.sleep(600)
"""


def ends(pid):
    """Whether the process that was killed just now ends; its number may be gone already."""
    try:
        descriptor = os.pidfd_open(pid)
    except ProcessLookupError:
        return True
    ready, _, _ = select.select([descriptor], [], [], 30)
    os.close(descriptor)
    return bool(ready)


@pytest.mark.slow
@pytest.mark.parametrize(("how", "status", "limit"), [("leaves", 0, 60.0), ("stays", None, 3.0)])
def test_what_a_run_started_ends_with_it(tmp_path, how, status, limit):
    variables = {"PATH": os.defpath, MARK: f"{os.getpid()}-{how}"}
    argv = [sys.executable, "-c", ESCAPES, str(tmp_path / "pid"), how]
    assert run(argv, tmp_path, variables, tmp_path / "output", limit) == status
    assert ends(int((tmp_path / "pid").read_text()))


@pytest.mark.skipif(os.geteuid() != 0 or not shutil.which("setpriv"), reason="only root's can be taken away")
def test_a_file_that_may_not_be_read_cannot_be_read_by_root_either(tmp_path):
    (tmp_path / "closed").touch(mode=0)
    argv = [*unprivileged(), "cat", str(tmp_path / "closed")]
    done = subprocess.run(argv, env={"LC_ALL": "C", "PATH": os.defpath}, capture_output=True, check=False)
    assert b"Permission denied" in done.stderr


def test_only_what_a_dead_run_left_is_ended():
    def started(mark):
        variables = {"PATH": os.defpath, MARK: mark}
        argv = [sys.executable, "-c", "print(flush=True); input()"]
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
        process = subprocess.Popen(argv, env=variables, **pipes)
        process.stdout.readline()  # it has the environment by now
        return process

    alive = owner.mark()
    dead = alive.replace(f".{os.getpid()}.", ".4194305.")  # no process has so high a number
    with started(alive) as kept, started(dead) as stray:
        end_strays()
        assert stray.wait(30) == -signal.SIGKILL
        assert kept.poll() is None
        kept.communicate(b"\n")
    assert kept.returncode == 0


def test_work_that_takes_too_long_is_given_up():
    before = signal.getsignal(signal.SIGALRM)
    with pytest.raises(TooLong, match=r"the work did not end within 0\.05 s"), limited(0.05, "the work"):
        signal.pause()
    with limited(60, "work that ends in time"):
        pass
    assert signal.getsignal(signal.SIGALRM) is before
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)


def environment(**changes):
    return PreparedEnvironment(spec=SandboxSpec(python="python3"), snapshot=Snapshot(entries=()), **changes)


def test_a_plan_is_named_with_its_python_its_command_and_what_is_left_out():
    made = environment(
        name="the job test of ci.yml",
        explanation="Python 3.12: the job's\ninstalls: pytest",
        left_out=("a of the group docs (it is gone)", "b of the group docs (it is gone)"),
    )
    assert plan(made, "pytest tests") == "the job test of ci.yml; Python 3.12; by pytest tests; 2 left out"
    assert not plan(environment(), "")


def test_paths_of_the_workspace_are_those_of_the_copy():
    copy = Path("/tmp/copy")
    value = "/workspace:/workspace/src:/workspace2:src:/usr/bin"
    assert _moved(value, copy) == "/tmp/copy:/tmp/copy/src:/workspace2:src:/usr/bin"

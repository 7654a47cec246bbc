"""A step of a build may say anything, without end, and may not come to one."""

import pytest

from sandbox.environment.failure import KEPT_OUTPUT
from sandbox.environment.watched import watch

PATH = {"PATH": "/usr/bin:/bin"}


def run(script, *, timeout_s=30.0):
    return watch(["/bin/sh", "-c", script], environment=PATH, timeout_s=timeout_s)


def test_the_end_of_what_it_says_is_kept():
    done = run("head -c 5000000 /dev/zero | tr '\\0' x; echo the end; exit 3")
    assert done.exit_status == 3
    assert len(done.said) == KEPT_OUTPUT
    assert done.said.endswith("xxx" + "the end\n")


def test_errors_are_said_too_and_nothing_can_be_asked():
    done = run("echo oh >&2; read answer || echo nobody answers")
    assert (done.exit_status, done.said) == (0, "oh\nnobody answers\n")


@pytest.mark.parametrize("script", ["sleep 60 & wait", "exec sleep 60 >/dev/null 2>&1", "yes"])
def test_what_does_not_end_is_ended(script):
    done = run(f"echo begun; {script}", timeout_s=0.3)
    assert done.exit_status is None
    assert done.said.startswith(("begun", "y\n"))


def test_a_program_that_is_not_there_is_an_error():
    with pytest.raises(FileNotFoundError):
        watch(["/no/such/program"], environment=PATH, timeout_s=1)

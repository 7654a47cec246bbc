"""A step of a build may say anything, without end, and may not come to one."""

import os

import pytest
from every_case import every_case

from sandbox.environment.failure import KEPT_OUTPUT
from sandbox.environment.watched import Room, watch

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


@every_case("script", ["sleep 60 & wait", "exec sleep 60 >/dev/null 2>&1", "yes"])
def test_what_does_not_end_is_ended(script):
    done = run(f"echo begun; {script}", timeout_s=2)
    assert done.exit_status is None
    assert done.said.startswith(("begun", "y\n"))


def test_a_program_that_is_not_there_is_an_error():
    with pytest.raises(FileNotFoundError):
        watch(["/no/such/program"], environment=PATH, timeout_s=1)


def test_a_step_that_fills_the_disk_is_ended(tmp_path):
    script = f"while :; do head -c 8000000 /dev/zero >> {tmp_path}/file; sleep 0.02; done"
    for close in ("", "exec >/dev/null 2>&1; "):
        system = os.statvfs(tmp_path)
        room = Room(str(tmp_path), system.f_bavail * system.f_frsize - (64 << 20))
        done = watch(["/bin/sh", "-c", close + script], environment=PATH, timeout_s=60, room=room)
        assert done.exit_status is None
        assert (tmp_path / "file").stat().st_size < 1 << 30
        (tmp_path / "file").unlink()


def test_a_step_is_left_what_is_there_though_it_be_little(tmp_path):
    free = 3 * (1 << 30)
    system = os.statvfs(tmp_path)
    room = Room.on(str(tmp_path), most=free)
    assert room.free <= max(system.f_bavail * system.f_frsize, 0)
    assert not room.is_short()

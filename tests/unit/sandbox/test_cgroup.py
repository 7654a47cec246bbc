"""Where a control group may be made, told from what the kernel shows, and what is written into it."""

import os
import signal
import subprocess

import pytest

from sandbox import cgroup, owner
from sandbox.base import MIB, Limits
from sandbox.errors import SandboxError


@pytest.fixture
def unified(tmp_path):
    """A version 2 hierarchy as systemd lays it out: what the session's group hands down is chosen."""

    def make(*, session="cpu memory pids"):
        (tmp_path / "cgroup.controllers").write_text("cpu memory pids")
        for directory, handed_down in (
            ("", "cpu memory pids"),
            ("session", session),
            ("session/app.scope", ""),
        ):
            (tmp_path / directory).mkdir(exist_ok=True)
            (tmp_path / directory / "cgroup.subtree_control").write_text(handed_down)
            (tmp_path / directory / "cgroup.procs").touch()
        membership = tmp_path / "membership"
        membership.write_text("0::/session/app.scope\n")
        return cgroup.parents(tmp_path, membership)

    return make


def test_version_2_takes_the_nearest_group_that_hands_down_all_controllers(unified, tmp_path):
    assert unified() == (tmp_path / "session",)
    assert unified(session="memory") == (tmp_path,)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_version_2_takes_no_group_that_is_not_ours(unified, tmp_path):
    unified()
    for directory in (tmp_path, tmp_path / "session"):
        (directory / "cgroup.procs").chmod(0o400)
    assert cgroup.parents(tmp_path, tmp_path / "membership") == ()


def test_version_1_needs_a_directory_for_each_controller(tmp_path):
    membership = tmp_path / "membership"
    assert cgroup.parents(tmp_path, membership) == (), "no support by the kernel is no error"
    membership.write_text("4:memory:/a\n8:pids:/\n2:cpu,cpuacct:/b\n1:name=systemd:/\n")
    assert cgroup.parents(tmp_path, membership) == ()
    for directory in ("memory/a", "pids", "cpu/b"):
        (tmp_path / directory).mkdir(parents=True)
    expected = (tmp_path / "memory" / "a", tmp_path / "pids", tmp_path / "cpu" / "b")
    assert cgroup.parents(tmp_path, membership) == expected


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        (
            ("memory.max", "memory.swap.max", "pids.max", "cpu.max"),
            {"memory.max": 64 * MIB, "memory.swap.max": 0, "pids.max": 9, "cpu.max": "50000 100000"},
        ),
        (
            ("memory.limit_in_bytes", "pids.max", "cpu.cfs_quota_us"),
            {"memory.limit_in_bytes": 64 * MIB, "pids.max": 9, "cpu.cfs_quota_us": 50_000},
        ),
    ],
    ids=["version 2", "version 1"],
)
def test_the_limits_are_written_where_there_is_a_file_for_them(tmp_path, monkeypatch, files, expected):
    class Kernel(type(tmp_path)):
        def mkdir(self, *args, **kwargs):  # the kernel fills a new group with its files
            super().mkdir(*args, **kwargs)
            for name in files:
                (self / name).touch()

    group = cgroup.make([Kernel(tmp_path)], Limits(memory_mib=64, processes=8, cpus=0.5))
    (directory,) = group.directories
    assert {path.name: path.read_text() for path in directory.iterdir()} == {
        name: str(value) for name, value in expected.items()
    }


def test_a_group_that_cannot_be_made_leaves_nothing(tmp_path):
    with pytest.raises(OSError, match="missing"):
        cgroup.make([tmp_path, tmp_path / "missing"], Limits())
    assert list(tmp_path.iterdir()) == []


def test_a_group_takes_in_a_process_with_all_that_it_has_started():
    others = cgroup.children()
    script = "sleep 600 & (sleep 600 & echo ready; wait)"
    with subprocess.Popen(["/bin/sh", "-c", script], stdout=subprocess.PIPE) as process:
        process.stdout.readline()
        started = cgroup.children() - others
        recorded = Recorder()
        # Another test's thread may have started something in between.
        cgroup.ControlGroup(directories=(recorded,)).adopt(started & {process.pid})
        for pid in recorded.pids:
            os.kill(pid, signal.SIGKILL)
    assert process.pid in started
    assert len(recorded.pids) >= 3


class Recorder:
    """A group's directory that records what is moved into it."""

    def __init__(self):
        self.pids = []

    def __truediv__(self, name):
        assert name == "cgroup.procs"
        return self

    def write_text(self, text, _encoding):
        self.pids.append(int(text))


def test_a_process_that_cannot_be_moved_is_an_error(tmp_path):
    with pytest.raises(SandboxError, match="cannot move a process into its control group"):
        cgroup.ControlGroup(directories=(tmp_path / "missing",)).adopt({os.getpid()})


def test_a_command_enters_by_writing_into_the_group_and_becoming_the_program(tmp_path):
    (tmp_path / "cgroup.procs").touch()
    group = cgroup.ControlGroup(directories=(tmp_path,))
    done = subprocess.run(group.enter(["echo", "a b", "$HOME"]), capture_output=True, check=True)
    assert done.stdout == b"a b $HOME\n"
    assert (tmp_path / "cgroup.procs").read_text() == "0\n"
    missing = cgroup.ControlGroup(directories=(tmp_path / "missing",))
    refused = subprocess.run(missing.enter(["echo", "x"]), capture_output=True, check=False)
    assert (refused.returncode, refused.stdout) == (125, b"")


def test_where_none_can_be_made_nothing_is_moved_or_limited_and_it_is_no_error(monkeypatch):
    monkeypatch.setattr(cgroup, "available", lambda: False)
    with cgroup.limited(Limits()) as group:
        group.adopt({os.getpid()})
        assert group.enter(["a", "b"]) == ["a", "b"]


def test_a_group_that_cannot_be_made_where_others_can_is_an_error(tmp_path, monkeypatch):
    monkeypatch.setattr(cgroup, "available", lambda: True)
    monkeypatch.setattr(cgroup, "parents", lambda: (tmp_path / "gone",))
    with pytest.raises(SandboxError, match="cannot make a control group"), cgroup.limited(Limits()):
        pass


def test_groups_of_dead_runs_are_swept_and_others_stay(tmp_path, monkeypatch):
    dead = tmp_path / f"{owner.PREFIX}dead"
    for directory in (dead, tmp_path / f"{owner.PREFIX}alive", tmp_path / "system.slice"):
        directory.mkdir()
    monkeypatch.setattr(cgroup, "parents", lambda: (tmp_path,))
    monkeypatch.setattr(owner, "left_by_the_dead", lambda name: name == dead.name)
    assert cgroup.sweep() == 1
    assert sorted(directory.name for directory in tmp_path.iterdir()) == [
        f"{owner.PREFIX}alive",
        "system.slice",
    ]

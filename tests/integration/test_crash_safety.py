"""However a run ends, nothing of it stays; and what a crash left is swept, a live run's things never."""

import os
import select
import signal
import subprocess
import sys
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import pytest
from docker.errors import APIError, NotFound
from laying import lay
from providers import PROVIDERS

from sandbox import cgroup, leftovers, owner
from sandbox.docker import LABEL, OWNER_LABEL, DockerProvider

HANGING_TEST = """\
import subprocess, sys, time

def test_it_hangs():
    command = [sys.executable, "-c", "import time; time.sleep(600)", {marker!r}]
    subprocess.Popen(command, start_new_session=True)
    time.sleep(600)
"""
START_TIMEOUT_S, END_TIMEOUT_S, SWEPT_TIMEOUT_S = 60, 30, 5
ENDINGS = {
    signal.SIGTERM: 128 + signal.SIGTERM,
    signal.SIGHUP: 128 + signal.SIGHUP,
    signal.SIGINT: 130,
    signal.SIGKILL: -signal.SIGKILL,
}


@pytest.fixture
def running(request, make_provider, tmp_path, project, environment, project_environment):
    """A run of regreen in the middle of a test that hangs, with a daemon of that test beside it."""
    make_provider(request.param)
    if request.param == "docker" and not engine_is_seen():
        pytest.skip("the engine runs where its processes cannot be seen from here")
    marker = f"regreen-crash-test-{owner.run_id()}-{os.getpid()}-{request.param}"
    root, temporary = project({"test_hang.py": HANGING_TEST.format(marker=marker)}), lay(tmp_path / "tmp", {})
    command = [sys.executable, "-m", "bot", "fix", str(root), "--sandbox", request.param]
    python = "python3" if request.param == "docker" else str(project_environment / "bin/python")
    command += ["--test-timeout", "600", "--sandbox-python", python]
    image = os.environ.get("REGREEN_TEST_IMAGE")
    if request.param == "docker" and image:
        command += ["--sandbox-image", image]
    environment["TMPDIR"] = str(temporary)
    with (
        subprocess.Popen(
            command,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            preexec_fn=_hear_signals,  # noqa: PLW1509 - two calls that take no lock
        ) as process,
        ExitStack() as opened,
    ):
        try:
            daemon = opened.enter_context(pidfd(find(marker, process)))
            yield process, daemon, temporary
        finally:
            process.kill()


def engine_is_seen():
    """Whether the engine's processes, and with them those of its containers, are below this ``/proc``."""
    for entry in Path("/proc").glob("[0-9]*/comm"):
        with suppress(OSError):
            if entry.read_text().strip() == "dockerd":
                return True
    return False


def _hear_signals():
    """Undo what a shell did that runs the tests in the background: its children ignore these for good."""
    for number in (signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)


def find(marker, process):
    """The number, out here, of the process that carries ``marker``; waits until it is there."""
    for _ in range(START_TIMEOUT_S * 20):
        for entry in Path("/proc").iterdir():
            if entry.name.isdigit():
                with suppress(OSError):
                    if marker.encode() in (entry / "cmdline").read_bytes().split(b"\0"):
                        return int(entry.name)
        with suppress(subprocess.TimeoutExpired):
            process.wait(timeout=0.05)
            pytest.fail(f"the run ended before its test started: {process.stderr.read().decode()}")
    pytest.fail("the test was not started in time")


@contextmanager
def pidfd(pid):
    """A descriptor that becomes readable when the process ends."""
    descriptor = os.pidfd_open(pid)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


# What is killed outright is tried in each sandbox, since nothing of ours runs then;
# a signal that Python hears in one.
@pytest.mark.slow
@pytest.mark.parametrize(
    ("running", "number"),
    [
        pytest.param(*sandbox.values, number, id=f"{sandbox.id}-{number.name}", marks=sandbox.marks)
        for place, sandbox in enumerate(PROVIDERS)
        for number in (signal.SIGKILL, list(ENDINGS)[place])
    ],
    indirect=["running"],
)
def test_however_it_ends_nothing_stays(running, number, make_provider):
    process, daemon, temporary = running
    tag = f"/{process.pid}/{owner.start_time(process.pid)}"
    process.send_signal(number)
    process.communicate(timeout=END_TIMEOUT_S)
    assert process.returncode == ENDINGS[number]
    assert select.select([daemon], [], [], END_TIMEOUT_S)[0], "a process of the test outlived the run"
    assert containers_of(tag, running, make_provider) == []
    if number == signal.SIGKILL:
        wait_until_empty(temporary)
        cgroup.sweep()
        # A run that starts meanwhile may have ended the group, and with it the runner that cleans up.
        leftovers.sweep(str(temporary))
    assert list(temporary.iterdir()) == []
    assert [f for parent in cgroup.parents() for f in parent.glob(f"regreen-*.{process.pid}.*")] == []


def containers_of(tag, running, make_provider):
    """The containers of a run that are left; one that the engine is removing is waited for."""
    if "docker" not in running[0].args:
        return []
    provider, _ = make_provider("docker")
    left = []
    for container in provider.client.containers.list(all=True, filters={"label": LABEL}, ignore_removed=True):
        if container.labels.get(OWNER_LABEL, "").endswith(tag):
            with suppress(NotFound, APIError):
                container.wait(condition="removed", timeout=END_TIMEOUT_S)
                continue
            with suppress(NotFound):
                provider.client.containers.get(container.id)
                left.append(container)
    return left


def wait_until_empty(directory):
    """The runner, which we killed the parent of, removes its directory by itself."""
    waiting = select.poll()
    for _ in range(SWEPT_TIMEOUT_S * 100):
        if not any(directory.iterdir()):
            return
        waiting.poll(10)


# Sweeping -----------------------------------------------------------------------------------------


@pytest.fixture
def dead():
    """The owner that a process was which is gone, and the beginning of the names of what it left."""
    code = "from sandbox import owner; print(owner.current()); print(owner.mark())"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return done.stdout.split()


def test_what_the_dead_left_is_known_from_what_lives(dead):
    left, mark = dead
    assert owner.is_dead(left)
    assert owner.left_by_the_dead(mark + "x")
    assert not owner.is_dead(owner.current())
    assert not owner.left_by_the_dead(owner.mark() + "x")


@pytest.mark.parametrize("change", ["machine", "garbage", "empty"])
def test_what_cannot_be_judged_is_left_alone(dead, change):
    left, mark = dead
    if change == "machine":
        left, mark = "x" + left, mark.replace("regreen-", "regreen-f", 1)
        mark = mark.replace(mark.split(".")[0], "regreen-0123456789ab")
    elif change == "garbage":
        left, mark = "a/b/c", "regreen-something"
    else:
        left, mark = "", ""
    assert not owner.is_dead(left)
    assert not owner.left_by_the_dead(mark)


def test_directories_of_dead_runs_are_swept_and_no_others(dead, tmp_path):
    _, mark = dead
    elsewhere = lay(tmp_path / "elsewhere", {"kept": "x"})
    swept = lay(tmp_path / "swept", {f"{mark}workspace/sub/file": "x", f"{mark}file": "x"})
    (swept / (mark + "link")).symlink_to(elsewhere)
    kept = [owner.mark() + "live", "regreen-0123456789ab.1.1-x-other-host", "regreen-old-style", "unrelated"]
    for name in kept:
        (swept / name).mkdir()
    assert leftovers.sweep(str(swept)) == 2
    assert {path.name for path in swept.iterdir()} == {*kept, mark + "link"}
    assert (elsewhere / "kept").exists()


@pytest.mark.docker
def test_containers_of_dead_runs_are_swept_and_no_others(dead, make_provider):
    provider, spec = make_provider("docker")
    left, _ = dead
    labels = {
        "dead": {LABEL: "1", OWNER_LABEL: left},
        "live": {LABEL: "1", OWNER_LABEL: owner.current()},
        "other host": {LABEL: "1", OWNER_LABEL: "x" + left},
        "no owner": {LABEL: "1"},
        "not ours": {OWNER_LABEL: left},
    }
    with ExitStack() as made:
        containers = {}
        for name, these in labels.items():
            container = provider.client.containers.create(spec.image, labels=these)
            containers[name] = container
            made.callback(remove, container)
        other = DockerProvider()
        made.callback(other.close)
        assert other.sweep() >= 1
        there = {name for name, container in containers.items() if exists(container)}
    assert there == set(labels) - {"dead"}


def remove(container):
    with suppress(NotFound):
        container.remove(force=True)


def exists(container):
    try:
        container.reload()
    except NotFound:
        return False
    return True


def test_a_signal_in_the_middle_of_a_removal_leaves_nothing(tmp_path):
    """What the context manager could not note or remove goes when the program ends."""
    program = (
        "import os, signal, sys, tempfile\n"
        "from pathlib import Path\n"
        "from sandbox import leftovers, owner\n"
        "signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))\n"
        "with leftovers.directory('first-') as directory:\n"
        "    left = tempfile.mkdtemp(prefix=owner.mark())\n"
        "    Path(left, 'file').write_text('x')\n"
        "    child = os.fork()\n"
        "    if not child:\n"
        "        sys.exit(0)\n"
        "    assert os.waitpid(child, 0)[1] == 0 and os.path.exists(left)\n"
        "    os.kill(os.getpid(), signal.SIGTERM)\n"
    )
    (tmp_path / "unrelated").mkdir()
    command, environment = [sys.executable, "-c", program], {**os.environ, "TMPDIR": str(tmp_path)}
    ended = subprocess.run(command, env=environment, check=False)
    assert ended.returncode == 143
    assert [path.name for path in tmp_path.iterdir()] == ["unrelated"]

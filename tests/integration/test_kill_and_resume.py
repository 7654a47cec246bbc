"""A run that is killed in mid-search: nothing is left behind, and --resume goes on."""

import json
import os
import re
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest
from docker.errors import NotFound
from providers import PROVIDERS

from sandbox.docker import LABEL

# No operator can write this text, so that the search stays in mid-air for as long as it is let.
PROJECT = {
    "greeting.py": "def greet(name, polite, loud, times):\n"
    + "".join(
        f"    part_{i} = name + str(times + {i}) if polite and times > {i} else name * {i}\n"
        for i in range(20)
    )
    + "    return part_1 + part_2\n",
    "test_greeting.py": "from greeting import greet\n\n\ndef test_greet():\n"
    "    assert greet('a', True, False, 3) == 'salve, o a'\n",
}


@pytest.fixture(params=PROVIDERS)
def started(request, make_provider, tmp_path, project_environment):
    """A run of regreen that is in the middle of its search."""
    make_provider(request.param)
    root = tmp_path / "project"
    root.mkdir()
    for name, text in PROJECT.items():
        (root / name).write_text(text)
    (tmp_path / "tmp").mkdir()
    environment = {
        **os.environ,
        "XDG_STATE_HOME": str(tmp_path / "state"),
        "TMPDIR": str(tmp_path / "tmp"),
        "VIRTUAL_ENV": str(project_environment),
    }
    command = [sys.executable, "-m", "bot", "fix", str(root), "-v", "--sandbox", request.param]
    image = os.environ.get("REGREEN_TEST_IMAGE")
    if request.param == "docker" and image:
        command += ["--sandbox-image", image]
    process = subprocess.Popen(
        command, env=environment, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    with process:
        tried = 0
        while not tried:
            line = process.stderr.readline()
            assert line, "the run ended before it could be killed"
            tried = int((re.search(r"(\d+) candidates tried", line) or [0, 0])[1])
        yield process, command, environment, tmp_path, tried
        process.kill()
        process.communicate()


@pytest.mark.slow
def test_killed_runs_leave_nothing_and_resume(started, make_provider, regreen):
    process, command, environment, tmp_path, tried = started
    sandbox = command[command.index("--sandbox") + 1]
    os.kill(process.pid, signal.SIGSTOP)  # it starts no other supervisor while they are listed
    supervisors = descendants(process.pid)
    os.kill(process.pid, signal.SIGKILL)
    process.communicate()
    wait_for_end(supervisors)
    if sandbox == "docker":
        provider, _ = make_provider("docker")
        containers = provider.client.containers.list(all=True, filters={"label": LABEL}, ignore_removed=True)
        mine = [c for c in containers if f"/{process.pid}/" in c.labels.get("regreen.owner", "")]
        for container in mine:  # the engine may need a moment to remove what has ended
            with suppress(NotFound):  # it has removed it in the meantime
                container.wait(condition="removed", timeout=30)
    # A supervisor that was being started does not know its directory yet: the next run removes that one.
    assert len(list((tmp_path / "tmp").iterdir())) <= 1

    limit = ["--resume", "--json", "--max-attempts", str(tried + 64)]
    arguments = command[3:]  # behind "python -m bot"
    resumed = regreen(*arguments, *limit, environment=environment)
    result = json.loads(resumed.stdout)
    assert result["outcome"] == "budget_exhausted"
    assert result["attempts"] == tried + 64
    assert b"reproduce" not in resumed.stderr, "what was done before the kill is not done again"
    assert list((tmp_path / "tmp").iterdir()) == []
    again = regreen(*arguments, "--resume", environment=environment)
    assert again.returncode == 2
    assert b"nothing to resume" in again.stderr


def descendants(pid):
    """Descriptors that become readable when the processes below ``pid`` end."""
    parents = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                parents[int(entry.name)] = int((entry / "stat").read_text().rsplit(")", 1)[1].split()[1])
            except (OSError, IndexError):
                continue
    found, queue = [], [pid]
    while queue:
        current = queue.pop()
        children = [child for child, parent in parents.items() if parent == current]
        found += children
        queue += children
    opened = []
    for child in found:
        with suppress(ProcessLookupError):  # it ended by itself meanwhile
            opened.append(os.pidfd_open(child))
    return opened


def wait_for_end(descriptors):
    import select

    for descriptor in descriptors:
        assert select.select([descriptor], [], [], 30)[0], "a process outlived the run"
        os.close(descriptor)

"""Limits on a build in the engine."""

import json
import time
import uuid

import pytest

from sandbox.base import Limits
from sandbox.environment import engine_build
from sandbox.environment.dockerfile import context
from sandbox.environment.engine_build import StepFailed, build, closed_network

TALK = """
import time
while True:
    print("x", flush=True)
    time.sleep(0.05)
"""


FILL = """
import mmap
memory = mmap.mmap(-1, 3 << 30)
for place in range(0, 3 << 30, 4096):
    memory[place] = 1
"""


@pytest.fixture
def run_step(make_provider):
    """Runs Python code as a step of a build in the engine."""
    provider, spec = make_provider("docker")
    text = "FROM {}\nUSER 65534\nRUN {}\n"

    def run(*codes, **options):
        steps = [json.dumps(["python3", "-c", f"{code}# {uuid.uuid4().hex}"]) for code in codes]
        archive = context(text.format(spec.image, "\nRUN ".join(steps)), {}, None)
        return list(build(provider.client, archive, **options))

    run.client = provider.client
    run.image, run.python = spec.image, spec.python
    return run


@pytest.mark.docker
def test_a_build_that_goes_on_talking_is_ended(run_step):
    started = time.monotonic()
    with pytest.raises(StepFailed, match="did not end within 3 s") as failed:
        run_step(TALK, timeout_s=3)
    assert failed.value.exit_status is None
    assert time.monotonic() - started < 30
    deadline = time.monotonic() + 20
    while talking := [
        c
        for c in run_step.client.containers.list(ignore_removed=True)
        if TALK in str(c.attrs["Config"]["Cmd"])
    ]:
        assert time.monotonic() < deadline, talking
        time.sleep(0.2)


@pytest.mark.docker
def test_a_build_that_is_silent_is_ended(run_step):
    with pytest.raises(StepFailed, match="did not end within 2 s"):
        run_step("import time; time.sleep(60)", timeout_s=2)


@pytest.mark.docker
def test_a_build_cannot_take_the_machine_s_memory(run_step, monkeypatch):
    monkeypatch.setattr(engine_build, "BUILD_LIMITS", Limits(memory_mib=512))
    with pytest.raises(StepFailed) as failed:
        run_step(FILL, timeout_s=120)
    assert failed.value.exit_status == 137


BIG = "import os\nwith open('/tmp/big', 'wb') as file:\n    while True: file.write(os.urandom(1 << 20))\n"
UNNAMED = BIG.replace("    while", "    os.remove('/tmp/big')\n    while")


@pytest.mark.docker
@pytest.mark.parametrize("code", [BIG, UNNAMED])
def test_a_build_cannot_take_the_engine_s_disk(run_step, monkeypatch, code):
    monkeypatch.setattr(engine_build, "BUILD_LIMITS", Limits(memory_mib=512, disk_mib=256))
    started = time.monotonic()
    with pytest.raises(StepFailed, match="fills the disk"):
        run_step(code, timeout_s=120)
    assert time.monotonic() - started < 60


@pytest.mark.docker
def test_the_steps_of_a_build_count_together(run_step, monkeypatch):
    monkeypatch.setattr(engine_build, "BUILD_LIMITS", Limits(memory_mib=512, disk_mib=256))
    part = "import os, time\nopen('/tmp/big%d', 'wb').write(os.urandom(100 << 20)); time.sleep(2.5)\n"
    with pytest.raises(StepFailed, match="fills the disk"):
        run_step(*(part % number for number in range(4)), timeout_s=120)


ASK = """
import socket
for address in ("169.254.169.254", "169.254.170.2", "100.100.100.200"):
    with socket.socket() as asking:
        asking.settimeout(3)
        print("seen", address, asking.connect_ex((address, 80)), flush=True)
"""


@pytest.mark.docker
def test_a_build_does_not_reach_a_cloud_s_metadata(run_step):
    with closed_network(run_step.client, run_step.image, run_step.python, timeout_s=60) as network:
        said = "".join(
            str(event.get("stream")) for event in run_step(ASK, timeout_s=60, network_mode=network)
        )
        container = network.partition(":")[2]
        assert run_step.client.containers.get(container).status == "running"
    assert said.count(" 113") == 3, said
    assert container not in {one.id for one in run_step.client.containers.list(all=True, ignore_removed=True)}


@pytest.mark.docker
def test_where_the_network_cannot_be_closed_there_is_none(run_step):
    with closed_network(run_step.client, run_step.image, "/no/such/python", timeout_s=60) as network:
        assert network is None

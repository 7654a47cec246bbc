"""Limits on a build in the engine."""

import json
import time
import uuid

import pytest

from sandbox.base import Limits
from sandbox.environment import engine_build
from sandbox.environment.dockerfile import context
from sandbox.environment.engine_build import StepFailed, build

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

    def run(code, **options):
        words = json.dumps(["python3", "-c", f"{code}# {uuid.uuid4().hex}"])
        archive = context(text.format(spec.image, words), {}, None)
        return list(build(provider.client, archive, **options))

    run.client = provider.client
    return run


@pytest.mark.docker
def test_a_build_that_goes_on_talking_is_ended(run_step):
    started = time.monotonic()
    with pytest.raises(StepFailed, match="did not end within 3 s") as failed:
        run_step(TALK, timeout_s=3)
    assert failed.value.exit_status is None
    assert time.monotonic() - started < 30
    deadline = time.monotonic() + 20
    while talking := [c for c in run_step.client.containers.list() if TALK in str(c.attrs["Config"]["Cmd"])]:
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

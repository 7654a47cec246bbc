"""The contract of ``sandbox.base``, over every provider; against attacks, the self-check has its promises."""

import dataclasses
import gc
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack

import pytest
from providers import PROVIDERS
from snapshots import snapshot

from sandbox.base import Limits
from sandbox.docker import DockerProvider
from sandbox.errors import SandboxError, SandboxLost, SandboxUnavailable


@pytest.fixture(scope="module", params=PROVIDERS)
def sandbox(request, make_provider):
    provider, spec = make_provider(request.param)
    limits = Limits(output_bytes=10_000, memory_mib=512, disk_mib=64)
    with provider.open(dataclasses.replace(spec, limits=limits)) as opened:
        yield opened


def test_a_command_returns_its_status_and_both_outputs(sandbox):
    result = sandbox.exec(["sh", "-c", "echo out; echo err >&2; exit 3"], timeout_s=10)
    assert (result.exit_status, result.stdout, result.stderr) == (3, b"out\n", b"err\n")
    assert not result.timed_out
    assert not result.truncated


def test_an_unknown_command_is_a_value_not_an_exception(sandbox):
    result = sandbox.exec(["no-such-program"], timeout_s=10)
    assert result.exit_status == 127
    assert b"no-such-program" in result.stderr


def test_too_much_output_is_cut_and_said_to_be(sandbox):
    result = sandbox.exec(["python3", "-c", "print('x' * 1_000_000)"], timeout_s=20)
    assert result.truncated
    assert result.stdout == b"x" * 10_000
    assert result.exit_status == 0


def test_locale_zone_and_hash_seed_are_fixed(sandbox):
    shown = sandbox.exec(["env"], timeout_s=10).stdout.decode().splitlines()
    assert {"LANG=C.UTF-8", "TZ=UTC", "PYTHONHASHSEED=0"} <= set(shown)


def test_changes_are_there_for_one_command_only(sandbox):
    first = sandbox.exec(["cat", "sub/new.txt"], timeout_s=10, changes={"sub/new.txt": b"hello"})
    second = sandbox.exec(["cat", "sub/new.txt"], timeout_s=10)
    assert first.stdout == b"hello"
    assert second.exit_status != 0


def test_changes_restore_what_was_there(sandbox):
    sandbox.unpack(snapshot({"kept.txt": b"old"}).archive())
    sandbox.exec(["true"], timeout_s=10, changes={"kept.txt": b"new"})
    assert sandbox.exec(["cat", "kept.txt"], timeout_s=10).stdout == b"old"


def test_the_sandbox_goes_on_after_an_order_that_failed(sandbox):
    with pytest.raises(SandboxError):
        sandbox.order({"op": "no-such-order"})
    assert sandbox.exec(["echo", "alive"], timeout_s=10).stdout == b"alive\n"


@pytest.mark.parametrize("name", PROVIDERS)
def test_an_interpreter_that_is_not_there_is_named(make_provider, name):
    provider, spec = make_provider(name)
    broken = dataclasses.replace(spec, python="/no/such/python")
    opening = provider.open(broken)
    with pytest.raises(SandboxError, match="no/such/python"):
        opening.__enter__()


@pytest.mark.slow
@pytest.mark.parametrize("name", PROVIDERS)
def test_it_outlives_the_thread_that_opened_it(make_provider, name):
    provider, spec = make_provider(name)
    with ExitStack() as resources:
        with ThreadPoolExecutor(1) as thread:
            sandbox = thread.submit(resources.enter_context, provider.open(spec)).result()
        assert sandbox.exec(["echo", "alive"], timeout_s=10).stdout == b"alive\n"


@pytest.mark.parametrize("name", PROVIDERS)
def test_nothing_is_left_when_the_context_ends(make_provider, name, tmp_path, monkeypatch):
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    provider, spec = make_provider(name)
    opening = provider.open(spec)
    sandbox = opening.__enter__()
    sandbox.exec(["sh", "-c", "sleep 1000 &"], timeout_s=10)
    error = ZeroDivisionError()
    assert not opening.__exit__(ZeroDivisionError, error, None)
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(SandboxLost):
        sandbox.exec(["true"], timeout_s=5)


def test_a_missing_engine_is_said_to_be_missing(monkeypatch):
    monkeypatch.setenv("DOCKER_HOST", "unix:///no/such/docker.sock")
    with pytest.raises(SandboxUnavailable, match="no Docker engine answers"):
        DockerProvider().check()
    gc.collect()  # a socket left open would be a warning now, and a warning is an error here


FILL = """
import os
held = [os.memfd_create("x") for _ in range(100)]
while True:
    for descriptor in held:
        os.write(descriptor, b"x" * (1 << 20))
"""


@pytest.mark.docker
def test_files_in_memory_that_fill_it_end_the_command_and_not_the_sandbox(make_provider):
    """They count for no process: the kernel would choose the supervisor, which is larger than the command."""
    provider, spec = make_provider("docker")
    with provider.open(dataclasses.replace(spec, limits=Limits(memory_mib=256, file_mib=64))) as sandbox:
        done = sandbox.exec([spec.python, "-c", FILL], timeout_s=30)
        assert done.exit_status != 0
        assert sandbox.exec([spec.python, "-c", "print(42)"], timeout_s=30).stdout == b"42\n"

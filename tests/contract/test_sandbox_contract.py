"""The contract of ``sandbox.base``, over every provider."""

import dataclasses
import gc
import io
import os
import tarfile
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack

import pytest
from providers import PROVIDERS

from sandbox.base import Limits
from sandbox.docker import DockerProvider
from sandbox.errors import SandboxError, SandboxLost, SandboxUnavailable


@pytest.fixture(scope="module", params=PROVIDERS)
def opened(request, make_provider):
    provider, spec = make_provider(request.param)
    spec = dataclasses.replace(spec, limits=Limits(output_bytes=10_000, memory_mib=512, disk_mib=64))
    with provider.open(spec) as sandbox:
        yield provider, sandbox


@pytest.fixture
def sandbox(opened):
    return opened[1]


def python(sandbox, code, **options):
    options.setdefault("timeout_s", 20)
    return sandbox.exec(["python3", "-c", code], **options)


def archive(*members):
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as tar:
        for info, data in members:
            info.size = len(data)
            tar.addfile(info, io.BytesIO(data))
    return buffer.getvalue()


def test_a_command_returns_its_status_and_both_outputs(sandbox):
    result = sandbox.exec(["sh", "-c", "echo out; echo err >&2; exit 3"], timeout_s=10)
    assert (result.exit_status, result.stdout, result.stderr) == (3, b"out\n", b"err\n")
    assert not result.timed_out
    assert not result.truncated


def test_an_unknown_command_is_a_value_not_an_exception(sandbox):
    result = sandbox.exec(["no-such-program"], timeout_s=10)
    assert result.exit_status == 127
    assert b"no-such-program" in result.stderr


SLEEPERS = """
import pathlib

lines = []
for path in pathlib.Path("/proc").glob("[0-9]*/cmdline"):
    try:
        lines.append(path.read_bytes())
    except OSError:  # the process has ended since
        continue
print([line for line in lines if line.startswith(b"sleep") and b"{marker}" in line])
"""


def sleepers(sandbox, marker):
    """The command lines inside that are ``sleep`` with this argument."""
    result = python(sandbox, SLEEPERS.format(marker=marker))
    assert result.exit_status == 0, result.stderr
    return result.stdout.strip()


def test_a_hanging_command_is_killed_with_all_its_descendants(sandbox):
    marker = f"9{os.getpid()}"
    result = sandbox.exec(["sh", "-c", f"(setsid sleep {marker} &) ; sleep {marker}"], timeout_s=0.5)
    assert result.timed_out
    assert result.exit_status is None
    assert sleepers(sandbox, marker) == b"[]"


def test_what_a_finished_command_left_behind_is_killed_too(sandbox):
    marker = f"8{os.getpid()}"
    sandbox.exec(["sh", "-c", f"setsid sleep {marker} & exit 0"], timeout_s=10)
    assert sleepers(sandbox, marker) == b"[]"


def test_standard_input_is_closed(sandbox):
    assert python(sandbox, "import sys; print(repr(sys.stdin.read()))").stdout.strip() == b"''"


def test_too_much_output_is_cut_and_said_to_be(sandbox):
    result = python(sandbox, "print('x' * 1_000_000)")
    assert result.truncated
    assert result.stdout == b"x" * 10_000
    assert result.exit_status == 0


def test_output_need_not_be_text(sandbox):
    result = python(sandbox, r"import sys; sys.stdout.buffer.write(b'\xff\x00\xfe')")
    assert result.stdout == b"\xff\x00\xfe"


def test_nothing_of_the_callers_environment_is_inside(opened, monkeypatch, make_provider):
    provider, _ = opened
    monkeypatch.setenv("GITHUB_TOKEN", "ghs_secret")
    monkeypatch.setenv("ACTIONS_RUNTIME_TOKEN", "runtime-secret")
    with provider.open(make_provider(provider.name)[1]) as fresh:
        shown = fresh.exec(["env"], timeout_s=10).stdout
        supervisor = fresh.exec(["sh", "-c", "cat /proc/$PPID/environ /proc/1/environ 2>&1"], timeout_s=10)
    assert b"secret" not in shown
    assert b"ghs_secret" not in supervisor.stdout


def test_locale_zone_and_hash_seed_are_fixed(sandbox):
    shown = sandbox.exec(["env"], timeout_s=10).stdout.decode().splitlines()
    assert {"LANG=C.UTF-8", "TZ=UTC", "PYTHONHASHSEED=0"} <= set(shown)


def test_changes_are_there_for_one_command_only(sandbox):
    first = sandbox.exec(["cat", "sub/new.txt"], timeout_s=10, changes={"sub/new.txt": b"hello"})
    second = sandbox.exec(["cat", "sub/new.txt"], timeout_s=10)
    assert first.stdout == b"hello"
    assert second.exit_status != 0


def test_changes_restore_what_was_there(sandbox):
    sandbox.unpack(archive((tarfile.TarInfo("kept.txt"), b"old")))
    sandbox.exec(["true"], timeout_s=10, changes={"kept.txt": b"new"})
    assert sandbox.exec(["cat", "kept.txt"], timeout_s=10).stdout == b"old"


@pytest.mark.parametrize("path", ["../escape", "/etc/escape", "a/../../escape"])
def test_changes_outside_the_workspace_are_refused(sandbox, path):
    with pytest.raises(SandboxError, match="leaves the workspace"):
        sandbox.exec(["true"], timeout_s=10, changes={path: b"x"})


@pytest.mark.parametrize("name", ["../escape", "/abs/escape", "a/../../escape"])
def test_an_archive_cannot_leave_the_workspace(sandbox, name):
    with pytest.raises(SandboxError, match="leaves the workspace"):
        sandbox.unpack(archive((tarfile.TarInfo(name), b"x")))


@pytest.mark.parametrize("kind", [tarfile.CHRTYPE, tarfile.BLKTYPE, tarfile.FIFOTYPE, tarfile.LNKTYPE])
def test_an_archive_cannot_bring_devices_or_hard_links(sandbox, kind):
    info = tarfile.TarInfo("odd")
    info.type, info.linkname = kind, "/etc/passwd"
    with pytest.raises(SandboxError, match="not a plain file"):
        sandbox.unpack(archive((info, b"")))


def test_a_file_behind_a_planted_link_is_not_written_through(sandbox):
    link = tarfile.TarInfo("link")
    link.type, link.linkname = tarfile.SYMTYPE, "/tmp/regreen-target"
    sandbox.unpack(archive((link, b"")))
    sandbox.exec(["true"], timeout_s=10, changes={"link": b"through"})
    assert sandbox.exec(["cat", "/tmp/regreen-target"], timeout_s=10).stdout != b"through"


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

"""The self-check over every provider, and over a sandbox that keeps no promise: there, it has to fail."""

import dataclasses
import os
import socket
import subprocess
import sys
from pathlib import Path

import packaging
import pytest
from every_case import every_case
from fakes.open_sandbox import OpenProvider
from fakes.scripted_sandbox import ScriptedSandbox
from providers import ISOLATED, PROVIDERS

from sandbox.base import SandboxSpec
from sandbox.environment import own_network
from sandbox.selfcheck.builds import BUILD_CHECKS, builds_of
from sandbox.selfcheck.model import CheckVerdict
from sandbox.selfcheck.run import CHECKS, KNOWN_GAPS, MODEST_LIMITS, SelfCheck, gap_of, run_checks

ROOT = Path(__file__).parents[2]
by_name = pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.name)

# These need something that not every machine has, before even an open sandbox can be seen to fail them.
NEEDS_ROOT = {"not-root", "kernel-files", "devices", "device-nodes"}
NEEDS_NETWORK = {"network-tcp", "network-udp", "network-metadata", "network-dns"}
NEEDS_HYPERVISOR = {"network-vsock"}
NEEDS_NO_FILTER = {"system-calls"}
# Gaps of ``process`` that exist for some callers only: root, or one whose machine offers no such way.
SOMETIMES_HELD = {
    *NEEDS_ROOT,
    *NEEDS_NETWORK,
    *NEEDS_HYPERVISOR,
    *("engine-socket", "clock-and-locale", "supervisor-memory", "supervisor-descriptors", "namespaces"),
    "processor-time",  # on a machine that others keep busy
    "system-calls",  # in a container, whose filter holds for all that it starts
}


# Others may keep the machine so busy that what is to break a promise gets no time for it.
ASKED_AGAIN = {"processor-time": 5}


@pytest.fixture(scope="module", params=PROVIDERS)
def provided(request, make_provider):
    """A provider's name, and a self-check that keeps its sandbox open for the next check."""
    provider, spec = make_provider(request.param)
    with SelfCheck(provider, dataclasses.replace(spec, limits=MODEST_LIMITS)) as selfcheck:
        yield provider.name, selfcheck


@by_name
def test_promises(provided, check):
    provider, selfcheck = provided
    result = selfcheck.run(check)
    if gap_of(provider, check.name):
        assert result.verdict is CheckVerdict.GAP
        assert result.gap
        assert not result.held or check.name in SOMETIMES_HELD, "the known gap is closed: strike it off"
    else:
        assert result.verdict is CheckVerdict.PASSED, result.evidence


@pytest.fixture(scope="module", params=ISOLATED)
def build(request, make_provider):
    """The name of a provider's builds, and a self-check whose commands are their steps."""
    provider, spec = make_provider(request.param)
    builds = builds_of(provider)
    with SelfCheck(builds, dataclasses.replace(spec, limits=MODEST_LIMITS)) as selfcheck:
        yield builds.name, selfcheck


@pytest.mark.parametrize("name", BUILD_CHECKS)
def test_promises_of_a_build(build, name):
    builds, selfcheck = build
    (check,) = (check for check in CHECKS if check.name == name)
    result = selfcheck.run(check)
    expected = CheckVerdict.GAP if gap_of(builds, name) else CheckVerdict.PASSED
    assert result.verdict is expected, result.evidence


@pytest.mark.bubblewrap
def test_a_build_with_a_network_of_its_own_has_no_gap_but_the_machine_s_own_address(make_provider):
    make_provider("bubblewrap")
    if not own_network.available():
        pytest.skip("slirp4netns is not here")
    gaps = {name for name in BUILD_CHECKS if gap_of("bubblewrap build", name)}
    assert gaps <= {"network-host", "device-nodes"}


def test_a_sandbox_that_is_no_boundary_has_no_isolated_builds(make_provider):
    provider, _ = make_provider("process")
    assert builds_of(provider) is None


# Run by a Python of the system, since the tests' own may lie where this user cannot look.
ANOTHER_USER = 12345
SYSTEM_PYTHON = "/usr/bin/python3"
AS_ANOTHER_USER = """
import os, sys
from sandbox.base import SandboxSpec
from sandbox.bubblewrap import BubblewrapProvider
from sandbox.selfcheck.builds import BUILD_CHECKS, builds_of
from sandbox.selfcheck.model import CheckVerdict
from sandbox.selfcheck.run import MODEST_LIMITS, run_checks

assert os.getuid() != 0
spec = SandboxSpec(python=sys.executable, limits=MODEST_LIMITS)
results = run_checks(BubblewrapProvider(), spec)
results += run_checks(builds_of(BubblewrapProvider()), spec, names=BUILD_CHECKS)
print(len(results), [result.check for result in results if result.verdict is CheckVerdict.FAILED])
"""


@pytest.mark.slow
@pytest.mark.bubblewrap
def test_promises_to_a_user_who_is_not_root():
    if os.geteuid() != 0:
        pytest.skip("all of these tests run as such a user")
    packages = Path(packaging.__file__).parents[1]
    if not other_users_read(ROOT) or not other_users_read(packages):
        pytest.skip("other users cannot read this checkout")
    if subprocess.run([SYSTEM_PYTHON, "-c", "import enum; enum.StrEnum"], check=False).returncode != 0:
        pytest.skip("the system's Python is too old for Regreen")
    done = subprocess.run(
        [SYSTEM_PYTHON, "-B", "-c", AS_ANOTHER_USER],
        env={"HOME": "/", "PATH": os.defpath, "PYTHONPATH": f"{ROOT}:{packages}"},
        user=ANOTHER_USER,
        group=ANOTHER_USER,
        extra_groups=[],
        capture_output=True,
        text=True,
        check=False,
        cwd="/",
    )
    assert done.stdout == f"{len(CHECKS) + len(BUILD_CHECKS)} []\n", done.stderr


def other_users_read(path):
    return all(one.stat().st_mode & 0o5 == 0o5 for one in (path, *path.parents))


@pytest.fixture(scope="module")
def without_protection():
    spec = SandboxSpec(python=sys.executable, limits=MODEST_LIMITS)
    with SelfCheck(OpenProvider(), spec) as selfcheck:
        yield selfcheck


@pytest.mark.slow
@by_name
def test_a_sandbox_that_keeps_no_promise_fails(without_protection, check):
    if check.name in NEEDS_ROOT and os.geteuid() != 0:
        pytest.skip("only root can break this promise without a sandbox")
    if check.name in NEEDS_NETWORK and not network():
        pytest.skip("this machine has no network to reach")
    if check.name in NEEDS_HYPERVISOR and not Path("/dev/vsock").exists():
        pytest.skip("this machine has no hypervisor to reach")
    if check.name in NEEDS_NO_FILTER and "Seccomp:\t0" not in Path("/proc/self/status").read_text():
        pytest.skip("these tests run in a container, whose filter holds already")
    results = (without_protection.run(check) for _ in range(ASKED_AGAIN.get(check.name, 1)))
    result = next((one for one in results if one.verdict is CheckVerdict.FAILED), None)
    assert result is not None, "the check has not seen that the promise is broken"
    assert result.evidence


def network() -> bool:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return False
    return True


# What a report is worth ---------------------------------------------------------------------------


@every_case("check", CHECKS)
@every_case(
    ("stdout", "status"),
    [
        (b'{"tried": ["all"], "breaches": ["got out"]}', 0),
        (b'{"tried": [], "breaches": []}', 0),
        (b'{"tried": ["all"], "breaches": []}', 1),  # it failed after its report
        (b"", 1),
        (b"[]", 0),
    ],
)
def test_only_a_complete_report_without_a_breach_passes(check, stdout, status):
    spec = SandboxSpec(python=sys.executable, limits=MODEST_LIMITS)
    with SelfCheck(ScriptedSandbox(stdout, status), spec) as selfcheck:
        result = selfcheck.run(check)
    assert result.verdict is CheckVerdict.FAILED


def test_every_gap_names_a_check_and_every_check_is_named_once():
    names = [check.name for check in CHECKS]
    assert len(set(names)) == len(names)
    for gaps in KNOWN_GAPS.values():
        assert set(gaps) <= set(names)


def test_docker_has_no_gap_and_bubblewrap_none_where_groups_and_mounts_can_be_made():
    assert KNOWN_GAPS["docker"] == {}
    wheres = [gap.where for gap in KNOWN_GAPS["bubblewrap"].values()]
    assert all("control group" in where or "right to mount" in where for where in wheres)


def test_chosen_checks_alone_are_run_and_shown_and_one_that_does_not_exist_is_refused(make_provider):
    provider, spec = make_provider("process")
    said = []
    results = run_checks(provider, spec, names={"output-bytes", "timeout"}, notify=said.append)
    assert said == results
    assert {result.check for result in results} == {"output-bytes", "timeout"}
    with pytest.raises(ValueError, match="no such check: magic"):
        run_checks(provider, spec, names={"magic"})

"""The network of a build's own: when it is made, what stands for the machine's, how it fails."""

import subprocess
import sys
import threading
import time

import pytest
from case_rows import values
from every_case import every_case

from sandbox.bubblewrap import isolation, system_mounts
from sandbox.environment import own_network
from sandbox.environment.watched import confined, watch
from sandbox.errors import SandboxUnavailable

LOOK = """
import socket
print(open("/etc/resolv.conf").read().split()[1], [name for _, name in socket.if_nameindex()])
"""


@pytest.fixture
def connected(make_provider):
    make_provider("bubblewrap")
    own_network.available.cache_clear()
    if not own_network.available():
        pytest.skip("slirp4netns is not here")
    yield
    own_network.available.cache_clear()


def step(script, *, shared=False):
    network = own_network.own_network(shared=shared)
    with confined(sys.executable, readable={}, writable={}, variables={}, network=network) as around:
        return watch(
            [*around.words, sys.executable, "-I", "-S", "-c", script],
            environment={},
            timeout_s=30,
            descriptors=around.descriptors,
            connected=around.connected,
        )


@every_case(
    ("value", "named"),
    [
        *values("environment/loopback.txt"),
        ("", False),
    ],
)
def test_a_variable_that_names_the_loopback_is_seen(value, named):
    assert own_network.names_loopback([value]) is named


@pytest.mark.bubblewrap
def test_a_step_has_a_network_and_a_name_server_of_its_own(connected):
    done = step(LOOK)
    assert (done.exit_status, done.said) == (0, "10.0.2.3 ['lo', 'tap0']\n")


@pytest.mark.bubblewrap
def test_a_step_whose_variables_name_the_loopback_shares_the_machine_s(connected):
    done = step("import os; print(os.readlink('/proc/self/ns/net'))", shared=True)
    assert done.exit_status == 0
    assert done.said.strip() == own_namespace()


@pytest.mark.bubblewrap
def test_without_the_program_a_step_shares_the_machine_s(make_provider, monkeypatch):
    make_provider("bubblewrap")
    monkeypatch.setattr(own_network, "PROGRAM", "no-such-program")
    own_network.available.cache_clear()
    try:
        assert not own_network.available()
        done = step("import os; print(os.readlink('/proc/self/ns/net'))")
    finally:
        own_network.available.cache_clear()
    assert (done.exit_status, done.said.strip()) == (0, own_namespace())


def own_namespace():
    return subprocess.run(
        ["/usr/bin/readlink", "/proc/self/ns/net"], capture_output=True, text=True, check=True
    ).stdout.strip()


@pytest.mark.bubblewrap
def test_a_program_that_does_not_connect_fails_the_step_before_it_runs(connected, monkeypatch, tmp_path):
    monkeypatch.setattr(own_network, "PROGRAM", "/bin/false")
    with pytest.raises(SandboxUnavailable, match="does not connect"):
        step("raise SystemExit('it ran')")


@pytest.mark.bubblewrap
def test_a_bwrap_that_fails_is_not_waited_for(connected):
    with own_network.own_network() as network:
        argv = [*isolation(network=True), *system_mounts(), *network.words, "--bind", "/no/such", "/x"]
        done = watch(
            [*argv, "--", "/bin/true"],
            environment={},
            timeout_s=20,
            descriptors=network.descriptors,
            connected=network.connected,
        )
    assert done.exit_status != 0
    assert "/no/such" in done.said


@pytest.mark.bubblewrap
def test_nothing_of_it_is_left(connected):
    before = running()
    assert step("pass").exit_status == 0
    assert running() == before


def running():
    listed = subprocess.run(["/bin/ps", "-eo", "comm"], capture_output=True, text=True, check=True).stdout
    return listed.split().count("slirp4netns")


def test_the_loopback_of_bwrap_is_waited_for(tmp_path):
    """Where slirp4netns brings it up first, bwrap fails."""
    routes = tmp_path / "fib_trie"
    routes.write_bytes(b"Main:\n")
    threading.Timer(0.2, routes.write_bytes, [b"Local:\n 127.0.0.1\n"]).start()
    started = time.monotonic()
    own_network._wait_for_loopback(str(routes), started + 10)
    assert time.monotonic() - started > 0.1
    routes.write_bytes(b"Main:\n")
    with pytest.raises(SandboxUnavailable):
        own_network._wait_for_loopback(str(routes), time.monotonic())

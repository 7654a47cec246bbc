"""What is done to a process before its system calls are filtered."""

import subprocess
import sys
from pathlib import Path

import pytest
from every_case import every_case

import sandbox.confine

KEYCTL = sandbox.confine.MACHINES["x86_64"][1][1]
# The filter closes keyctl itself; here it allows all, so that one can look at what came before it.
LOOK = f"""
import ctypes, struct, sys
sys.path.insert(0, {str(sandbox.confine.__file__.rpartition("/sandbox/")[0])!r})
from sandbox import confine
confine._program = lambda *_: struct.pack("=HBBI", confine.RETURN, 0, 0, confine.ALLOW)
session = lambda: ctypes.CDLL(None).syscall({KEYCTL}, 0, -3, 0)
session() >= 0 or ctypes.CDLL(None).syscall({KEYCTL}, 1, None)
before = session()
assert confine.confine()
print(before, session())
"""


def test_the_callers_session_keyring_is_left_behind():
    machine = subprocess.run(["uname", "-m"], capture_output=True, check=True, text=True).stdout.strip()
    if machine != "x86_64" or "Seccomp:\t0" not in Path("/proc/self/status").read_text("utf-8"):
        pytest.skip("keyctl has another number, or is closed to these tests")
    done = subprocess.run([sys.executable, "-c", LOOK], capture_output=True, check=True, text=True)
    before, after = map(int, done.stdout.split())
    assert before > 0
    assert after > 0
    assert before != after


def test_a_step_of_a_build_becomes_the_program_that_it_is_given():
    words = [sys.executable, sandbox.confine.__file__, "/bin/sh", "-c", "grep Seccomp: /proc/self/status"]
    done = subprocess.run(words, capture_output=True, check=True, text=True)
    assert done.stdout.split() == ["Seccomp:", "2"]


def test_a_step_that_is_no_program_fails():
    words = [sys.executable, sandbox.confine.__file__, "/nonexistent/program"]
    assert subprocess.run(words, capture_output=True, check=False).returncode != 0


@every_case("machine", sandbox.confine.MACHINES)
def test_each_machine_has_a_number_for_each_name_and_jumps_that_fit(machine):
    code, numbers, refused = sandbox.confine.MACHINES[machine]
    assert len(numbers) == len(sandbox.confine.NAMES)
    assert not set(numbers) & (set(refused) | set(sandbox.confine.COMMON)) - {numbers[1]}
    program = sandbox.confine._program(code, dict(zip(sandbox.confine.NAMES, numbers, strict=True)), refused)
    assert len(program) % 8 == 0


OPEN = """
import socket
for protocol in (0, 4, 15, 16):
    try:
        socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, protocol).close()
        print(protocol, "open")
    except OSError as error:
        print(protocol, error.errno)
socket.if_nameindex()
socket.getaddrinfo("localhost", 80)
"""


def test_of_netlink_the_routes_alone_are_open():
    """A container of an engine hears by it of the devices that are plugged into the host."""
    words = [sys.executable, sandbox.confine.__file__, sys.executable, "-c", OPEN]
    done = subprocess.run(words, capture_output=True, check=True, text=True)
    assert done.stdout.split("\n") == ["0 open", "4 93", "15 93", "16 93", ""]

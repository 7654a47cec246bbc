"""What a sandbox's namespaces are given: limits on what the kernel counts for each user, and addresses."""

import ctypes
import os
import threading

import pytest
from providers import ISOLATED

TAKE = """
import ctypes, time
libc, count = ctypes.CDLL(None), 0
while count < 1000 and libc.inotify_init() >= 0:
    count += 1
print(count, flush=True)
time.sleep(3)
"""


@pytest.mark.parametrize("name", ISOLATED)
def test_the_caller_keeps_inotify_while_a_sandbox_takes_all_it_can(make_provider, name):
    provider, spec = make_provider(name)
    with provider.open(spec) as sandbox:
        held = threading.Thread(target=lambda: sandbox.exec([spec.python, "-c", TAKE], timeout_s=20))
        held.start()
        held.join(2.0)
        assert held.is_alive(), "it holds what it has"
        mine = [ctypes.CDLL(None).inotify_init() for _ in range(20)]
        for descriptor in mine:
            if descriptor >= 0:
                os.close(descriptor)
        held.join()
        assert min(mine) >= 0


@pytest.mark.bubblewrap
def test_there_are_some_for_tests_that_watch_files(make_provider):
    provider, spec = make_provider("bubblewrap")
    with provider.open(spec) as sandbox:
        taken = int(sandbox.exec([spec.python, "-c", TAKE], timeout_s=20).stdout)
    assert 4 <= taken < 64


LOOK_UP = """
import socket
for family in (socket.AF_INET, socket.AF_INET6):
    print(socket.getaddrinfo("localhost", 80, family, socket.SOCK_STREAM, 0, socket.AI_ADDRCONFIG)[0][4][0])
receiving, sending = (socket.socket(socket.AF_INET, socket.SOCK_DGRAM) for _ in range(2))
receiving.bind(("", 0))
group = socket.inet_aton("224.0.0.251") + socket.inet_aton("0.0.0.0")
receiving.setsockopt(socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP, group)
sending.sendto(b"heard", ("224.0.0.251", receiving.getsockname()[1]))
print(receiving.recv(10).decode())
"""


@pytest.mark.bubblewrap
def test_addresses_are_found_as_on_a_machine_with_a_network(make_provider):
    provider, spec = make_provider("bubblewrap")
    with provider.open(spec) as sandbox:
        done = sandbox.exec([spec.python, "-c", LOOK_UP], timeout_s=20)
    assert done.stdout.decode().split() == ["127.0.0.1", "::1", "heard"], done.stderr

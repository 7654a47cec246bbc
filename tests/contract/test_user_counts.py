"""Code in a sandbox cannot use up what the kernel counts for each user: the caller goes on having its own."""

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

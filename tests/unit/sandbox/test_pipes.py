"""The host's end of a sandbox's pipes."""

import fcntl
import os
import resource
import time
from types import SimpleNamespace

import pytest

from sandbox.pipes import PipeTransport

HIGH = 1100  # more descriptors than ``select`` can look at


@pytest.fixture
def transport():
    """One whose descriptors have high numbers, as in a process that has many files open."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard != resource.RLIM_INFINITY and hard <= HIGH + 1:
        pytest.skip("so many files may not be open here")
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, HIGH + 10), hard))
    read_fd, write_fd = os.pipe()
    high_fd = fcntl.fcntl(read_fd, fcntl.F_DUPFD_CLOEXEC, HIGH)
    os.close(read_fd)
    with os.fdopen(high_fd, "rb", buffering=0) as output, os.fdopen(write_fd, "wb", buffering=0) as other:
        yield PipeTransport(SimpleNamespace(stdin=other, stdout=output)), other
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def test_it_receives_where_many_files_are_open(transport):
    receiving, other = transport
    other.write(b"abcdef")
    assert receiving.receive(4, deadline=time.monotonic() + 10) == b"abcd"
    with pytest.raises(TimeoutError):
        receiving.receive(4, deadline=time.monotonic() + 0.01)
    other.close()
    with pytest.raises(EOFError):
        receiving.receive(1, deadline=time.monotonic() + 10)

"""A zygote that says what it likes about the copy that it was to make of itself."""

import os
import socket
import subprocess
import sys

import pytest

from sandbox.runner import zygote
from sandbox.runner.zygote import Zygote, ZygoteLost


class Liar(Zygote):
    """Takes any order, and answers ``answer``."""

    def __init__(self, answer):
        self._socket, self._other = socket.socketpair()
        self._pid, self._answer = 0, answer

    def _send(self, order):
        assert order["op"] == "copy"

    def _message(self):
        return self._answer


@pytest.fixture
def child():
    process = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    yield process.pid
    process.communicate(b"\n")


@pytest.fixture
def fds():
    read_fd, write_fd = os.pipe()
    yield read_fd, write_fd, write_fd
    os.close(read_fd)
    os.close(write_fd)


def copied(answer, fds):
    parent = Liar(answer)
    with parent._socket, parent._other:
        return parent._copied("project_zygote", {}, fds)


def test_a_child_of_the_supervisor_is_believed(child, fds):
    assert copied({"pid": child}, fds) == child


@pytest.mark.parametrize("answer", [{"pid": 1}, {"pid": 0}, {"pid": -1}, {"pid": "x"}, {"pid": None}, {}])
def test_nonsense_is_not(answer, fds):
    with pytest.raises(ZygoteLost, match="no copy of itself"):
        copied(answer, fds)


def test_a_zygote_that_prints_without_end_is_still_said_to_be_at_work(fds, monkeypatch):
    """The host gives up a sandbox that shows no sign of life for a minute."""
    monkeypatch.setattr(zygote, "BEAT_S", 0.01)
    monkeypatch.setattr(zygote, "LOADING_S", 2.0)
    loading = Liar({"ready": True})
    loading.end_fd, loading.report_fd = loading._socket.fileno(), fds[0]
    loading.output_fd = os.open("/dev/zero", os.O_RDONLY)
    beats = []

    def beat():
        beats.append(1)
        loading._other.sendall(b"an answer")

    with loading._socket, loading._other:
        assert loading.receive(beat) == {"ready": True}
    os.close(loading.output_fd)
    assert beats == [1]


def test_neither_somebody_elses_process_nor_another_zygote_is_watched_or_killed(child, fds, monkeypatch):
    monkeypatch.setattr(zygote, "_LIVING", {child})
    for pid in (os.getppid(), child):
        with pytest.raises(ZygoteLost):
            copied({"pid": pid}, fds)

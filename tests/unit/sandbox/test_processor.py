"""Each sandbox has a processor of its own, as long as there are enough."""

import os
import subprocess
import sys

import pytest

from sandbox.testing import lease

HOLDER = """
from sandbox.testing import lease

with lease() as number:
    print(number, flush=True)
    input()
"""


@pytest.fixture(autouse=True)
def three_processors(monkeypatch):
    """Numbers that no real machine has, so that tests beside this one do not hold them."""
    base = 10_000 + 10 * (os.getpid() % 100_000)
    monkeypatch.setattr(os, "sched_getaffinity", lambda _pid: {base, base + 1, base + 2})
    return base


def test_no_two_have_the_same_and_it_comes_back(three_processors):
    first = three_processors
    with lease() as one, lease() as two, lease() as three, lease() as four:
        assert (one, two, three, four) == (first, first + 1, first + 2, None)
    with lease() as again:
        assert again == first


def test_where_there_is_one_processor_nobody_needs_to_ask(monkeypatch):
    monkeypatch.setattr(os, "sched_getaffinity", lambda _pid: {0})
    with lease() as number:
        assert number is None


def test_another_process_counts_and_its_end_too(three_processors):
    first = three_processors
    head = f"import os\nos.sched_getaffinity = lambda _: {{{first}, {first + 1}}}\n"
    command = [sys.executable, "-c", head + HOLDER]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout.readline() == f"{first}\n"
        with lease() as number:
            assert number == first + 1
        holder.kill()
        holder.wait()
        with lease() as number:
            assert number == first

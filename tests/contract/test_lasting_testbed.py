"""Code that ends its sandbox costs its own verdict: the candidates before and after have theirs."""

import pytest
from sections import sections
from testbeds import maker

from sandbox.base import Limits
from sandbox.errors import SandboxLost
from sandbox.lasting import MAX_LOST

SHOP = "def total():\n    return 2\n"
TESTS = "import shop\n\n\ndef test_total():\n    assert shop.total() == 1\n"
RIGHT = {"shop.py": b"def total():\n    return 1\n"}
IN_MEMORY, IN_FILES = sections("contract/lasting.txt")[0].parts.values()


@pytest.fixture(
    params=[pytest.param(name, marks=getattr(pytest.mark, name)) for name in ("bubblewrap", "docker")]
)
def make(request, make_provider):
    return maker(*make_provider(request.param))


@pytest.mark.parametrize("code", [IN_MEMORY, IN_FILES])
def test_a_candidate_that_fills_the_memory_costs_its_own_verdict_alone(make, code):
    limits = Limits(memory_mib=256, file_mib=64, disk_mib=128)
    with make(shop__py=SHOP, test_shop__py=TESTS, limits=limits).open() as bed:
        assert bed.run().failing
        for quick in (True, False):
            filled = bed.run(
                tests=["test_shop.py::test_total"], changes={"shop.py": code.encode()}, quick=quick
            )
            assert not filled.proves({"test_shop.py::test_total"})
            again = bed.run(tests=["test_shop.py::test_total"], changes=RIGHT, quick=quick)
            assert again.proves({"test_shop.py::test_total"})


class Lost:
    def run(self, **_arguments):
        raise SandboxLost("the sandbox is lost: it ended")


def test_a_project_that_ends_it_unchanged_is_no_candidates_fault(monkeypatch, make):
    with make(shop__py=SHOP, test_shop__py=TESTS).open() as bed:
        monkeypatch.setattr(bed, "_bed", Lost())
        with pytest.raises(SandboxLost):
            bed.run()
        assert bed.run().failing  # in another sandbox


def test_sandboxes_are_not_lost_for_ever(monkeypatch, make):
    with make(shop__py=SHOP, test_shop__py=TESTS).open() as bed:
        monkeypatch.setattr(type(bed), "_opened", lambda _self: Lost())
        for _ in range(MAX_LOST):
            assert "is lost" in bed.run(changes=RIGHT).problem
        with pytest.raises(SandboxLost):
            bed.run(changes=RIGHT)


def test_a_run_that_nobody_needs_any_more_ends_and_costs_the_sandbox_alone(make):
    waits = "import threading\n\n\ndef test_waits():\n    threading.Event().wait()\n"
    with make(shop__py=SHOP, test_shop__py=TESTS, test_waits__py=waits).open() as bed:
        with pytest.raises(SandboxLost, match="not needed any more"):
            bed.run(tests=["test_waits.py::test_waits"], needed=lambda: False)
        left = bed.run(tests=["test_waits.py::test_waits"], changes=RIGHT, needed=lambda: False)
        assert "not needed any more" in left.problem
        assert bed.run(tests=["test_shop.py::test_total"], changes=RIGHT, needed=lambda: True).proves(
            {"test_shop.py::test_total"}
        )

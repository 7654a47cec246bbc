"""The whole loop with the embedded engine, on small projects in memory."""

import pytest
from agent_support import FILES, PATH, SOURCE, TOTAL, failed_result, report
from every_case import every_case
from fakes.progress import FakeClock, FakeProgress
from fakes.testbed import FakeTestbed, FakeTestbeds
from langgraph.checkpoint.memory import InMemorySaver

from bot.agent.checkpoint import StateSerializer
from bot.engine import repair
from bot.patch.apply import apply
from bot.patch.policy.gate import Policy
from bot.request import Budget, RepairRequest, SearchOptions
from bot.result import Outcome
from sandbox.errors import SandboxLost

BASKET = {
    "basket/__init__.py": "",
    "basket/prices.py": (
        "RATE = 0.2\n\n\n"
        "def net(items):\n    total = 0\n    for _, price, count in items:\n        total += price * count\n"
        "    return total\n\n\n"
        "def delivery(total):\n    if total > 50:\n        return 0\n    return 5\n"
    ),
    "tests/test_prices.py": (
        "from basket.prices import delivery, net\n\n\n"
        "def test_net():\n    assert net([('a', 2, 3), ('b', 1, 1)]) == 7\n\n\n"
        "def test_small():\n    assert delivery(10) == 5\n\n\n"
        "def test_limit_is_free():\n    assert delivery(50) == 0\n\n\n"
        "def test_large():\n    assert delivery(80) == 0\n"
    ),
}
LAST = {
    "lists.py": (
        "def last(items):\n    return items[len(items)]\n\n\n"
        "def first(items):\n    return items[0]\n\n\n"
        "def is_sorted(items):\n    return all(a <= b for a, b in zip(items, items[1:]))\n"
    ),
    "test_lists.py": (
        "from lists import first, is_sorted, last\n\n\n"
        "def test_last():\n    assert last([1, 2, 3]) == 3\n\n\n"
        "def test_last_of_one():\n    assert last([7]) == 7\n\n\n"
        "def test_first():\n    assert first([4, 5]) == 4\n\n\n"
        "def test_sorted():\n    assert is_sorted([1, 2]) and not is_sorted([2, 1])\n"
    ),
}
HOPELESS = {
    "one.py": "def answer(x):\n    return x\n",
    "test_one.py": (
        "from one import answer\n\n\n"
        "def test_a():\n    assert answer(3) == 'three hundred and eleven'\n\n\n"
        "def test_b():\n    assert answer(4) == 'nothing of the kind'\n"
    ),
}


def run(files, *, testbeds=None, budget=None, clock=None, policy=None, progress=None, order=2):
    testbeds = testbeds or FakeTestbeds.of(files)
    result = repair(
        RepairRequest(
            strategy="search", budget=budget or Budget(attempts=500), search=SearchOptions(order=order)
        ),
        sources=files,
        testbeds=testbeds,
        progress=progress or FakeProgress(),
        clock=clock or FakeClock(step=0.01),
        policy=policy,
        checkpointer=InMemorySaver(serde=StateSerializer()),
    )
    assert testbeds.closed == len(testbeds.opened)
    return result


@every_case(("files", "path"), [(FILES, PATH), (BASKET, "basket/prices.py"), (LAST, "lists.py")])
def test_a_project_passes(files, path):
    result = run(files)
    assert (result.outcome, result.reason) == (Outcome.PATCHED, "verified")
    new = apply(result.patch, files)
    assert set(new) == {path}
    assert FakeTestbed({**files, **new}).run().exit_status == 0
    assert f"+++ b/{path}\n" in result.diff
    assert result.evidence.fail_to_pass == tuple(f.test for f in result.baseline.failing)
    assert set(result.evidence.pass_to_pass) == {r.test for r in result.baseline.passing}
    assert result.evidence.isolated
    assert result.explanation
    assert result.suspicions[0].path == path
    assert 0 < result.attempts <= 500


def test_the_stages_come_in_their_order():
    progress = FakeProgress()
    result = run(FILES, progress=progress)
    assert progress.names[:4] == ["sandbox", "reproduce", "localise", "search"]
    assert progress.names[-2:] == ["minimise", "validate"]
    assert [attempts for attempts, _ in progress.ticks] == sorted({a for a, _ in progress.ticks})
    assert progress.ticks[-1][0] <= result.attempts


def test_the_same_input_gives_the_same_answer():
    assert run(BASKET) == run(BASKET)


@pytest.mark.slow
def test_an_honest_no_patch_when_nothing_helps():
    result = run(HOPELESS, budget=Budget())
    assert result.outcome is Outcome.NO_PATCH
    assert result.reason == (
        f"none of {result.attempts} candidates makes the failing tests pass without breaking others"
    )
    assert (result.patch, result.diff, result.evidence) == (None, "", None)


@every_case(
    ("budget", "words"),
    [(Budget(attempts=3), "the limit of 3 attempts"), (Budget(seconds=2.0), "the time budget of 2 s")],
    ids=["attempts", "seconds"],
)
def test_a_spent_budget_says_which(budget, words):
    result = run(HOPELESS, budget=budget, clock=FakeClock(step=0.2))
    assert result.outcome is Outcome.BUDGET_EXHAUSTED
    assert result.reason.startswith(f"no verified patch: {words}")
    assert result.diff == ""


def test_what_was_found_before_the_budget_ended_is_delivered():
    enough = run(FILES)
    progress = FakeProgress()
    first = next(n for n in range(1, 50) if run(FILES, budget=Budget(attempts=n)).patch)
    result = run(FILES, budget=Budget(attempts=first), progress=progress)
    assert (result.outcome, result.attempts) == (Outcome.PATCHED, first)
    assert first <= enough.attempts


def test_nothing_fails():
    testbeds = FakeTestbeds.of({**FILES, PATH: SOURCE.replace("a - b", "a + b")})
    result = run(FILES, testbeds=testbeds)
    assert (result.outcome, result.attempts) == (Outcome.NOT_REPRODUCED, 0)
    assert len(testbeds.opened) == 1


def test_a_flaky_failure_is_not_repaired():
    def flaky(number, asked, seen):
        all_pass = FakeTestbed({**FILES, PATH: SOURCE.replace("a - b", "a + b")})
        return all_pass.run(tests=asked.tests) if number == 2 else seen

    result = run(FILES, testbeds=FakeTestbeds(lambda _n: FakeTestbed(FILES, fault=flaky)))
    assert result.outcome is Outcome.FLAKY
    assert result.baseline.flaky == ((TOTAL, 1),)


def test_no_suspicious_line():
    result = run(FILES, policy=Policy(protected=("**",)))
    assert result.outcome is Outcome.NO_PATCH
    assert result.reason.startswith("no source line could be tied to the failing tests: test_shop.py::")


def test_a_patch_that_does_not_hold_gives_way_to_a_alternative():
    def make(number):
        # the second is the rehearsal's; the first that proves a patch is the third, and contradicts
        if number != 3:
            return FakeTestbed(FILES)
        return FakeTestbed(FILES, fault=lambda _number, _run, _seen: report(failed_result(TOTAL)))

    plain, testbeds = run(FILES), FakeTestbeds(make)
    result = run(FILES, testbeds=testbeds)
    assert result.outcome is Outcome.PATCHED
    assert result.patch != plain.patch
    assert len(testbeds.opened) == 4
    assert testbeds.opened[-1].runs


def test_when_no_patch_holds_the_search_ends_with_the_reason():
    def make(number):
        if number <= 2:
            return FakeTestbed(FILES)
        return FakeTestbed(FILES, fault=lambda _number, _run, _seen: report(failed_result(TOTAL)))

    result = run(FILES, testbeds=FakeTestbeds(make), budget=Budget(), order=1)
    assert result.outcome is Outcome.NO_PATCH
    assert result.reason == (
        "the patches found did not hold: in a fresh sandbox the failing tests did not pass (run 1 of 3)"
    )
    assert (result.patch, result.diff, result.evidence) == (None, "", None)


def test_a_lost_sandbox_ends_the_run_and_closes_what_is_open():
    def lost(number, _run):
        if number == 6:
            raise SandboxLost("it died")

    testbeds = FakeTestbeds(lambda _n: FakeTestbed(FILES, before_run=lost))
    with pytest.raises(SandboxLost, match="it died"):
        repair(
            RepairRequest(strategy="search"),
            sources=FILES,
            testbeds=testbeds,
            progress=FakeProgress(),
            clock=FakeClock(),
            checkpointer=InMemorySaver(serde=StateSerializer()),
        )
    assert testbeds.closed == len(testbeds.opened) == 2


def test_the_closest_attempt_is_kept_when_nothing_repairs_all():
    files = {
        PATH: SOURCE,
        "test_a.py": "from shop import total\n\ndef test_a():\n    assert total(2, 2) == 4\n",
        "test_b.py": (
            "from shop import total\n\ndef test_b():\n    for _ in range(9):\n        pass\n"
            "    assert total(1, 1) == 'never so'\n"
        ),
    }
    result = run(files, budget=Budget(), order=1)
    assert result.outcome is Outcome.NO_PATCH
    assert result.best_partial.fixed == ("test_a.py::test_a",)


def test_an_unknown_strategy_is_refused():
    with pytest.raises(KeyError, match="guess"):
        repair(
            RepairRequest(strategy="guess"),
            sources=FILES,
            testbeds=FakeTestbeds.of(FILES),
            progress=FakeProgress(),
            clock=FakeClock(),
            checkpointer=InMemorySaver(serde=StateSerializer()),
        )

"""The contract of ``ports.Testbed.probe``: versions of functions on the tests' inputs, in every provider."""

import pytest
from sections import sections
from test_testbed_contract import make  # noqa: F401 - make is a fixture

from sandbox.probes import Ending, Kept, ProbeExample, ProbeRequest, ProbeTarget
from sandbox.reports import TestStatus

SHOP, TESTS = sections("contract/probe.txt")[0].parts.values()
FIXED = (
    SHOP.replace("sum(self.prices) - sum(extra)", "sum(self.prices) + sum(extra)")
    .replace("place - 1", "place")
    .replace("per_day - RATE", "per_day + RATE")
)
LEDGER, LEDGER_TESTS = sections("contract/probe.txt")[1].parts.values()
NAMES = ("Cart.total", "Cart.drop", "fee", "steps")


def request(
    versions,
    *,
    path="shop.py",
    names=NAMES,
    tests=("test_fee",),
    file="test_shop.py",
    seconds=60,  # on a busy machine, too, each version comes to its end
    **more,
):
    return ProbeRequest(
        targets=tuple(ProbeTarget(path=path, name=name) for name in names),
        versions=tuple({path: text} for text in versions),
        tests=tuple(f"{file}::{name}" if file else name for name in tests),
        seconds=seconds,
        **more,
    )


def answers(report, version):
    """What ``version`` answers, by call."""
    outcomes = report.versions[version].outcomes
    return {entry.text: outcome for entry, outcome in zip(report.inputs, outcomes, strict=True)}


@pytest.mark.slow
def test_functions_methods_and_generators_are_called_with_the_tests_inputs(make):  # noqa: F811
    changed = (
        FIXED.replace("+ sum(extra)", "+ len(extra)"),  # within a method
        FIXED.replace("RATE = 2", "RATE = 5"),  # outside of functions
        FIXED.replace("per_day=3", "per_day=4"),  # a default
        FIXED.replace("range(limit)", "range(1, limit + 1)"),
        "def broken(:\n",
        SHOP,
    )
    examples = (
        ProbeExample(target=2, session=">>> fee(4)\n14\n"),
        ProbeExample(target=2, expression="fee(1)", expected="5"),
        ProbeExample(target=2, expression="fee(1)", expected="no such thing"),
    )
    asked = request(
        (FIXED, *changed), tests=("test_total", "test_drop", "test_fee", "test_steps"), examples=examples
    )
    with make(shop__py=SHOP, test_shop__py=TESTS).open() as bed:
        report = bed.probe(asked)
        again = bed.probe(asked)
        assert bed.run(tests=["test_shop.py::test_steps"]).passing
    assert not report.problem
    recorded = [entry.text for place, entry in enumerate(report.inputs) if entry.parent == place]
    cart = "Cart.total(Cart(prices=[3, 4]), 1, less=-2)"
    assert recorded == [
        cart,
        "Cart.drop(Cart(prices=[7, 8, 9]), 0)",
        "fee(2, 3)",
        "fee(3, 1)",
        "steps(3)",
    ]
    base, *others, original = (answers(report, number) for number in (0, 1, 2, 3, 4, 6))
    assert [base[call].text for call in recorded[2:]] == ["8", "5", "[0, 1, 2]"]
    assert original["fee(2, 3)"].text == "4"
    assert base[recorded[1]].text == "None; arguments become [Cart(prices=[8, 9]), 0]"
    assert others[0][cart].text == original[cart].text.replace("8", "10") == "10"
    assert others[1]["fee(2, 3)"].text == "11"
    assert others[3]["steps(3)"].text == "[1, 2, 3]"
    assert report.versions[5].outcomes == ()
    assert "compile" in report.versions[5].problem
    varied = [entry for place, entry in enumerate(report.inputs) if entry.parent != place]
    assert {"fee(1, 3)", "steps(4)"} <= {entry.text for entry in varied if entry.near}
    assert {"fee(-2, 3)", "steps(-3)"} <= {entry.text for entry in varied if not entry.near}
    kept = [version.examples for version in report.versions]
    assert kept[0] == (Kept.KEPT, Kept.KEPT, Kept.UNKNOWN)
    assert kept[3] == (Kept.VIOLATED, Kept.VIOLATED, Kept.UNKNOWN)
    assert (again.inputs, again.versions) == (report.inputs, report.versions)


@pytest.mark.slow
def test_what_cannot_be_copied_is_tried_during_the_call(make):  # noqa: F811
    """An object with a lock, and a function that sees what the one around it has."""
    changed = (
        LEDGER.replace("days * 2", "days + 3"),
        LEDGER.replace("step * number", "step + number + 3"),
        LEDGER.replace("seen = []", "seen = [0]"),
        LEDGER.replace("def fee(self, days)", "def fee(self, days, no)"),
    )
    asked = request(
        (LEDGER, *changed),
        path="ledger.py",
        names=("Ledger.fee", "counter.count"),
        tests=("test_fee", "test_count"),
        file="test_ledger.py",
    )
    with make(ledger__py=LEDGER, test_ledger__py=LEDGER_TESTS).open() as bed:
        report = bed.probe(asked)
        again = bed.probe(asked)
    assert not report.problem
    recorded = [entry.text for place, entry in enumerate(report.inputs) if entry.parent == place]
    fee, count = (
        "Ledger.fee(Ledger(lock=<lock <unlocked _thread.lock object>>, total=4), 3)",
        "counter.count(5)",
    )
    assert recorded == [fee, count]
    base, other_fee, other_count, around, broken = (answers(report, number) for number in range(5))
    assert [base[call].text for call in recorded] == ["10", "10"]
    assert [other_fee[fee.replace("3)", f"{days})")].text for days in (3, 4)] == ["10", "11"]
    assert other_fee[count].text == "10"
    assert [other_count[f"counter.count({number})"].text for number in (5, 6)] == ["10", "11"]
    # What is changed around the function was not, when the test called it.
    assert (around[fee].text, around[count]) == ("10", None)
    assert broken[fee].text == "raises TypeError"
    assert (again.inputs, again.versions) == (report.inputs, report.versions)


HOSTILE = """\
    import os, sys, signal, time
    if amount != 5:
        ACTION
    return 10
"""
ACTIONS = {
    "prints": "print('{\"t\": \"version\"}\\n' * 500, flush=True); return 'a' * 10 ** 6",
    "leaves": "os._exit(0)",
    "loops": "while True: pass",
    "swallows": "while True:\n            try: time.sleep(9)\n            except BaseException: pass",
    "deaf": "signal.signal(signal.SIGALRM, signal.SIG_IGN); time.sleep(60)",
    "kills": "os.kill(os.getppid(), 9)",
    "forks": "os.fork() or time.sleep(60); return 10",
    "raises": "raise SystemExit(0)",
    "lies": "return type('Ten', (int,), {'__repr__': lambda self: '10'})(11)",
    "explodes": "return type('Bad', (), {'__repr__': lambda self: 1 / 0})()",
    "writes": '[os.write(fd, b\'end\\n["problem", 0, "x"]\\n\') for fd in (1, 2)]; return 10',
}
PAY = "def pay(amount):\n"
PAY_TESTS = (
    "from pay import pay\n\n\ndef test_pay():\n    assert pay(5) == 10\n\n\ndef test_type():\n    pay(5)\n"
)


@pytest.mark.slow
def test_a_hostile_version_misleads_about_itself_at_most(make):  # noqa: F811
    honest = f"{PAY}    return amount * 2\n"
    names = [name for name in ACTIONS if name != "kills"]
    hostile = [PAY + HOSTILE.replace("ACTION", ACTIONS[name]) for name in names]
    with make(pay__py=PAY + "    return 3\n", test_pay__py=PAY_TESTS).open() as bed:
        ask = {"path": "pay.py", "names": ("pay",), "tests": ("test_pay",), "file": "test_pay.py"}
        ask["seconds"] = 10
        report = bed.probe(request((honest, *hostile, honest), **ask))
        killer = PAY + HOSTILE.replace("ACTION", ACTIONS["kills"])
        killed = bed.probe(request((honest, killer, honest), **ask))
        # The base version can be hostile, too.
        for name in ("leaves", "kills"):
            text = PAY + "    import os, signal, time\n    " + ACTIONS[name] + "\n    return 10\n"
            base = bed.probe(request((text, honest), **ask, timeouts_s={"test_pay.py::test_pay": 0.5}))
            assert len(base.versions) in (0, 2)
        verdicts = {result.test: result.status for result in bed.run().results}
    assert verdicts == {
        "test_pay.py::test_pay": TestStatus.FAILED,
        "test_pay.py::test_type": TestStatus.PASSED,
    }
    by_name = {name: answers(report, number) for number, name in enumerate(names, start=1)}
    good = answers(report, 0)
    assert answers(report, len(names) + 1) == good
    assert good["pay(5)"].text == "10"
    for name in set(names) - {"swallows", "deaf"}:
        assert by_name[name]["pay(5)"].text == "10", name
    assert by_name["prints"]["pay(6)"].text == "'" + "a" * 158 + "\u2026"
    assert by_name["leaves"]["pay(6)"].text == "ends the process"
    assert by_name["raises"]["pay(6)"].text == "raises SystemExit"
    assert {by_name[name]["pay(6)"].ending for name in ("loops", "swallows", "deaf")} == {Ending.TIMEOUT}
    # A number that prints as another is not that number.
    assert by_name["lies"]["pay(6)"].digest != good["pay(5)"].digest
    assert by_name["lies"]["pay(6)"].kind == "Ten"
    assert by_name["explodes"]["pay(6)"].text
    assert report.seconds < 20
    assert killed.problem or killed.versions


@pytest.mark.slow
def test_a_program_is_looked_into_and_a_command_is_not(make):  # noqa: F811
    program = "from shop import fee\n\nassert fee(2) == 8\n"
    with make("python check.py", shop__py=SHOP, check__py=program).open() as bed:
        report = bed.probe(request((FIXED, SHOP), names=("fee",), tests=("python check.py",), file=""))
    assert [answers(report, number)["fee(2, 3)"].text for number in (0, 1)] == ["8", "4"]
    with make("make test", shop__py=SHOP).open() as bed:
        report = bed.probe(request((FIXED, SHOP), tests=("make test",), file=""))
    assert report.problem
    assert not report.versions

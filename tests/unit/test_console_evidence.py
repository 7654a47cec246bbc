"""What the evidence says in the terminal."""

from dataclasses import replace

from console_support import ANSI, failing, shown, terminal
from every_case import every_case

from bot.console import show_result
from bot.domain import Baseline, Patch, Usage
from bot.result import Basis, Choice, Difference, Evidence, Outcome, RepairResult

EVIDENCE = Evidence(
    fail_to_pass=("t.py::a", "t.py::b"),
    pass_to_pass=tuple(f"t.py::p{n}" for n in range(17)),
    repeats=3,
    sandbox="bubblewrap",
    isolated=True,
    seconds=1.0,
)


def patched(evidence=EVIDENCE, **more):
    values = {
        "outcome": Outcome.PATCHED,
        "reason": "verified",
        "baseline": Baseline(failing=failing("t.py::a", "t.py::b"), runs=4),
        "patch": Patch(edits=()),
        "diff": "d",
        "explanation": "turned < into <=",
        "evidence": evidence,
        "attempts": 123,
        "seconds": 4.56,
    }
    return RepairResult(**{**values, **more})


def row(text, name):
    (line,) = [line for line in text.splitlines() if name in line]
    return line.split("\u2502")[2].strip()


def test_the_evidence_holds_the_numbers():
    text = shown(patched())
    assert "t.py::a" in text
    assert "(each of 4 runs)" in text
    assert row(text, "pass now") == "all 2, each of 3 runs"
    assert row(text, "still pass") == "17 tests"
    assert row(text, "change") == "turned < into <="
    assert row(text, "candidates tried") == "123"
    assert row(text, "sandbox") == "bubblewrap; the proof ran in a fresh one"
    assert row(text, "time") == "4.6 s"
    assert "model" not in text
    assert "flaky" not in text


def test_the_evidence_says_what_a_person_has_to_read_first():
    text = shown(patched(warnings=tuple(f"m.py: new use of tarfile.a{n}" for n in range(30))))
    assert "read it first" in text
    assert "cannot confirm that this is harmless" in text
    assert "new use of tarfile.a0" in text
    assert "more" in text
    assert "read it first" not in shown(patched())


def test_the_evidence_tells_of_alternatives_flaky_tests_and_the_models_cost():
    flaky = Baseline(failing=failing("t.py::a"), flaky=(("t.py::f", 1),), runs=2)
    usage = Usage(calls=2, prompt_tokens=30, completion_tokens=4)
    text = shown(patched(baseline=flaky, alternatives=2, usage=usage))
    assert row(text, "candidates tried") == "123 (2 plausible alternatives, set aside)"
    assert row(text, "flaky, ignored") == "t.py::f"
    assert row(text, "model") == "2 calls, 30 + 4 tokens"
    assert (
        row(shown(patched(alternatives=1)), "candidates tried") == "123 (1 plausible alternative, set aside)"
    )


def choice(basis, **more):
    values = {"alternatives": 2, "behaviours": 2, "inputs": 9, "reason": "two more pass"}
    return Choice(**{**values, "basis": basis, **more})


def test_the_evidence_tells_what_the_choice_rests_on_and_where_alternatives_differ():
    difference = Difference(
        alternative="or [b]so\x1b[2J", call="f(1,\n2)", chosen="3", other="raises KeyError"
    )
    text = shown(
        patched(alternatives=2, choice=choice(Basis.LOOKS, share=0.5, differences=(difference,))), width=140
    )
    assert row(text, "the choice") == "two more pass"
    assert "f(1, 2): here 3, an alternative raises KeyError (or [b]so [2J)" in text
    assert "another patch may be the right one: please compare" in text
    assert "may be the right one" not in shown(patched(alternatives=2, choice=choice(Basis.EVIDENCE)))
    assert "the choice" not in shown(patched(choice=choice(Basis.ONLY, alternatives=0)))


@every_case(
    ("evidence", "words"),
    [
        ({"sandbox": "process", "isolated": False}, ["process (no security boundary)"]),
        (
            {"controls": ("t.py::a",), "uncontrolled": (("make test", "it is a command"),)},
            ["1 altered test failed as required", "none for make test: it is a command"],
        ),
        (
            {"covering": ("t.py::p1",), "left_out": ("t.py::d",)},
            ["17 tests, 1 of them known to run the changed lines", "1 were skipped because time was short"],
        ),
    ],
    ids=["no boundary", "no control test", "no time"],
)
def test_what_the_evidence_lacks_is_said(evidence, words):
    text = shown(patched(replace(EVIDENCE, **evidence)), width=140)
    assert all(word in text for word in words)


def test_long_lists_are_cut():
    many = Baseline(failing=failing(*(f"t.py::case_{n}" for n in range(9))), runs=1)
    text = shown(patched(baseline=many))
    assert "t.py::case_4" in text
    assert "t.py::case_5" not in text
    assert "and 4 more" in text


@every_case(
    "name",
    ["t.py::a[bold red]", "t.py::a[/]", "t.py::a[link=http://x]y[/link]", "t.py::a[:smile:]", "[/b]::x"],
)
def test_names_of_tests_are_no_markup(name):
    baseline = Baseline(failing=failing(name), flaky=((name, 1),), runs=2)
    result = patched(baseline=baseline, explanation=name)
    assert shown(result).count(name) == 3
    stream, console = terminal()
    show_result(console, result)
    assert ANSI.sub("", stream.getvalue()).count(name) == 3
    flaky = RepairResult(outcome=Outcome.FLAKY, reason=f"flaky: {name}")
    assert name in shown(flaky)


def test_a_patch_with_doubts_is_a_hint_and_one_without_is_verified():
    sure = shown(patched(), width=140)
    assert sure.startswith("Verified")
    assert row(sure, "confidence") == "high: nothing speaks against it"
    unsure = shown(patched(replace(EVIDENCE, doubts=("it [b]only\x1b removes code",))), width=140)
    assert unsure.startswith("A hint")
    assert row(unsure, "confidence") == "low, it may not be the right change:"
    assert "it [b]only" in unsure

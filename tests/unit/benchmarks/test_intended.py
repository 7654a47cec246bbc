"""Changes as a person intends them, and what a pull request brings with them."""

import ast

from every_case import every_case

from benchmarks.intended import pull_request
from benchmarks.intended.literals import DEFAULT, FORMAT, MESSAGE, ROUNDING, Change, changes
from benchmarks.intended.work import shown
from benchmarks.runs.runfile import Run

CODE = b'''\
def price(net, digits=2, sign=", "):
    """The price."""
    if net < 0:
        raise ValueError("net must be positive")
    return f"{net:.2f}" + ", " + str(round(net, 2))
'''


def made(seed="0"):
    return list(changes({"m.py": CODE}, frozenset({"m.py"}), seed=seed))


def test_each_kind_of_literal_is_changed_and_the_rest_stays():
    found = {(one.kind, one.old, one.new) for one in made()}
    assert {
        (DEFAULT, "2", "4"),
        (DEFAULT, ", ", "; "),
        (MESSAGE, "must", "has to"),
        (FORMAT, ", ", "; "),
        (ROUNDING, "2", "3"),
    } <= found
    for one in made():
        text = one.apply(CODE).decode()
        ast.parse(text)
        assert text[: one.start] + one.old + text[one.start + len(one.new) :] == CODE.decode()


def test_a_seed_decides_the_sequence():
    assert made() == made()
    assert made() != made("1")


CHANGE = Change(
    path="m.py", kind=DEFAULT, subject="digits of price", start=0, end=0, old="2", new="4", first=1, last=5
)


@every_case("variant", range(3))
def test_a_sentence_has_the_value_or_another_one(variant):
    assert "4" in pull_request.said(CHANGE, variant=variant)
    other = pull_request.said(CHANGE, new="41", variant=variant)
    assert "41" in other
    assert "4" not in other.replace("41", "")
    assert "4" not in pull_request.vague(CHANGE)


def test_a_line_of_a_changelog_stands_before_the_others():
    files = {"README.md": "- a\n", "CHANGES.rst": "Changes\n\n* Old.\n"}
    assert pull_request.with_changelog(files, "New") == ("CHANGES.rst", "Changes\n\n* New.\n* Old.\n")
    assert pull_request.with_changelog({"m.py": ""}, "New") is None


def test_a_docstring_gets_a_line_and_the_code_stays():
    text = pull_request.with_docstring(CODE.decode(), CHANGE, "It is 4 now")
    (function,) = ast.parse(text).body
    assert ast.get_docstring(function) == "The price.\n\nIt is 4 now."
    assert pull_request.with_docstring("def f(digits=2): pass\n", CHANGE, "It is 4 now") is None


TESTS = "@mark\ndef test_a():\n    assert f() == 'must a'\n\n\ndef test_b():\n    assert f() == 'must b'\n"
WORDS = Change(
    path="m.py", kind=MESSAGE, subject="f", start=0, end=0, old="must", new="has to", first=1, last=5
)


def test_one_test_is_adapted_or_copied_and_no_other():
    new = pull_request.exchanged(TESTS, "t.py::test_b", WORDS)
    assert new == TESTS.replace("must b", "has to b")
    assert pull_request.exchanged(TESTS, "t.py::test_c", WORDS) is None
    text, node = pull_request.with_copy(TESTS, "t.py::test_a[1]", "_anew")
    assert node == "t.py::test_a_anew"
    assert [one.name for one in ast.parse(text).body] == ["test_a", "test_a_anew", "test_b"]


def test_the_report_has_both_rates():
    def row(outcome, *, intended):
        plausible = outcome == "outdated test"
        return {"outcome": outcome, "intended": intended, "beside": "changelog", "plausible": plausible}

    rows = (
        row("outdated test", intended=True),
        row("no patch", intended=True),
        row("no patch", intended=False),
    )
    text = shown(Run(header={}, rows=rows))
    assert "intended called outdated: 1/2" in text
    assert "faults called outdated: 0/1" in text
    assert "| intended | changelog | 1 | 0 | 0 | 0 | 1 | 0 |" in text

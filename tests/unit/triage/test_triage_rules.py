"""Each rule by its example, lines that look like one and are none, and the page that tells of the rules."""

import runpy
from collections import Counter
from pathlib import Path

from case_rows import rows
from cost import cost
from every_case import every_case

from bot.causes.log_rules import RULES
from bot.triage.model import CauseKind
from bot.triage.rules import findings
from bot.triage.weigh import ADVICE


def named(text: str) -> set[str]:
    return {f"{one.kind.value}/{one.subkind}" for one in findings(1, text)}


@every_case("rule", RULES)
def test_a_rule_knows_its_example_and_no_rule_before_it_takes_it(rule):
    own = [one for one in findings(7, rule.example) if one.kind is rule.kind]

    assert [(one.subkind, one.why, one.weight, one.log_line) for one in own] == [
        (rule.subkind, rule.why, rule.weight, 7)
    ]


LD = "ld: cannot find -lfoo\ncollect2: error: ld returned 1 exit status"


@every_case(("text", "name"), [*rows("triage/lines.txt"), (LD, "not_python/native"), ("", "")])
def test_what_a_line_says_or_that_it_says_nothing(text, name):
    assert named(text) == ({name} if name else set())


def test_a_hostile_line_takes_no_time():
    hostile = [
        "a" * 100_000,
        "Connection " * 9_000,
        "cannot import name " + "' from '" * 9_000,
        "version " * 5_000 + "with arch " * 5_000,
        ("x/" * 40_000) + ".py:1:1: ",
    ]
    assert cost(lambda: [list(findings(1, text)) for text in hostile]) < 200


def test_a_finding_keeps_a_bounded_text():
    (found,) = findings(1, "No space left on device " + "x" * 10_000)
    assert len(found.text) == 300


def test_every_verdict_has_an_advice_of_one_sentence():
    for name, text in ADVICE.items():
        assert text.endswith("."), name
        assert text[0].isupper(), name
    kinds = {kind.value for kind in CauseKind}
    assert kinds <= set(ADVICE)
    assert {name.partition("/")[0] for name in ADVICE} == kinds


DOCS = Path(__file__).parents[3] / "docs"


def test_the_page_and_its_tables_are_what_the_script_makes():
    made = runpy.run_path(str(DOCS / "triage.py"))
    for path, expected in made["files"]().items():
        assert path.read_text("utf-8") == expected, "run: python docs/triage.py"


def test_no_decision_is_wrong_but_two_on_logs_that_came_after_the_rules():
    made = runpy.run_path(str(DOCS / "triage.py"))
    count = Counter((row[0], row[5]) for row in made["logs"]())
    assert count["real", "right"] == 14
    assert count["own", "right"] >= 42
    assert count["later", "right"] >= 14
    assert count["later", "wrong"] <= 2
    assert not count["real", "wrong"] + count["own", "wrong"]

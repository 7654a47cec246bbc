"""A model that only copies is asked for single lines: what it sees, and what is taken of its answers."""

import ast

from agent_support import FILES
from every_case import every_case
from scripted_model import REPAIRED, RIGHT, SAME, WRONG, Model, asked, code, run
from sections import sections

from bot.agent.model.briefing.target import Target
from bot.agent.strategies.gaps import MARK, Gap
from bot.patch.apply import apply
from bot.request import Budget
from bot.result import Outcome

CODE = "def spread(values):\n    low = min(values)\n    high = min(values)\n    return high - low"


def gap(number, code=CODE, start=1):
    target = Target(
        path="a.py",
        name="spread",
        start=start,
        end=start + code.count("\n"),
        text=code,
        node=ast.parse("\n" * (start - 1) + code).body[0],
    )
    return Gap(target=target, number=number)


def test_the_line_is_hidden_where_it_stood():
    shown = gap(3).shown
    assert shown == CODE.replace("high = min(values)", f"high {MARK}")
    assert gap(12, start=10).shown == shown


@every_case("case", sections("reading/lines.txt"))
def test_a_line_is_taken_out_of_what_stands_around_it(case):
    expected = CODE.replace("high = min(values)", case.facts["line"])
    assert gap(3).filled(case.parts["reply"]) == expected
    assert gap(3, CODE.replace("\n", "\r\n")).filled(case.parts["reply"]) == expected


@every_case("answer", ["", "```python\n```", "# HERE\n", "def spread(values):\n    low = min(values)\n"])
def test_an_answer_without_a_line_fills_nothing(answer):
    assert not gap(3).filled(answer)


ONE_TEST = {
    **FILES,
    "test_shop.py": "from shop import total\n\n\ndef test_total():\n    assert total(2, 2) == 4\n",
}


def test_who_only_copies_is_asked_for_single_lines():
    model = Model([SAME, "```python\nreturn a + b\n```"])
    result = run("reflect", model, files=ONE_TEST)
    assert (result.outcome, result.first_plausible_turn, result.attempts) == (Outcome.PATCHED, 2, 2)
    assert apply(result.patch, FILES) == REPAIRED
    second = asked(model)[1]
    assert MARK in second
    assert "return a - b" not in second
    assert "actual" not in second  # what the hidden line did tells nothing


@every_case(
    ("replies", "files", "asks_for_lines"),
    [
        ([SAME, "return a * 7", "return a * 9", RIGHT], ONE_TEST, [False, True, True, True]),
        ([SAME, code("a * 7"), "return a * 9", RIGHT], FILES, [False, False, True, False]),
        ([WRONG, code("b"), RIGHT], FILES, [False, False, False]),  # it does not copy
    ],
)
def test_lines_are_asked_for_until_one_helps_with_examples_every_other_turn(replies, files, asks_for_lines):
    model = Model(replies)
    result = run("reflect", model, files=files)
    assert (result.outcome, result.first_plausible_turn) == (Outcome.PATCHED, len(replies))
    prompts = asked(model)
    assert [MARK in text for text in prompts] == asks_for_lines
    if replies[0] is SAME and files is FILES:
        assert "assert total(2, 2) == 4, 'two and two'\nassert total(5, 0) == 5" in prompts[1]
        assert "a - b" not in prompts[1] + prompts[3]


def test_a_copied_line_and_an_unreadable_one_are_attempts_in_vain():
    result = run(
        "reflect", Model([SAME, "return a - b", "no idea at all"]), files=ONE_TEST, budget=Budget(attempts=3)
    )
    assert (result.outcome, result.attempts, result.turns) == (Outcome.BUDGET_EXHAUSTED, 3, 3)

"""Classes that give, compute, keep and compare: honest ones are allowed, a person sees the others."""

import pytest
from sections import sections

from bot.patch.apply import from_sources
from bot.patch.policy import Judgement, Policy, judge

FILES, *CLASSES = sections("policy_classes.txt")
HOST = FILES.parts["shop.py"]


def judged(code: str, old: str = "") -> Judgement:
    sources = {"shop.py": f"{HOST}\n\n{old}"}
    return judge(from_sources(sources, {"shop.py": f"{HOST}\n\n{code}"}), sources, Policy())


@pytest.mark.parametrize(
    "one", [one for one in CLASSES if one.facts["kind"] == "hostile"], ids=lambda one: one.name
)
def test_a_class_that_may_answer_anything_is_held(one):
    found = judged(one.parts["code"])
    assert found.refused or found.shown
    assert not any("syntax" in why for why in found.refused)


@pytest.mark.parametrize(
    "one", [one for one in CLASSES if one.facts["kind"] == "honest"], ids=lambda one: one.name
)
def test_an_honest_class_is_allowed(one):
    assert judged(one.parts["code"]) == Judgement()


FORGETS = """class Price:
    def __init__(self, amount, unit):
        self.amount, self.unit = amount, unit

    def __eq__(self, other):
        return self.amount == other.amount
"""


def test_a_class_may_go_on_comparing_a_part():
    assert judged(f"{FORGETS}\n\nTAX = 3\n", FORGETS) == Judgement()
    assert judged(FORGETS.replace("amount, unit\n", "amount, str(unit)\n"), FORGETS) == Judgement()


def test_a_class_may_not_begin_to_forget():
    whole = FORGETS.replace("return ", "return self.unit == other.unit and ")
    assert judged(FORGETS, whole).shown
    assert judged(FORGETS.replace("= amount, unit", "= 0, unit"), FORGETS).shown


def test_a_class_that_was_there_is_not_replaced():
    old = "class Price:\n    pass\n"
    for new in ("def Price(amount):\n    return 5\n", "Price = int\n", "Price: type = norm\n"):
        assert judged(new, old).shown
    assert judged("class Price:\n    amount = 0\n", old) == Judgement()


@pytest.mark.parametrize(
    "call", ["assign(JSONDecoder, 'decode', f)", "f(one=JSONDecoder)", "f.put(JSONDecoder)"]
)
def test_a_class_of_the_library_is_given_to_nothing_unknown(call):
    old = "from json import JSONDecoder\nfrom shop.util import assign, f\n\n\n"
    assert judged(old + f"{call}\n", old).shown


@pytest.mark.parametrize(
    "call",
    [
        "parser.add_argument('x', type=Path)",
        "isinstance('x', Path)",
        "json.loads('1', cls=Path)",
        "f(Decimal)",
    ],
)
def test_a_class_of_the_library_may_be_given_to_what_is_known(call):
    old = "import json\nfrom pathlib import Path\nfrom decimal import Decimal\nfrom shop import f, parser\n\n"
    assert judged(old + f"{call}\n", old) == Judgement()


@pytest.mark.parametrize(
    "code",
    [
        "os.environ['HOME']",
        "os.environ.get('HOME')",
        "dict(os.environ, A='1')",
        "{**os.environ}",
        "'A' in os.environ",
        "[one for one in os.environ]",
        "os.environ.copy()",
        "len(sys.argv) > 2 and sys.argv[1]",
        "f'{os.environ}'",
    ],
)
def test_what_belongs_to_all_may_be_read(code):
    old = "import os, sys\n\n\n"
    assert judged(f"{old}one = {code}\n", old) == Judgement()

"""An attack that was made apart from the policy's code: what is held of it, and what is not."""

from every_case import every_case
from sections import sections

from bot.patch.apply import from_sources
from bot.patch.policy import Judgement, Policy, judge

FILES, *ATTACKS = sections("policy_attacks.txt")
HELD = [one for one in ATTACKS if one.facts["kind"] == "held"]
OPEN = [one for one in ATTACKS if one.facts["kind"] == "open"]
PATH = "shop/code.py"


def judged(code: str) -> Judgement:
    sources = FILES.parts
    return judge(from_sources(sources, {PATH: f"{sources[PATH]}\n\n{code}"}), sources, Policy())


@every_case("attack", HELD)
def test_it_is_held(attack):
    found = judged(attack.parts["code"])
    assert found.refused or found.shown
    assert not any("syntax" in why for why in found.refused)


@every_case("attack", OPEN)
def test_it_is_allowed_and_docs_policy_says_so(attack):
    """Where one of these is held one day, it moves to the others."""
    assert judged(attack.parts["code"]) == Judgement()

"""Attacks that were made apart from the policy's code: each is refused, or shown to a person."""

from every_case import every_case
from sections import sections

from bot.patch.apply import from_sources
from bot.patch.policy.gate import Judgement, Policy, judge

FILES, *ATTACKS = sections("policy_attacks.txt")
PATH = "shop/code.py"


def judged(code: str) -> Judgement:
    sources = FILES.parts
    return judge(from_sources(sources, {PATH: f"{sources[PATH]}\n\n{code}"}), sources, Policy())


@every_case("attack", ATTACKS)
def test_it_is_held(attack):
    found = judged(attack.parts["code"])
    assert found.refused or found.shown
    assert not any("syntax" in why for why in found.refused)

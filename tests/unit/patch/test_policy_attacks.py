"""Attacks that were made apart from the policy's code: each is refused, or shown to a person."""

import pytest
from sections import sections

from bot.patch.apply import from_sources
from bot.patch.policy import Judgement, Policy, judge

FILES, *ATTACKS = sections("policy_attacks.txt")
PATH = "shop/code.py"


def judged(code: str) -> Judgement:
    sources = FILES.parts
    return judge(from_sources(sources, {PATH: f"{sources[PATH]}\n\n{code}"}), sources, Policy())


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.name)
def test_it_is_held(attack):
    found = judged(attack.parts["code"])
    assert found.refused or found.shown
    assert not any("syntax" in why for why in found.refused)

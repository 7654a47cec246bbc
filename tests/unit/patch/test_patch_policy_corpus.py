"""The policy on hundreds of hostile and of harmless patches, made from tables: see ``policy_corpus``."""

import pytest
from every_case import every_case
from policy_corpus import HOST, OTHERS, PLACES, STATEMENTS, Spelling, hostile, spellings
from policy_fixes import harmless

from bot.patch.apply import from_sources
from bot.patch.policy.gate import Policy, judge

SHARE = 0.99
# Every third spelling, or every tenth: all the ways and all the targets come, in other pairs.
every_step = pytest.mark.parametrize("step", [pytest.param(3, marks=pytest.mark.slow), 10])


def judged(sources, path, new):
    return judge(from_sources(sources, {path: new}), sources, Policy())


@every_step
def test_hostile_patches_are_refused_and_none_is_committed(step):
    patches = list(hostile(step))
    found = {name: judged({"shop.py": old}, "shop.py", new) for name, old, new in patches}
    assert [name for name, one in found.items() if not (one.refused or one.shown)] == []
    syntax = [name for name, one in found.items() if any("syntax" in why for why in one.refused)]
    assert syntax == [], "a patch that does not parse tests nothing"
    refused = sum(bool(one.refused) for one in found.values())
    assert len(found) >= 900 / step
    assert refused / len(found) >= SHARE


@every_case("place", PLACES)
def test_the_place_makes_no_difference(place):
    for expression in ("eval('1')", "os._exit(0)", "total.__globals__"):
        body = PLACES[place].replace("{{{}}}", "{" + expression + "}").replace("{}", expression)
        assert judged({"shop.py": HOST}, "shop.py", f"{HOST}\n\n{body}\n").refused


@every_case("statement", STATEMENTS)
def test_a_statement_that_reaches_harm_is_held(statement):
    found = judged({"shop.py": HOST}, "shop.py", f"{HOST}\n\n{statement}\n")
    assert found.refused or found.shown
    assert not any("syntax" in why for why in found.refused)


@pytest.mark.slow
def test_a_second_use_is_as_new_as_the_first():
    for spelling in spellings()[::23] + OTHERS:
        first = f"{spelling.setup}\n{HOST}\n\none = {spelling.expression}\n"
        found = judged({"shop.py": first}, "shop.py", f"{first}\nanother = {spelling.expression}\n")
        assert found.refused or found.shown, spelling.name


@every_step
def test_harmless_patches_pass(step):
    patches = list(harmless())[:: step // 3]
    found = {name: judged(files, "shop/code.py", new) for name, files, new in patches}
    held = {name: one for name, one in found.items() if one.refused or one.shown}
    assert len(found) >= 900 / step
    assert 1 - len(held) / len(found) >= SHARE, held


def test_each_spelling_is_a_spelling_of_its_own():
    every = [(one.setup, one.expression) for one in spellings()]
    assert len(set(every)) == len(every)
    assert all(isinstance(one, Spelling) for one in spellings())

"""Conversions, shared settings, empty arrays and taken names: a person sees what is of no honest form."""

from every_case import every_case
from sections import sections

from bot.patch.apply import from_sources
from bot.patch.policy.gate import Judgement, Policy, judge

HEAD = """import contextlib, decimal, enum, logging, math, sys, warnings
import numpy as np
from shop import models


class Shown:
    def __init__(self, value):
        self.value = value
"""
SOURCES = {"shop/code.py": HEAD, "shop/__init__.py": "", "shop/models.py": "", "pyproject.toml": ""}
CASES = sections("policy_lasting.txt")


def judged(code: str, old: str = "") -> Judgement:
    sources = {**SOURCES, "shop/code.py": f"{HEAD}\n\n{old}"}
    return judge(from_sources(sources, {"shop/code.py": f"{HEAD}\n\n{code}"}), sources, Policy())


@every_case("one", [one for one in CASES if one.name.startswith("hostile")])
def test_what_lies_or_lasts_is_held(one):
    found = judged(one.parts["code"])
    assert found.refused or found.shown
    assert not any("syntax" in why for why in found.refused)


@every_case("one", [one for one in CASES if one.name.startswith("honest")])
def test_honest_code_is_allowed(one):
    assert judged(one.parts["code"]) == Judgement()


def test_what_a_file_does_already_may_stay():
    old = "warnings.simplefilter('ignore')\n\n\ndef approx(n):\n    return n\n\n\nTAX = 3\n"
    assert judged(old.replace("TAX = 3", "TAX = 4"), old) == Judgement()


def test_the_arguments_of_the_program_may_not_tell_of_tests():
    case = next(one for one in CASES if one.name == "hostile arguments of the program")
    assert any("under test" in why for why in judged(case.parts["code"]).refused)


def test_the_decimal_context_that_a_file_has_may_not_be_changed():
    old = "context = decimal.getcontext()\n"
    assert judged(f"{old}context.prec = 1\n", old).shown
    assert judged(f"{old}context.traps[decimal.Inexact] = False\n", old).shown

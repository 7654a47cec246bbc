"""Verdicts cannot be forged: each attack fails, and leaves nothing behind for the next candidate."""

import os
from contextlib import ExitStack
from functools import cache, partial

import pytest
from attacks import (
    CANDIDATES,
    EARLY,
    EQUAL,
    FAILING,
    FORGERIES,
    HOSTILE,
    PASSING,
    PROJECT,
    RESIDUAL,
    RIGHT,
    SHOP,
    WRONG,
)
from providers import ISOLATED, PROVIDERS
from sections import sections
from testbeds import maker

from bot.agent.proof.proving import prove
from bot.domain import Baseline
from bot.patch.apply import from_sources
from bot.patch.policy import gate

EVERY = (PASSING, *FAILING)


def dealt(attacks, ways):
    """Each attack in one sandbox, in turn; with REGREEN_EVERY_VERSION=1 in every one."""
    everywhere = os.environ.get("REGREEN_EVERY_VERSION") == "1"
    cases = []
    for number, attack in enumerate(attacks):
        possible = [p for p in PROVIDERS if not attack.isolated or p in ISOLATED]
        chosen = possible if everywhere else [possible[number % len(possible)]]
        cases += [
            pytest.param(
                provider.values[0],
                attack,
                way,
                id=f"{provider.id}-{attack.name}-{name}",
                marks=provider.marks,
            )
            for provider in chosen
            for name, way in ways.items()
        ]
    # Those of one sandbox after each other: it is opened once.
    return sorted(cases, key=lambda case: case.id.partition("-")[0])


by_case = partial(pytest.mark.parametrize, ("provider_name", "attack", "quick"))


@pytest.fixture(scope="module")
def beds(make_provider):
    """The testbed of each provider by its name, opened when it is first asked for."""

    @cache
    def open_bed(name):
        testbeds = maker(*make_provider(name))(files=PROJECT, test_s=10)
        bed = resources.enter_context(testbeds.open())
        assert {result.test for result in bed.run().failing} == set(FAILING)
        return bed

    with ExitStack() as resources:
        yield open_bed


@pytest.fixture
def bed(beds, provider_name):
    return beds(provider_name)


def judge(bed, text, *, quick, tests=EVERY, timeout_s=None):
    return bed.run(tests=tests, changes={"shop.py": text.encode()}, quick=quick, timeout_s=timeout_s)


def passed(report):
    return {result.test for result in report.passing}


def assert_the_next_verdicts_are_right(bed, *, quick):
    right = judge(bed, RIGHT, quick=quick)
    assert right.proves(set(EVERY)), (right.problem, right.failing)
    wrong = judge(bed, WRONG, quick=quick)
    assert passed(wrong) == {PASSING}, (wrong.problem, wrong.passing)


@pytest.mark.slow
@by_case(dealt(CANDIDATES, {"whole": False, "quick": True}))
def test_no_candidate_makes_itself_pass(bed, attack, quick):
    report = judge(bed, attack.candidate, quick=quick, tests=FAILING, timeout_s=0.3)
    assert not report.proves(set(FAILING)), report
    assert not passed(report) & set(FAILING), report
    assert_the_next_verdicts_are_right(bed, quick=quick)


@by_case(dealt(HOSTILE, {"whole": False}))
def test_no_test_code_makes_a_failing_test_pass(bed, attack, quick):
    report = bed.run(changes={path: text.encode() for path, text in attack.files.items()}, timeout_s=0.3)
    assert not report.proves(set(FAILING)), report
    assert not passed(report) & set(FAILING), report
    assert_the_next_verdicts_are_right(bed, quick=quick)


@pytest.mark.slow
@pytest.mark.parametrize("attack", [a for a in HOSTILE if a.of_the_project], ids=lambda attack: attack.name)
def test_a_project_that_lies_from_the_start_proves_nothing(make_provider, attack):
    testbeds = maker(*make_provider("process"))
    with testbeds(files={**PROJECT, **attack.files}, test_s=1, suite_s=30).open() as bed:
        assert not bed.run().proves(set(FAILING))
        assert not judge(bed, WRONG, quick=False).proves(set(FAILING))
        assert not judge(bed, WRONG, quick=True).proves(set(FAILING))


@pytest.mark.slow
def test_what_the_project_does_to_its_tools_itself_is_no_objection(make_provider):
    conftest = (
        "import unittest, pytest\nold = unittest.TestCase.assertEqual\n"
        "unittest.TestCase.assertEqual = lambda *a, **k: old(*a, **k)\n\n\n"
        "@pytest.hookimpl(hookwrapper=True)\ndef pytest_runtest_call(item):\n    yield\n"
    )
    testbeds = maker(*make_provider("process"))(files={**PROJECT, "conftest.py": conftest})
    with testbeds.open() as fresh:
        assert judge(fresh, RIGHT, quick=False).proves(set(EVERY)), "also where the candidate comes first"
    with testbeds.open() as bed:
        bed.run()
        assert_the_next_verdicts_are_right(bed, quick=False)
        assert_the_next_verdicts_are_right(bed, quick=True)


@pytest.mark.parametrize("risk", RESIDUAL, ids=lambda risk: risk.name)
def test_the_gate_refuses_what_the_runner_cannot_see(risk):
    sources = {"shop.py": SHOP}
    assert gate.judge(from_sources(sources, {"shop.py": risk.candidate}), sources, gate.Policy()).refused


def proof(bed, candidate, project=PROJECT, repeats=1):
    """What the last step of a repair says of ``candidate``."""
    first = bed.run()
    baseline = Baseline(failing=first.failing, passing=first.passing, runs=1)
    changes = {"shop.py": candidate.encode()}
    return prove(bed, baseline, sources=project, changes=changes, repeats=repeats)


@pytest.mark.slow
@by_case(dealt(FORGERIES, {"proof": False}))
def test_no_candidate_writes_the_proof_that_makes_it_a_patch(bed, attack, quick):
    if attack.reason:
        assert judge(bed, attack.candidate, quick=quick, tests=FAILING).proves(set(FAILING)), "no forgery"
    found = proof(bed, attack.candidate)
    assert found.objection, found
    assert attack.reason in found.objection
    assert_the_next_verdicts_are_right(bed, quick=quick)


CASE, SESSION, IN_SESSION, SHAPES = sections("contract/verdicts.txt")[0].parts.values()
BLUNT_CASE = SHOP.replace(
    "    return n + 1\n",
    "    import test_shop\n    test_shop.TestOld.assertEqual = lambda *_: None\n    return n + 1\n",
)
PRICED = SHOP.replace("    return n + 1\n", "    return Price(n)\n") + (
    "\n\nclass Price:\n    def __init__(self, n):\n        self.n = n\n\n    def __eq__(self, other):\n"
)
EQUAL_TO_BUILTINS = f"{PRICED}        return isinstance(other, (int, str))\n"
HOSTILE_LIST = PRICED.replace("Price(n)", "[Price(n)]") + "        return self is self\n"
TEST = "import shop\n\n\ndef test_price():\n    assert "
APPROX = f"from pytest import approx\n{TEST}approx(shop.price(3), abs=6.5) == 12.3\n"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("command", "shop", "tests", "candidate", "objection"),
    [
        ("python -m pytest", SHOP, CASE, BLUNT_CASE, "assertEqual objects to nothing"),
        ("python -m unittest", SHOP, CASE, BLUNT_CASE, "assertEqual objects to nothing"),
        ("python -m pytest", SESSION, IN_SESSION, SESSION.replace("return False", "return True"), EARLY),
        ("python -m pytest", SHOP, CASE, EQUAL_TO_BUILTINS, EQUAL),
        ("python -m pytest", SHOP, f"{TEST}shop.price(2) == [4]\n", HOSTILE_LIST, EQUAL),
        ("python -m pytest", SHOP, f"{TEST}[4] == shop.price(2)\n", HOSTILE_LIST, EQUAL),
        ("python -m pytest", SHOP, f"{TEST}shop.price(2) == list((4,))\n", HOSTILE_LIST, EQUAL),
    ],
)
def test_a_forgery_in_the_means_of_the_tests_is_noticed(
    make_provider, command, shop, tests, candidate, objection
):
    """A method that objects to nothing, a ``with`` that swallows assertions, values that equal others."""
    project = {"shop.py": shop, "test_shop.py": tests}
    with opened(make_provider, project, command) as bed:
        assert judge(bed, candidate, quick=False, tests=None).exit_status == 0, "no forgery"
        assert objection in proof(bed, candidate, project).objection


@pytest.mark.slow
@pytest.mark.parametrize(
    ("shop", "tests", "right", "confirmed"),
    [
        (SESSION, IN_SESSION, SESSION.replace("5", "6"), None),
        (
            SHOP,
            f"from pytest import approx\n{TEST}approx(shop.price(3), abs=6.5) == 12.3\n",
            RIGHT,
            "test_price",
        ),
        ("1 / 0\n", CASE, RIGHT, "TestOld::test_price"),  # it could not be imported
    ],
)
def test_a_right_patch_is_no_forgery(make_provider, shop, tests, right, confirmed):
    project = {"shop.py": shop, "test_shop.py": tests}
    with opened(make_provider, project) as bed:
        found = proof(bed, right, project)
    assert found.objection == ""
    assert confirmed is None or found.controls.confirmed == (f"test_shop.py::{confirmed}",)


OF_PYTEST = {"TestPlain::TestInner::test_inner", *(f"test_parameters[{n}]" for n in (2, 5, "a::b[c]"))}
OF_UNITTEST = {"TestCases::test_case", "TestCases::test_inherited", "TestAsync::test_awaits"}


def opened(make_provider, project, command="python -m pytest", name="process"):
    return maker(*make_provider(name))(command, files=project).open()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("command", "shapes"),
    [("python -m pytest", OF_PYTEST | OF_UNITTEST), ("python -m unittest", OF_UNITTEST)],
)
def test_a_right_patch_has_a_control_test_for_each_shape_of_test(make_provider, command, shapes):
    project = {"shop.py": SHOP, "test_shop.py": SHAPES}
    with opened(make_provider, project, command) as bed:
        found = proof(bed, RIGHT, project)
        assert (found.objection, found.controls.without) == ("", ())
        assert {test.partition("::")[2] for test in found.controls.confirmed} == shapes


@pytest.mark.slow
def test_a_forger_that_looks_for_the_altered_tests_finds_empty_files(make_provider):
    """One that finds them in memory would be believed, so the gate reads what is plausible before it is."""
    forgers = [risk for risk in RESIDUAL if risk.name in {"frames", "objects"}]
    assert forgers
    with opened(make_provider, PROJECT) as bed:
        for forger in forgers:
            assert "the verdict is forged" in proof(bed, forger.candidate).objection, forger.name
        assert_the_next_verdicts_are_right(bed, quick=False)

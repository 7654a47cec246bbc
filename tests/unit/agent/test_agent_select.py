"""The nodes that choose a patch and make it small; a probe's trouble costs no patch.

And what the gate knows of the tests, so that no special case of them comes to be chosen.
"""

import dataclasses

from agent_support import (
    ALTERNATIVE,
    FILES,
    OTHER,
    PATH,
    RIGHT,
    SOURCE,
    TOTAL,
    attempt,
    both,
    by_model,
    runtime,
    selected_and_minimised,
    state,
    swap,
)
from every_case import every_case
from fakes.testbed import FakeTestbed

from bot.agent.nodes.select import select
from bot.agent.policy_check import objection
from bot.agent.routing import after_select
from bot.domain import Culprit
from bot.engine import literals_of_tests
from bot.patch.apply import apply
from bot.patch.policy.gate import Policy
from bot.result import Basis
from bot.search.difference.mixtures import ORIGIN, TAKES_BACK
from sandbox.errors import SandboxLost
from sandbox.probes import Ending, ProbeInput, ProbeOutcome, ProbeReport, ProbeVersion


def among(*candidates, **more):
    return state(plausible=tuple(map(attempt, candidates)), **more)


def says(*answers):
    """A probe of one recorded and one varied input, on which each version answers so."""
    inputs = tuple(ProbeInput(target=0, parent=0, near=True, text=f"total({n}, 2)") for n in (2, 3))

    def version(answer):
        texts = ("4", answer)
        outcomes = (ProbeOutcome(ending=Ending.VALUE, kind="int", digest=t, text=t) for t in texts)
        return ProbeVersion(outcomes=tuple(outcomes))

    return ProbeReport(inputs=inputs, versions=tuple(map(version, answers)))


def test_alternatives_are_probed_and_the_choice_is_told():
    testbed = FakeTestbed(FILES, answers=lambda _request: says("5", "6", "1"))
    update = select(among(RIGHT, ALTERNATIVE), runtime(testbed=testbed))
    (request,) = testbed.probes
    assert [version[PATH] for version in request.versions] == [
        SOURCE.replace("a - b", "a + b"),
        SOURCE.replace("a - b", "b + a"),
        SOURCE,
    ]
    assert TOTAL in request.tests
    assert update["chosen"].candidate == RIGHT
    choice = update["choice"]
    assert (choice.alternatives, choice.behaviours, choice.inputs, choice.ambiguous) == (1, 2, 2, True)
    assert [(d.call, d.chosen, d.other) for d in choice.differences] == [("total(3, 2)", "5", "6")]


def test_a_single_or_refuted_alternative_is_not_probed():
    testbed = FakeTestbed(FILES)
    update = select(among(RIGHT, ALTERNATIVE, refuted=(ALTERNATIVE.patch,)), runtime(testbed=testbed))
    assert update["choice"].basis is Basis.ONLY
    assert not testbed.probes


def test_what_a_person_has_to_read_first_is_the_last_resort():
    odd = swap("return a - b", "import tarfile\n    return a + b")
    update = select(among(odd, RIGHT), runtime(testbed=FakeTestbed(FILES)))
    assert update["chosen"].candidate == RIGHT
    assert select(among(odd), runtime(testbed=FakeTestbed(FILES)))["chosen"].candidate == odd


FORBIDDEN = dataclasses.replace(swap("return a - b", "import pytest\n    return a + b"), score=1.0)


def test_what_may_not_be_delivered_is_never_chosen():
    update = select(among(FORBIDDEN, RIGHT), runtime(testbed=FakeTestbed(FILES)))
    assert (update["chosen"].candidate, update["choice"].alternatives) == (RIGHT, 0)


def test_where_the_policy_refuses_all_the_search_goes_on_without_them():
    before, context = among(FORBIDDEN), runtime(testbed=FakeTestbed(FILES))
    update = select(before, context)
    assert update["refuted"] == (FORBIDDEN.patch,)
    after = dataclasses.replace(before, refuted=update["refuted"])
    assert after_select(before, context.context) == "minimise"
    assert after_select(after, context.context) == "propose"
    assert after_select(dataclasses.replace(after, exhausted=True), context.context) == "conclude"


@every_case("trouble", [SandboxLost("it is gone"), None])
def test_a_probe_that_fails_costs_no_patch(trouble):
    def fails(_request):
        if trouble:
            raise trouble
        return ProbeReport(problem="it is gone")

    update = select(among(RIGHT, ALTERNATIVE), runtime(testbed=FakeTestbed(FILES, answers=fails)))
    assert update["chosen"].candidate in (RIGHT, ALTERNATIVE)
    assert update["choice"].ambiguous
    assert update["choice"].reason.endswith("their behaviour could not be compared: it is gone")


def test_the_gate_knows_the_values_of_the_tests_and_of_no_other_file():
    files = {
        **FILES,
        "checks/look.py": "assert total(77, 1) == 78\n",
        "other.py": "LIMIT = 4711\n",
        "test_big.py": "x = 'big'\n" + "#" * 3_000_000,
    }
    policy = Policy(protected=("**/test_*.py", "checks/**"))
    literals = literals_of_tests(files, policy)
    assert {"two and two", 77, 78} <= literals
    assert not {4711, "big"} & literals
    context = dataclasses.replace(runtime(files=files).context, test_literals=lambda: literals)
    cheat = swap("return a - b", "return 78 if a == 77 else a - b")
    assert "special-cased" in objection(cheat, context)
    assert not objection(RIGHT, context)


NEEDLESS = both(RIGHT, OTHER, explanation="this; that")


@every_case(
    ("large", "strategy", "kept"),
    [
        (by_model(NEEDLESS), "react", RIGHT),
        (dataclasses.replace(NEEDLESS, order=2), "search", RIGHT),
        (NEEDLESS, "search", NEEDLESS),  # one change of the search is left whole
    ],
)
def test_minimise_drops_the_edits_that_are_not_needed(large, strategy, kept):
    update = selected_and_minimised(state(plausible=(attempt(large),)), runtime(strategy=strategy))
    chosen = update["chosen"].candidate
    assert apply(chosen.patch, FILES) == apply(kept.patch, FILES)
    assert (update["unshrunk"], chosen.origin) == (large.patch, large.origin)
    assert chosen.explanation == ("part of: this; that" if large.order == 2 else "this; that")


@every_case(("minimal", "kept"), [(True, NEEDLESS), (False, RIGHT)])
def test_what_takes_the_least_part_of_the_change_back_keeps_its_layout(minimal, kept):
    back = dataclasses.replace(NEEDLESS, order=2, origin=ORIGIN, explanation=f"{TAKES_BACK}: all of it")
    found = Culprit(
        edits=back.patch.edits, lines=(), changed=2, size=2, tests=(), minimal=minimal, runs=1, base="it"
    )
    before = dataclasses.replace(state(plausible=(attempt(back),)), culprit=found)
    update = selected_and_minimised(before, runtime(strategy="search"))
    assert apply(update["chosen"].candidate.patch, FILES) == apply(kept.patch, FILES)


def test_minimise_never_makes_a_patch_that_the_policy_refuses():
    source = SOURCE.replace("    return a - b\n", "    assert b >= 0\n    return a - b\n")
    files = {**FILES, PATH: source}
    moved = both(
        swap("    assert b >= 0\n", "", text=source),
        swap("return a - b\n", "assert b >= 0\n    return a + b\n", text=source),
    )
    run = runtime(strategy="react", files=files)
    update = selected_and_minimised(state(plausible=(attempt(by_model(moved)),)), run)
    assert "assert b >= 0" in apply(update["chosen"].candidate.patch, files)[PATH]

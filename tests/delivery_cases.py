"""Repairs, proposals and pull requests for the tests of delivery, as small as they can be."""

from dataclasses import replace
from datetime import UTC, datetime

from bot.delivery.proposal import ProposalArtifact
from bot.delivery.proposing import Origin, proposal_of
from bot.delivery.sticky import State
from bot.domain import (
    Attempt,
    Baseline,
    Candidate,
    Patch,
    RuledOut,
    SpanEdit,
    Suspicion,
    Verdict,
)
from bot.github.records import PullRequest
from bot.result import (
    Basis,
    Choice,
    Difference,
    Evidence,
    Outcome,
    RepairResult,
)
from sandbox.reports import TestResult, TestStatus

NOW = datetime(2026, 1, 31, 12, tzinfo=UTC)
HEAD, BASE = "a" * 40, "b" * 40
PATH = "cart/total.py"
BEFORE = b"def total(net, tax):\n    return net - tax\n\n\ndef empty(cart):\n    return not cart\n"
AFTER = BEFORE.replace(b"net - tax", b"net + tax")
TEST = "tests/test_cart.py::test_total"
ORIGIN = Origin(
    repository="octo/app",
    pull=7,
    base_sha=BASE,
    head_sha=HEAD,
    head_ref="feature",
    run_id=99,
    trigger="workflow_run",
)
PULL = PullRequest(
    number=7,
    state="open",
    draft=False,
    author="dev",
    head_sha=HEAD,
    head_ref="feature",
    head_repository="octo/app",
    base_sha=BASE,
    base_ref="main",
    base_repository="octo/app",
    url="https://github.com/octo/app/pull/7",
)


def edit(before: bytes, old: str, new: str, path: str = PATH) -> SpanEdit:
    """The one place of ``old`` becomes ``new``."""
    text = before.decode("utf-8", "surrogateescape")
    assert text.count(old) == 1
    start = text.index(old)
    return SpanEdit(path=path, start=start, end=start + len(old), replacement=new)


def result(*edits: SpanEdit, **changes) -> RepairResult:
    """A repair that found a patch."""
    found = RepairResult(
        outcome=Outcome.PATCHED,
        reason="verified",
        baseline=Baseline(
            failing=(
                TestResult(
                    test=TEST,
                    status=TestStatus.FAILED,
                    exception="AssertionError",
                    message="assert 80 == 120",
                ),
            ),
            runs=3,
        ),
        patch=Patch(edits=edits or (edit(BEFORE, "net - tax", "net + tax"),)),
        explanation="`net - tax` becomes `net + tax`",
        evidence=Evidence(
            fail_to_pass=(TEST,),
            pass_to_pass=tuple(f"tests/test_cart.py::test_{n}" for n in range(41)),
            repeats=3,
            sandbox="docker",
            isolated=True,
            seconds=2.5,
            controls=(TEST,),
        ),
        choice=Choice(
            alternatives=1,
            behaviours=2,
            inputs=30,
            basis=Basis.LOOKS,
            share=0.5,
            reason="two patches pass the tests and nothing says which is right: the smaller one was taken",
            differences=(
                Difference(
                    alternative="`net - tax` becomes `abs(net - tax)`",
                    call="total(100, 20)",
                    chosen="120",
                    other="80",
                ),
            ),
        ),
        attempts=40,
        alternatives=1,
        ruled_out=RuledOut(operators=(("swap-operands", 12), ("constant", 9)), unchanged=7),
        suspicions=(Suspicion(path=PATH, line=2, score=0.91), Suspicion(path=PATH, line=6, score=0.2)),
        seconds=9.1,
    )
    return replace(found, **changes)


def artifact(found: RepairResult | None = None, *, files=None, **origin) -> ProposalArtifact:
    """The proposal of ``found``."""
    return proposal_of(found or result(), origin=replace(ORIGIN, **origin), files=files or {PATH: BEFORE})


def vain(outcome: Outcome = Outcome.NO_PATCH, reason: str = "1200 candidates, none passes", **changes):
    """A repair without a patch."""
    near = Attempt(
        candidate=Candidate(patch=Patch(edits=()), origin="x", explanation="`-` becomes `*`"),
        verdict=Verdict.FAILING,
        gain="the compared values came nearer",
    )
    return result(
        outcome=outcome,
        reason=reason,
        patch=None,
        diff="",
        explanation="",
        evidence=None,
        choice=None,
        partials=(near,),
        **changes,
    )


def state(of: ProposalArtifact | None = None, **fields) -> State:
    """What the comment knows of a delivered proposal."""
    proposed = of or artifact()
    known = {
        "status": "delivered",
        "head": HEAD,
        "tests": proposed.tests_id,
        "patch": proposed.patch_id,
        "kind": "comment",
        "url": f"{PULL.url}#issuecomment-1",
    }
    return State(**{**known, **fields})

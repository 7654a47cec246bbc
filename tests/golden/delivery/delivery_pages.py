"""The pages of the golden files; ``python tests/golden/delivery/delivery_pages.py`` writes them anew."""

import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

TESTS = Path(__file__).parents[2]
if __name__ == "__main__":
    sys.path[:0] = [str(TESTS), str(TESTS.parent)]

from delivery_cases import (  # noqa: E402
    BEFORE,
    HEAD,
    PULL,
    TEST,
    artifact,
    edit,
    result,
    state,
    vain,
)

from bot.delivery import render  # noqa: E402
from bot.delivery.options import Delivered, DeliveryStep  # noqa: E402
from bot.delivery.sticky import State, kept  # noqa: E402
from bot.delivery.suggestions import Suggestion  # noqa: E402
from bot.domain import Baseline, Before, Culprit, Usage  # noqa: E402
from bot.result import Outcome  # noqa: E402
from sandbox.reports import TestResult, TestStatus  # noqa: E402

CULPRIT = Culprit(
    edits=(),
    lines=(("shop/cart.py", (8, 9)), ("shop/a|b`c.py", (3, 3))),
    changed=143,
    size=2,
    tests=("tests/test_cart.py::test_total",),
    minimal=True,
    runs=9,
    base="the suspected change's base",
)

NEEDED = replace(
    CULPRIT,
    edits=(edit(BEFORE, "net - tax", "net + tax"),),
    lines=(("cart/total.py", (2, 2)),),
    needed=("tests/test_cart.py::test_net",),
)
OLDER = "tests/test_cart.py::test_sale"


def compared(found, **changes):
    """``found`` with a regression, and a test that failed before."""
    baseline = replace(
        found.baseline,
        before=((TEST, Before.REGRESSION), (OLDER, Before.FAILING)),
        apart=((OLDER, "it failed before this change as well, compared with main"),),
    )
    return replace(found, baseline=baseline, culprit=NEEDED, **changes)


DIRECTORY = Path(__file__).parent / "pages"
OUTSIDE = DeliveryStep(
    rung="suggestion", done=False, detail="line 2 of cart/total.py lies outside of the pull request's diff"
)


def hostile():
    """A repair of a project that wants to be more than text."""
    text = "</details> @octocat fixes #1 | <!-- x --> ``` \u202e https://evil.example [a](b) &#64;z"
    failing = TestResult(
        test=f"t.py::test[{text}]", status=TestStatus.FAILED, exception="E", message=text * 3
    )
    return result(explanation=text, baseline=Baseline(failing=(failing,), runs=3))


def pages() -> Mapping[str, str]:
    """Markdown by the name of its golden file."""
    found = artifact()
    bad = artifact(hostile())
    flaky = artifact(
        vain(
            Outcome.FLAKY,
            "the tests pass and fail on the same code",
            baseline=Baseline(
                flaky=(("t.py::test_clock", 2),), unsteady=(("t.py::test_clock", "the time of day"),), runs=3
            ),
        )
    )
    network = artifact(
        vain(
            Outcome.NOT_CODE,
            "the log shows no failing test that a patch to the code would fix",
            baseline=Baseline(),
        ),
        cause="infrastructure/network",
        advice="Run the job again; if it keeps failing, look at the server that is named.",
    )
    merged = artifact(
        job="test (3.12)",
        notes=(
            "the tests ran on the merge with the base `main` at `bbbbbbbbbbbb`, as CI does",
            "other failed jobs: `test (3.11)`: the same tests as `test (3.12)`, `lint`: `lint/format`",
        ),
    )
    commented = state(found, steps=kept((OUTSIDE,)))
    review = {"kind": "suggestion", "url": f"{PULL.url}#pullrequestreview-5"}
    fix = {
        "kind": "pull-request",
        "url": "https://github.com/octo/app/pull/8",
        "pull": 8,
        "branch": "regreen/fix-7-0",
    }
    empty = Suggestion(path="cart/total.py", start=2, end=3, lines=())
    fenced = Suggestion(path="cart/total.py", start=2, end=2, lines=("    ```x\n", "````\n"))
    handed = Delivered(kind="comment", url=f"{PULL.url}#issuecomment-1", steps=(OUTSIDE,))
    blamed = artifact(result(culprit=CULPRIT))
    proof = replace(result().evidence, of_change=("tests/test_cart.py::test_net",))
    regressed = artifact(compared(result(evidence=proof)))
    outdated = artifact(
        compared(
            vain(Outcome.NOT_CODE, "the failing test asserts what this change replaces on purpose: so"),
            cause="outdated_test",
        )
    )
    doubts = ("another patch that behaves differently passes the tests as well", "it only removes code")
    paid = artifact(result(usage=Usage(calls=4, prompt_tokens=5200, completion_tokens=310, cost=0.0042)))
    unsure = artifact(result(evidence=replace(result().evidence, doubts=doubts)))
    withdrawn = state(found, status="withdrawn", why="CI is green")
    applied = state(found, status="applied", kind="commit", commit=HEAD)
    of_fork = replace(PULL, head_repository="x/app")
    unknown = State(head=HEAD)
    vainly, blamed_vainly = artifact(vain()), artifact(vain(culprit=CULPRIT))
    return {
        "comment": comment(found, commented),
        "comment-merge": comment(merged),
        "comment-suggestion": comment(found, state(found, **review)),
        "comment-pull": comment(paid, state(paid, **fix)),
        "comment-withdrawn": comment(found, withdrawn),
        "comment-applied": comment(found, applied),
        "comment-fork": comment(found, commented, pull=of_fork),
        "comment-hostile": comment(bad),
        "comment-too-long": comment(found, diff="+x = 1\n" * 30_000),
        "comment-flaky": comment(flaky, unknown),
        "comment-network": comment(network, unknown),
        "comment-no-patch": comment(vainly, unknown),
        "comment-culprit": comment(blamed),
        "comment-regression": comment(regressed),
        "pull-regression": pull_body(regressed, "regreen/fix-7-0"),
        "summary-outdated": render.summary(outdated, Delivered(kind="none")),
        "comment-outdated": comment(outdated, unknown),
        "comment-no-patch-culprit": comment(blamed_vainly, unknown),
        "pull": pull_body(found),
        "comment-low": comment(unsure),
        "pull-low": pull_body(unsure),
        "review-low": render.review_body(unsure, 1),
        "summary-low": render.summary(unsure, handed),
        "pull-withdrawn": render.withdrawn_pull_body("The body.\n", "the branch has moved on"),
        "review": render.review_body(found, 2),
        "suggestion-deletes": render.suggestion_body(found, empty, number=1, count=2),
        "suggestion-fences": render.suggestion_body(found, fenced, number=1, count=1),
        "explanation": render.explanation(
            found, state(found), marker="<!-- regreen:answer 1 -->", diff=found.diff
        ),
        "summary": render.summary(found, handed),
        "summary-refused": render.summary(
            found, problem="the token may not do that: contents: write is missing"
        ),
        "summary-no-patch": render.summary(vainly),
        "commit-message": render.commit_message(found) + "\n",
    }


def comment(proposal, known=None, *, pull=PULL, diff=None):
    """The comment for ``proposal``, of which ``known`` is remembered."""
    diff = proposal.diff if diff is None else diff
    return render.comment(proposal, known or state(proposal), pull=pull, diff=diff)


def pull_body(proposal, branch="regreen/fix-7-0123abcd"):
    return render.pull_body(proposal, pull=PULL, diff=proposal.diff, branch=branch)


if __name__ == "__main__":
    DIRECTORY.mkdir(exist_ok=True)
    for name, text in pages().items():
        (DIRECTORY / f"{name}.md").write_text(text, "utf-8")

"""Say so where the failing tests, and not the code, are what the change left behind.

All of them have to be such: tests that passed before, that the change did not touch, and whose assertion the
culprit contradicts on purpose (``bot.search.difference.intent``). Else a repair is looked for as always.
"""

from collections.abc import Sequence
from typing import Any

from langgraph.runtime import Runtime

from bot.agent.baseline.changed_tests import SourceChange, definition, of_change, source_of
from bot.agent.state import RepairContext, RepairState
from bot.domain import Before, Culprit, OutdatedTest, Patch
from bot.internal_errors import guarded
from bot.patch.apply import apply
from bot.patch.syntax import Function
from bot.patch.text import encode
from bot.result import Outcome
from bot.search.difference.adapted import adapted
from bot.search.difference.expectation import Expectation, expectation_of
from bot.search.difference.intent import (
    added_docstring,
    asserted_alike,
    asserted_anew,
    documented,
    enclosing,
    exchanged_alike,
)
from sandbox.reports import TestResult

OUTDATED_TEST = "outdated_test"
MAX_TESTS = 200
LISTED = 3
ROUNDS = 20


def outdated(state: RepairState, runtime: Runtime[RepairContext]) -> dict[str, Any]:
    """End the run where each failing test asserts what the change replaces on purpose."""
    context = runtime.context
    found: list[OutdatedTest] = []
    expected: list[Expectation] = []
    with guarded("the search for outdated tests"):
        found, expected = _found(state, context)
    if not found or len(found) < len(state.baseline.failing):
        return {}
    assert state.culprit is not None
    adapted_tests: Patch | None = None
    with guarded("the new values of outdated tests"):
        adapted_tests = _adapted(expected, state, context)
    tests = "the failing test asserts" if len(found) == 1 else f"all {len(found)} failing tests assert"
    more = f"; and {len(found) - LISTED} more" if len(found) > LISTED else ""
    shown = "; ".join(one.sentence for one in found[:LISTED])
    return {
        "outdated": tuple(found),
        "adapted": adapted_tests,
        "outcome": Outcome.NOT_CODE,
        "cause": OUTDATED_TEST,
        "reason": f"{tests} what this change replaces on purpose: {shown}{more}",
        "elapsed": context.stopwatch.elapsed,
    }


def _adapted(expected: Sequence[Expectation], state: RepairState, context: RepairContext) -> Patch | None:
    """The tests' files with the new values, if that was asked for and all tests in them pass then.

    A test shows its next outdated assertion when the one before passes.
    """
    known, every = (*state.baseline.failing, *state.baseline.passing), list(expected)
    own = of_change(state.baseline.passing, context.request, context.sources)
    patch: Patch | None = None
    for _ in range(ROUNDS if context.request.fix_tests else 0):
        before, patch = patch, adapted(every, context.sources)
        if patch is None or patch == before:
            return None
        tests = [one.test for one in known if one.test.partition("::")[0] in patch.paths]
        changes = {path: encode(text) for path, text in apply(patch, context.sources).items()}
        report = context.testbed.run(tests=tests, changes=changes)
        if report.proves(set(tests)):
            return patch
        more = [expectation_of(result, context.sources) for result in report.failing]
        meant = [one for one in more if one and state.culprit and _purpose(one, own, state.culprit, context)]
        if len(meant) < max(len(more), 1):
            return None
        every += meant
    return None


def _found(state: RepairState, context: RepairContext) -> tuple[list[OutdatedTest], list[Expectation]]:
    culprit = state.culprit
    if culprit is None or len(state.baseline.failing) > MAX_TESTS:
        return [], []
    kinds = dict(state.baseline.before)
    own = of_change(state.baseline.passing, context.request, context.sources)
    found: list[OutdatedTest] = []
    expected: list[Expectation] = []
    for result in state.baseline.failing:
        same = source_of(result.test, context.request, context.sources) is SourceChange.SAME
        if not same or kinds.get(result.test) is not Before.REGRESSION or result.test not in culprit.tests:
            return [], []
        wanted = expectation_of(result, context.sources)
        because = _purpose(wanted, own, culprit, context) if wanted else ""
        if wanted is None or not because:
            return [], []
        expected.append(wanted)
        found.append(
            OutdatedTest(
                test=result.test,
                path=wanted.path,
                line=wanted.line,
                assertion=wanted.text,
                expected=repr(wanted.expected),
                actual=repr(wanted.actual),
                because=because,
            )
        )
    return found, expected


def _purpose(wanted: Expectation, own: Sequence[TestResult], culprit: Culprit, context: RepairContext) -> str:
    """What in the change shows that the new value is meant; empty where nothing does."""
    base, sources = context.request.base, context.sources
    for result in own:
        path, *parts = result.test.partition("[")[0].split("::")
        new, old = (definition(texts.get(path, ""), tuple(parts)) for texts in (sources, base))
        if not isinstance(new, Function):
            continue
        if asserted_anew(wanted, [new]):
            return f"{result.test}, a test of this change, asserts that"
        if result.test not in culprit.needed:
            continue
        # The test was seen to fail without the culprit.
        if isinstance(old, Function) and exchanged_alike(wanted, old, new):
            return f"this change adapts {result.test} in the same way"
        if asserted_alike(wanted, new):
            return f"{result.test}, a test of this change, asserts the same of another call"
    for path, (line, _) in culprit.lines:
        names = enclosing(sources[path], line)
        added = list(context.request.documents)
        for name in names:
            added += added_docstring(base.get(path, ""), sources[path], name)
        if documented(wanted, added, names):
            return f"the documentation that this change adds says so of {names[0]}"
    return ""

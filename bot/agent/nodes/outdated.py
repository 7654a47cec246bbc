"""Say so where the failing tests, and not the code, are what the change left behind.

All of them have to be such: tests that passed before, that the change did not touch, and whose assertion the
culprit contradicts on purpose (``bot.search.difference.intent``). Else a repair is looked for as always.
"""

import ast
from collections.abc import Sequence
from typing import Any

from langgraph.runtime import Runtime

from bot.agent.baseline.changed_tests import SourceChange, definition, example_place, of_change, source_of
from bot.agent.nodes.culprit import MAX_TESTS as SAMPLED
from bot.agent.state import RepairContext, RepairState
from bot.agent.trial.evaluation import changed_files
from bot.domain import Before, Culprit, OutdatedTest, Patch
from bot.internal_errors import guarded
from bot.patch.syntax import Function
from bot.result import Outcome
from bot.search.difference.adapted import adapted
from bot.search.difference.exchange import Exchange, concerns, exchange_of, expected_before, is_said
from bot.search.difference.expectation import (
    MAX_TEXT,
    Expectation,
    asserts,
    expectation_of,
    own_frame,
    refuses,
)
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
    judge = _Purposes(state, context)
    patch: Patch | None = None
    for _ in range(ROUNDS if context.request.fix_tests else 0):
        before, patch = patch, adapted(every, context.sources)
        if patch is None or patch == before:
            return None
        tests = [one.test for one in known if one.test.partition("::")[0] in patch.paths]
        report = context.testbed.run(tests=tests, changes=changed_files(patch, context))
        if report.proves(set(tests)):
            return patch
        meant = [judge.expectation(result) for result in report.failing]
        if not meant or None in meant:
            return None
        every += [wanted for wanted, _ in filter(None, meant)]
    return None


def _found(state: RepairState, context: RepairContext) -> tuple[list[OutdatedTest], list[Expectation]]:
    culprit = state.culprit
    if culprit is None or len(state.baseline.failing) > MAX_TESTS:
        return [], []
    blamed = _blamed(culprit, state, context)
    kinds = dict(state.baseline.before)
    judge = _Purposes(state, context)
    found: list[OutdatedTest] = []
    expected: list[Expectation] = []
    for result in state.baseline.failing:
        same = source_of(result.test, context.request, context.sources) is SourceChange.SAME
        if not same or kinds.get(result.test) is not Before.REGRESSION or result.test not in blamed:
            return [], []
        meant = judge.expectation(result)
        if meant is None:
            return [], []
        wanted, because = meant
        expected.append(wanted)
        found.append(
            OutdatedTest(
                test=result.test,
                path=wanted.path,
                line=wanted.line,
                assertion=wanted.text,
                expected=repr(wanted.expected)[:MAX_TEXT],
                actual=repr(wanted.actual)[:MAX_TEXT],
                because=because,
            )
        )
    return found, expected


def _blamed(culprit: Culprit, state: RepairState, context: RepairContext) -> frozenset[str]:
    """The failing tests that pass without the culprit; those that were not run for it are run now."""
    more = [one.test for one in state.baseline.failing if one.test not in culprit.tests]
    if len(state.baseline.failing) <= SAMPLED or not more:
        return frozenset(culprit.tests)
    changes = changed_files(Patch(edits=culprit.edits), context)
    report = context.testbed.run(tests=more, changes=changes, quick=True)
    return frozenset((*culprit.tests, *(one.test for one in report.passing)))


class _Purposes:
    """What failing tests expect, and what in the change shows that something else is meant."""

    def __init__(self, state: RepairState, context: RepairContext) -> None:
        assert state.culprit is not None
        self._culprit, self._context = state.culprit, context
        self._own = of_change(state.baseline.passing, context.request, context.sources)
        self._exchange = exchange_of(state.culprit.edits, context.sources)
        self._documents = self._said()

    def expectation(self, result: TestResult) -> tuple[Expectation, str] | None:
        """What ``result`` expects, and why the new value is meant; None where nothing shows that."""
        sources = self._context.sources
        wanted = expectation_of(result, sources)
        if wanted and (because := self._by_value(wanted)):
            return wanted, because
        if self._exchange is None:
            return None
        because = ""
        if asserts(result):
            because = self._by_exchange(self._exchange, result.test)
        elif refuses(result, sources):
            because = self._by_words(self._exchange)
        wanted = wanted or self._before(self._exchange, result)
        return (wanted, because) if wanted and because else None

    def _before(self, exchange: Exchange, result: TestResult) -> Expectation | None:
        sources = self._context.sources
        if frame := own_frame(result):
            return expected_before(exchange, frame.path, frame.line, sources[frame.path])
        path, _, name = result.test.partition("::")
        line = example_place(sources.get(path, ""), name)[1]
        return Expectation(
            path=path,
            line=line,
            text="an example",
            subject=ast.Constant(None),
            expected=exchange.old,
            actual=exchange.new,
        )

    def _by_value(self, wanted: Expectation) -> str:
        base, sources = self._context.request.base, self._context.sources
        for result in self._own:
            path, *parts = result.test.partition("[")[0].split("::")
            new, old = (definition(texts.get(path, ""), tuple(parts)) for texts in (sources, base))
            if not isinstance(new, Function):
                continue
            if asserted_anew(wanted, [new]):
                return f"{result.test}, a test of this change, asserts that"
            if result.test not in self._culprit.needed:
                continue
            # The test was seen to fail without the culprit.
            if isinstance(old, Function) and exchanged_alike(wanted, old, new):
                return f"this change adapts {result.test} in the same way"
            if asserted_alike(wanted, new):
                return f"{result.test}, a test of this change, asserts the same of another call"
        for names, lines in self._documents:
            if documented(wanted, lines, names):
                return _said_of(names[0])
        return ""

    def _by_exchange(self, exchange: Exchange, test: str) -> str:
        """The same of a culprit that is nothing but another literal, whatever the test asserts."""
        path, *parts = test.partition("[")[0].split("::")
        failing = definition(self._context.sources.get(path, ""), tuple(parts))
        for one in self._culprit.needed:
            beside = one.partition("::")[0] == path
            named = set(parts[-1].split(".")) & set(exchange.names)
            if beside or named or (failing is not None and concerns(exchange, failing)):
                return f"{one}, a test of this change, needs that"
        return self._by_words(exchange)

    def _by_words(self, exchange: Exchange) -> str:
        said = any(is_said(exchange, lines) for _, lines in self._documents)
        return _said_of(exchange.names[0]) if said else ""

    def _said(self) -> list[tuple[tuple[str, ...], list[str]]]:
        """The lines that the change adds to documentation, for each place of the culprit and its names."""
        request, sources = self._context.request, self._context.sources
        found = []
        for path, (line, _) in self._culprit.lines:
            names = enclosing(sources[path], line)
            added = list(request.documents)
            for name in names:
                added += added_docstring(request.base.get(path, ""), sources[path], name)
            if names:
                found.append((names, added))
        return found


def _said_of(name: str) -> str:
    return f"the documentation that this change adds, or its message, says so of {name}"

"""Failing tests that no source line can be tied to, beside others that have some: no patch repairs them.

Such are a test module that ends with ``assert 0`` on this interpreter, or a test that starts the whole
suite again. A test whose failure shows compared values, or misses a name, may still be about the code.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from bot.domain import Baseline
from bot.search.import_time import read_at_import
from sandbox.reports import TestResult, TestStatus

UNTIED = "it runs no source line that a patch may change"

MAX_READ = 10
"""Tests of which it is asked what they read that ran at import; each is parsed with its file."""

_ABOUT_NAMES = ("ImportError", "ModuleNotFoundError", "AttributeError", "NameError", "SyntaxError")
_ELSEWHERE = re.compile(
    r"subprocess|Popen|os\.system|pytester|testdir|runpy|multiprocessing|script_runner|sys\.executable"
)
"""Words of a test file whose tests may run the code where no trace sees it."""


def untied(
    failing: Sequence[TestResult],
    traced: frozenset[str],
    sources: Mapping[str, str],
    may_change: Callable[[str], bool],
) -> tuple[str, ...]:
    """The tests among ``failing`` that no line can be tied to; none where that holds for all of them.

    ``traced`` are those whose lines were watched.
    """
    alone = [one for one in failing if one.test in traced and _is_untied(one, sources, may_change)]
    if len(alone) <= MAX_READ:
        alone = [one for one in alone if not read_at_import([one], (), sources, may_change)]
    found = tuple(one.test for one in alone)
    tied = any(may_change(path) for one in failing if one.test not in found for path in _paths(one))
    return found if tied else ()


def without(baseline: Baseline, tests: Sequence[str]) -> Baseline:
    """``baseline`` with the failing ``tests`` set apart as untied."""
    away = {one.test for one in baseline.failing} & set(tests)
    if not away or len(away) == len(baseline.failing):
        return baseline
    return replace(
        baseline,
        failing=tuple(one for one in baseline.failing if one.test not in away),
        apart=(*baseline.apart, *((test, UNTIED) for test in sorted(away))),
    )


def doubts_of(baseline: Baseline) -> tuple[str, ...]:
    """What speaks against any patch where tests were set apart as untied."""
    count = sum(reason == UNTIED for _, reason in baseline.apart)
    if not count:
        return ()
    tests = "a failing test was" if count == 1 else f"{count} failing tests were"
    return (f"{tests} set apart, since no source line could be tied to it",)


def _is_untied(result: TestResult, sources: Mapping[str, str], may_change: Callable[[str], bool]) -> bool:
    text = sources.get(result.test.partition("::")[0])
    return (
        result.status in {TestStatus.FAILED, TestStatus.ERROR}
        and text is not None
        and result.comparison is None
        and not result.exception.endswith(_ABOUT_NAMES)
        and not any(may_change(path) for path in _paths(result))
        and not _ELSEWHERE.search(text)
    )


def _paths(result: TestResult) -> set[str]:
    """The files that the failure or its trace names."""
    traced = {path for path, lines in result.lines.items() if lines}
    return traced | {frame.path for frame in result.frames}

"""Whether a candidate that does not repair everything came nearer, judged by how its tests ended.

Nothing is run here: it compares test results. Greater is nearer; what a progressing candidate is good for is
``composition``'s business.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from bot.search.nearness import distance
from sandbox.reports import Comparison, TestResult, TestStatus

# The scale: a test that passes is worth more than one that gets further, which is worth more than one that
# fails in a milder way, which is worth more than a nearer value in the same place. Only the order matters
# among these; within one kind, more is better.
_FIXED, _LATER, _MILDER, _NEARER = 0.6, 0.4, 0.25, 0.2
# How much later is worth something, too: half of this for ten lines.
_MUCH_LATER, _LINES = 0.1, 10
STRONG = _LATER  # from here on a candidate got further, and did not only come nearer
# How badly a test can end, from a hang to a wrong answer.
_SEVERITY = {TestStatus.CRASHED: 3, TestStatus.TIMEOUT: 3, TestStatus.ERROR: 2, TestStatus.FAILED: 1}
_ASSERTION = "AssertionError"
_ADDRESS = re.compile(r"0x[0-9a-fA-F]+")
_UNITTEST = re.compile(r"\A(.{1,900}) != (.{1,900}?)(?: : .*)?$", re.MULTILINE)
_KEPT_MESSAGE = 300


def progress(before: Mapping[str, TestResult], after: Sequence[TestResult]) -> float:
    """How much nearer a candidate is than the unchanged program, in [0, 1]; 0 where it is not.

    Args:
        before: how each failing test ends without a change, by name.
        after: how some of them end with the candidate.

    Returns:
        From 0.6 when a test passes, 0.4 to 0.5 when one fails later in its file, 0.25 when one fails in a
        milder way, up to 0.2 when it compares nearer values. One that ends worse than before makes it 0.
    """
    steps = [_step(before[result.test], result) for result in after if result.test in before]
    if not steps or min(steps) < 0:
        return 0.0
    passed = sum(result.status is TestStatus.PASSED for result in after) / len(before)
    best = max(steps)
    return min(1.0, best + (1.0 - _FIXED) * passed) if best >= _FIXED else best


def sentence(before: Mapping[str, TestResult], after: Sequence[TestResult]) -> str:
    """What became better, for people; empty when nothing did."""
    fixed = [result.test for result in after if result.status is TestStatus.PASSED]
    if fixed:
        return f"repairs {len(fixed)} of {len(before)} failing tests"
    known = [(before[result.test], result) for result in after if result.test in before]
    old, new = max(known, key=lambda pair: _step(*pair), default=(None, None))
    if old is None or new is None or _step(old, new) <= 0:
        return ""
    if _lines_further(old, new) > 0:
        return f"fails later, in line {place(new)[-1]} instead of {place(old)[-1]} of its test"
    if _severity(new) < _severity(old):
        return f"ends with {_ending(new)} instead of {_ending(old)}"
    return "compares nearer values"


def behaviour(results: Sequence[TestResult]) -> str:
    """A string that is equal for candidates that no test distinguishes: how each test ended, and where."""
    parts = []
    for result in sorted(results, key=lambda result: result.test):
        sides = result.comparison
        values = (sides.operator, sides.left, sides.right) if sides else ()
        ended = (result.test, result.status.value, result.exception, result.message, place(result), values)
        parts.append(_ADDRESS.sub("0x", repr(ended)))
    return "\n".join(parts)


def place(result: TestResult) -> tuple[int, ...]:
    """The lines of the test's own file at which it failed, outermost first; empty where unknown."""
    path = result.test.partition("::")[0]
    lines: list[int] = []
    for frame in result.frames:
        if frame.path == path:
            lines.append(frame.line)
        elif lines:
            break
    return tuple(lines)


def brief(result: TestResult) -> TestResult:
    """``result`` without its trace, and with no more of its texts than is compared."""
    return replace(result, lines={}, steps=None, seconds=0.0, message=result.message[:_KEPT_MESSAGE])


def _step(old: TestResult, new: TestResult) -> float:
    """The progress of one test; negative when it ends worse."""
    if new.status is TestStatus.PASSED:
        return _FIXED
    if not new.status.is_failure:
        return -1.0  # skipped: that is no way to repair it
    worse = _severity(new) > _severity(old)
    gone = _lines_further(old, new)
    if gone < 0:
        return -1.0
    if gone > 0:
        return _LATER + _MUCH_LATER * gone / (gone + _LINES) if not worse else _NEARER
    if worse:
        return -1.0
    if _severity(new) < _severity(old):
        return _MILDER
    return _nearer(old, new)


def _lines_further(old: TestResult, new: TestResult) -> int:
    """How many lines later ``new`` failed in the test's file; negative for earlier, 0 where none is known."""
    pairs = zip(place(old), place(new), strict=False)
    return next((there - here for here, there in pairs if here != there), 0)


def _severity(result: TestResult) -> float:
    grade = _SEVERITY.get(result.status, 2)
    # An exception from within says that the program broke off; a wrong value, that it came to its end.
    return grade + (0.5 if result.status is TestStatus.FAILED and result.exception != _ASSERTION else 0.0)


def _nearer(old: TestResult, new: TestResult) -> float:
    far, near = distance(_compared(old)), distance(_compared(new))
    if far is None or near is None or near >= far:
        return 0.0
    return _NEARER * (far - near) / far


def _compared(result: TestResult) -> Comparison | None:
    """The comparison that failed; unittest writes it into its message."""
    if result.comparison is not None or result.exception != _ASSERTION:
        return result.comparison
    found = _UNITTEST.match(result.message)
    return Comparison(operator="==", left=found[1], right=found[2]) if found else None


def _ending(result: TestResult) -> str:
    if result.status is TestStatus.TIMEOUT:
        return "a hang"
    if result.status is TestStatus.CRASHED:
        return "a crash"
    return "a wrong value" if result.exception == _ASSERTION else (result.exception or "an error")

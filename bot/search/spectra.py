"""Fault localisation: which lines are worth changing first.

It reads what the tests did (line spectra, tracebacks) and nothing else: no source text, no files. What to
change on a suspicious line is the operators' business.
"""

import math
from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from bot.domain import Suspicion
from sandbox.reports import Frame, Steps, TestResult

Line = tuple[str, int]

# A frame is strong evidence when the code raised, and says little when an assertion failed far from the
# cause; half of a full spectrum score lets it reorder lines without hiding the spectrum.
_FRAME_SHARE = 0.5
_FRAME_DECAY = 0.5
# Closeness only breaks ties, so it must stay below any difference that the spectrum makes.
_CLOSENESS_SHARE = 0.02
_CLOSENESS_LINES = 10.0
# A line that all steps before the failing one executed keeps half of its score (1 / sqrt(1 + 3)): a fault
# often does no harm. One that the failing step did not execute may still have left a wrong state behind.
_EARLIER_WEIGHT = 3.0
_NOT_IN_LAST_STEP = 0.3


def ochiai(failing: Sequence[TestResult], passing: Sequence[TestResult]) -> dict[Line, float]:
    """The Ochiai coefficient of each line that a failing test executed, in (0, 1].

    ``ef / sqrt((ef + nf) * (ef + ep))``: Abreu, Zoeteweij and van Gemund, "An Evaluation of Similarity
    Coefficients for Software Fault Localization" (PRDC 2006). A test without a trace counts for nothing:
    it says neither that a line ran nor that it did not.
    """
    traced = [result for result in failing if result.lines]
    failed = _executed(traced)
    passed = _executed(passing)
    return {
        line: count / math.sqrt(len(traced) * (count + passed[line]))
        for line, count in sorted(failed.items())
    }


def step_shares(failing: Sequence[TestResult]) -> dict[Line, float]:
    """How much of its suspicion each line keeps when a test's steps are distinguished, in (0, 1].

    Ochiai within one test: the steps before the last one passed, the last one failed.
    """
    shares: dict[Line, list[float]] = {}
    for result in failing:
        for path, lines in result.lines.items():
            for line in lines:
                shares.setdefault((path, line), []).append(_step_share(result.steps, path, line))
    return {line: sum(found) / len(found) for line, found in shares.items()}


def suspicious_lines(
    failing: Sequence[TestResult],
    passing: Sequence[TestResult],
    is_source: Callable[[str], bool],
    *,
    spectra: bool = True,
) -> tuple[Suspicion, ...]:
    """Lines to change, most suspicious first; equal input gives equal output.

    Args:
        failing: failing results, traced or not.
        passing: passing results; only traced ones say anything.
        is_source: whether a path may be changed; test files are no suspects.
        spectra: without them each line that a failing test executed is as suspicious as another.

    Returns:
        Scores in (0, 1], the highest being 1; empty when neither a trace nor a frame points at source.
    """
    shares = step_shares(failing)
    scores = {
        line: score * shares.get(line, 1.0) if spectra else 1.0
        for line, score in ochiai(failing, passing).items()
        if is_source(line[0])
    }
    anchors: list[Frame] = []
    bonus: dict[Line, float] = {}
    for result in failing:
        frames = [frame for frame in reversed(result.frames) if is_source(frame.path)]
        anchors.extend(frames[:1])
        for depth, frame in enumerate(frames):
            line = (frame.path, frame.line)
            bonus[line] = max(bonus.get(line, 0.0), _FRAME_DECAY**depth)
    for line, share in bonus.items():
        scores[line] = scores.get(line, 0.0) + _FRAME_SHARE * share
    scores = {line: score + _closeness(line, anchors) for line, score in scores.items()}
    top = max(scores.values(), default=1.0)
    ordered = sorted(scores.items(), key=lambda item: (-item[1], item[0]))
    return tuple(Suspicion(path=path, line=line, score=score / top) for (path, line), score in ordered)


def _step_share(steps: Steps | None, path: str, line: int) -> float:
    if steps is None or not steps.last:
        return 1.0
    if line not in steps.last.get(path, ()):
        return _NOT_IN_LAST_STEP
    earlier = steps.earlier.get(path, {}).get(line, 0) / max(1, steps.count)
    return 1.0 / math.sqrt(1.0 + _EARLIER_WEIGHT * min(1.0, earlier))


def _executed(results: Iterable[TestResult]) -> Counter[Line]:
    """How many of ``results`` executed each line."""
    return Counter(
        (path, line) for result in results for path, lines in result.lines.items() for line in set(lines)
    )


def _closeness(line: Line, anchors: Sequence[Frame]) -> float:
    """A tie-breaker: near the place where a failing test left the source."""
    distances = [abs(frame.line - line[1]) for frame in anchors if frame.path == line[0]]
    if not distances:
        return 0.0
    return _CLOSENESS_SHARE / (1.0 + min(distances) / _CLOSENESS_LINES)

"""What the loop's tests share: short ways to a context, a result, a report, a candidate."""

import dataclasses

from fakes.progress import FakeClock, FakeProgress
from fakes.testbed import FakeTestbed, FakeTestbeds
from langgraph.runtime import Runtime
from sections import sections

from bot.agent.nodes.minimise import minimise
from bot.agent.nodes.select import select
from bot.agent.state import NoTrajectory, RepairContext, RepairState
from bot.agent.timing.stopwatch import Stopwatch
from bot.agent.trial.workers import WorkerOptions, Workers
from bot.domain import Attempt, Baseline, Candidate, Patch, SpanEdit, Verdict
from bot.engine import repair
from bot.patch.apply import apply
from bot.patch.policy.gate import Policy
from bot.request import RepairRequest
from sandbox.reports import TestReport, TestResult, TestStatus

PROJECTS = {one.name: one.parts for one in sections("sources/agent_projects.txt")}
FILES = PROJECTS["shop"]
(PATH, SOURCE), (_, TESTS) = FILES.items()
TOTAL, ZERO, HALF = (f"test_shop.py::test_{name}" for name in ("total", "zero", "half"))


def result(test, status=TestStatus.PASSED, seconds=0.0, **more):
    return TestResult(test=test, status=status, seconds=seconds, **more)


def failed_result(test, status=TestStatus.FAILED, seconds=0.0, **more):
    return result(test, status, seconds, **more)


def report(*results, complete=True, problem=""):
    failed = any(r.status.is_failure for r in results)
    return TestReport(
        results=results,
        complete=complete,
        exit_status=1 if failed else 0 if results else 5,
        seconds=1.0,
        problem=problem,
    )


def swap(old, new, *, path=PATH, text=SOURCE, origin="swap", score=0.0, explanation=""):
    """The candidate that puts ``new`` in the place of the first ``old``."""
    start = text.index(old)
    edit = SpanEdit(path=path, start=start, end=start + len(old), replacement=new)
    return Candidate(
        patch=Patch(edits=(edit,)), origin=origin, score=score, explanation=explanation or f"{old} -> {new}"
    )


def both(one, two, **more):
    """One candidate with the edits of two."""
    return Candidate(patch=Patch(edits=one.patch.edits + two.patch.edits), origin=one.origin, **more)


def by_model(candidate, turn=1):
    """``candidate`` as a model's, of its ``turn``."""
    return dataclasses.replace(candidate, turn=turn)


RIGHT = swap("a - b", "a + b")
WRONG = swap("a - b", "a * b")
OTHER = swap("a / 2", "a // 2", origin="other")
ALTERNATIVE = swap("a - b", "b + a", origin="alternative")


def attempt(candidate=RIGHT, verdict=Verdict.PLAUSIBLE, **more):
    return Attempt(candidate=candidate, verdict=verdict, **more)


def baseline(files=FILES):
    """What a run of ``files`` tells, as the reproduce node would note it."""
    seen = FakeTestbed(files).run()
    return Baseline(failing=seen.failing, passing=seen.passing, runs=1)


def state(**more):
    """The loop's state after the baseline was taken and the proof rehearsed."""
    return RepairState(**{"baseline": baseline(), "rehearsed": True, **more})


def texts(chosen):
    """The sources as the patch of ``chosen`` leaves them."""
    return apply(chosen.candidate.patch, FILES)


def slow_by(seconds):
    """A clock, and a testbed on which each run takes ``seconds`` of it."""
    clock = FakeClock()

    def wait(_number, _run):
        clock.now += seconds

    return {"clock": clock, "testbed": FakeTestbed(FILES, before_run=wait)}


def runtime(
    *,
    files=FILES,
    testbed=None,
    testbeds=None,
    clock=None,
    backends=(),
    trajectory=None,
    progress=None,
    policy=None,
    workers=1,
    base_testbeds=None,
    **request,
):
    """A context on fakes; ``request`` are fields of the repair's."""
    testbed = testbed or FakeTestbed(files)
    testbeds = testbeds or FakeTestbeds.of(files)
    progress = progress or FakeProgress()
    context = RepairContext(
        request=RepairRequest(**{"strategy": "search", **request}),
        sources=files,
        testbed=testbed,
        testbeds=testbeds,
        workers=Workers(testbed, testbeds, WorkerOptions(count=workers), progress),
        progress=progress,
        stopwatch=Stopwatch(clock=clock or FakeClock()),
        policy=policy or Policy(),
        backends=tuple(backends),
        trajectory=trajectory or NoTrajectory(),
        base_testbeds=base_testbeds,
    )
    return Runtime(context=context)


def with_variations(made, answer):
    """``made`` with testbeds that answer by the variables that they were opened with."""
    asked = []

    def varied(variables):
        asked.append(dict(variables))
        return FakeTestbeds(lambda _number: answer(dict(variables)))

    return Runtime(context=dataclasses.replace(made.context, varied=varied)), asked


def selected_and_minimised(before, run):
    """What the two nodes that make the choice change of the state ``before``."""
    selected = select(before, run)
    return {**selected, **minimise(dataclasses.replace(before, **selected), run)}


def repaired(files=FILES, **more):
    """A whole repair of ``files`` on fakes; ``more`` are fields of the request, and other ports."""
    asked = {one.name: more.pop(one.name) for one in dataclasses.fields(RepairRequest) if one.name in more}
    ports = {"testbeds": FakeTestbeds.of(files), "progress": FakeProgress(), "clock": FakeClock(), **more}
    return repair(RepairRequest(**{"strategy": "search", **asked}), sources=files, **ports)

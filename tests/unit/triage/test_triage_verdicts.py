"""Whole verdicts, from readings made by hand."""

import dataclasses

from every_case import every_case
from sections import GOLDEN

from bot.causes.exceptions import cause
from bot.cilog.model import (
    EnvironmentRun,
    LogEvidence,
    LogFailure,
    LogReading,
    LogSession,
    LogStatus,
    LogStep,
    LogTraceback,
    Raised,
    Topic,
)
from bot.triage import CauseKind, triage
from sandbox.reports import Frame

IN_CART = Frame(path="shop/cart.py", line=3, function="total")


def failed_test(test="tests/test_a.py::test_it", exception="AssertionError", message="assert 1 == 2", **more):
    return LogFailure(
        test=test,
        status=LogStatus.FAILED,
        exception=exception,
        message=message,
        frames=(IN_CART,),
        **more,
    )


def line(number, text, topic=Topic.EXIT, **more):
    return LogEvidence(topic=topic, log_line=number, text=text, **more)


def step(title, first, last, status=None):
    return LogStep(title=title, log_line=first, end_log_line=last, exit_status=status)


def session(**more):
    return LogSession(**{"log_line": 1, "end_log_line": 9, "finished": True, **more})


# -- what one exception says ---------------------------------------------------------------------------------


EXCEPTIONS = (GOLDEN / "triage" / "exceptions.txt").read_text("utf-8").splitlines()


@every_case("line", EXCEPTIONS)
def test_the_cause_that_an_exception_tells(line):
    name, _, exception = line.partition("  ")
    kind, _, message = exception.partition(":")
    found = cause(kind, message.removeprefix(" "), own={"shop", "tests"})

    assert f"{found.kind.value}/{found.subkind}" == name
    assert 0 < found.weight < 1


OFFLINE = {"exception": "socket.gaierror", "message": "[Errno -2] Name or service not known"}
CHAIN = failed_test(exception="shop.ShopClosed", related=(Raised(**OFFLINE),))
TO_FORMAT = "2 files would be reformatted, 3 files would be left unchanged."


@every_case(
    ("reading", "name"),
    [
        (LogReading(failures=(CHAIN,), failed=1), "infrastructure/network"),
        (
            LogReading(
                steps=(step("pip install", 1, 10), step("ruff check", 11, 20, 1)),
                evidence=(
                    line(5, "WARNING: Retrying: Temporary failure in name resolution"),
                    line(15, "Found 3 errors in 2 files (checked 41 source files)"),
                    line(20, "Process completed with exit code 1."),
                ),
            ),
            "lint/types",
        ),
        (
            LogReading(
                steps=(step("pytest", 11, 20),),
                evidence=(line(25, "The runner has received a shutdown signal."),),
            ),
            "infrastructure/runner",
        ),
        (
            LogReading(
                environments=(EnvironmentRun(tool="tox", name="lint", passed=False),),
                evidence=(line(15, TO_FORMAT),),
                log_lines=20,
            ),
            "lint/format",
        ),
    ],
    ids=["where a chain begins", "the step that failed", "after the steps", "an environment that failed"],
)
def test_what_counts(reading, name):
    assert triage(reading).name == name


# -- tests ---------------------------------------------------------------------------------------------------


def test_a_failing_assertion_is_the_codes():
    verdict = triage(LogReading(failures=(failed_test(log_line=12),), failed=1))

    assert (verdict.name, verdict.tests) == ("code/tests", ("tests/test_a.py::test_it",))
    assert verdict.confidence >= 0.9
    assert verdict.evidence[0].log_line == 12
    assert "1 of 1 failing tests" in verdict.evidence[0].why


def test_only_the_tests_that_look_like_code_are_passed_on():
    offline = failed_test("tests/test_b.py::test_net", **OFFLINE)
    verdict = triage(LogReading(failures=(offline, failed_test()), failed=2))

    assert verdict.kind is CauseKind.CODE
    assert verdict.tests == ("tests/test_a.py::test_it",)
    assert verdict.confidence < 0.7
    assert {finding.kind for finding in verdict.evidence} == {CauseKind.CODE, CauseKind.INFRASTRUCTURE}


def test_tests_that_fail_for_the_environment_only_are_not_the_codes():
    offline = tuple(failed_test(f"tests/test_b.py::test_{n}", **OFFLINE) for n in range(6))
    missing = failed_test("tests/test_c.py", "ModuleNotFoundError", "No module named 'widgets'")
    verdict = triage(LogReading(failures=(*offline, missing), failed=6, errors=1))

    assert verdict.name == "infrastructure/network"
    assert verdict.tests == ()


def test_the_projects_modules_are_told_apart_from_others():
    reading = LogReading(
        failures=(failed_test(exception="ModuleNotFoundError", message="No module named 'gears'"),)
    )

    assert triage(reading).kind is CauseKind.DEPENDENCY
    assert triage(reading, modules={"gears"}).kind is CauseKind.CODE


def test_failing_tests_outweigh_what_the_log_says_besides():
    noise = line(5, "ERROR: pip's dependency resolver does not currently take into account all the packages")
    verdict = triage(LogReading(failures=(failed_test(),), failed=1, evidence=(noise,)))

    assert verdict.kind is CauseKind.CODE


@every_case(
    ("tests", "name", "named"),
    [
        (("test_it", "test_it"), "code/crash", ("tests/test_a.py::test_it",)),
        (("test_10", "test_30"), "flaky/crash", ()),
    ],
    ids=["in one test", "now here now there"],
)
def test_an_interpreter_that_dies_is_the_codes_where_it_is_one_test(tests, name, named):
    crashed = tuple(
        line(n, f"tests/test_a.py::{test} Fatal Python error: Segmentation fault", Topic.CRASH)
        for n, test in zip((10, 30), tests, strict=True)
    )
    verdict = triage(LogReading(evidence=crashed, steps=(step("pytest", 1, 40, 139),)))

    assert (verdict.name, verdict.tests) == (name, named)


def retried(*, seed=""):
    runs = [
        session(log_line=n, end_log_line=n + 5, failed=failed, seed=seed) for n, failed in ((10, 1), (20, 0))
    ]
    return LogReading(
        failures=(failed_test(),),
        failed=1,
        steps=(step("pytest || pytest", 9, 30),),
        sessions=tuple(runs),
        log_lines=30,
    )


def test_a_test_that_fails_and_then_passes_in_one_step_is_flaky():
    verdict = triage(retried())

    assert (verdict.name, verdict.tests) == ("flaky/rerun", ())


def test_a_second_run_in_another_step_is_another_matter():
    reading = retried()
    steps = (step("pytest unit", 9, 16), step("pytest docs", 17, 30))
    assert triage(dataclasses.replace(reading, steps=steps)).kind is CauseKind.CODE
    failed = dataclasses.replace(reading, steps=(step("pytest || pytest", 9, 30, 1),))
    assert triage(failed).kind is CauseKind.CODE


def test_a_random_order_is_a_doubt():
    plain, shuffled = (
        triage(dataclasses.replace(retried(seed=seed), steps=(step("pytest", 9, 30, 1),)))
        for seed in ("", "1234")
    )
    assert shuffled.kind is CauseKind.CODE
    assert shuffled.confidence < plain.confidence
    assert any("1234" in finding.why for finding in shuffled.evidence)


# -- no tests ------------------------------------------------------------------------------------------------


def test_a_complaint_in_a_job_that_went_on_is_no_failure():
    reading = LogReading(
        steps=(step("pip install", 1, 10), step("pytest", 11, 20)),
        evidence=(line(5, "ERROR: No matching distribution found for widgets"),),
        sessions=(session(passed=3),),
        passed=3,
    )
    verdict = triage(reading)

    assert verdict.kind is CauseKind.PASSED
    assert verdict.confidence >= 0.9


def test_far_from_the_end_or_among_tests_output_a_line_weighs_less_and_two_meanings_are_surer():
    def sure(*lines, end=20, **more):
        return triage(LogReading(steps=(step("make", 1, end, 1),), evidence=lines, **more)).confidence

    near, far = (sure(line(10, "Read timed out"), line(end, "end"), end=end) for end in (20, 2_000))
    assert near > far
    missing = "ERROR: No matching distribution found for w"
    again = line(11, "ERROR: Could not find a version that satisfies the requirement w")
    once, among_tests = (
        sure(line(10, missing), **more) for more in ({}, {"sessions": (session(end_log_line=15),)})
    )
    twice, other = (
        sure(line(10, missing), one) for one in (again, line(12, "ERROR: Failed building wheel for w"))
    )
    assert among_tests < once == twice < other


@every_case(
    ("exception", "frames", "name", "said"),
    [
        (
            "TypeError",
            (Frame(path="shop/cart.py", line=3, function="total"),),
            "code/start",
            "shop/cart.py:3",
        ),
        # One that only reports that another command failed says nothing.
        ("subprocess.CalledProcessError", (), "unknown", "./run.py"),
    ],
)
def test_a_program_that_ends_with_an_exception_of_the_project(exception, frames, name, said):
    found = LogTraceback(exception=exception, message="…", log_line=10, end_log_line=15, frames=frames)
    verdict = triage(LogReading(steps=(step("./run.py", 1, 20, 1),), tracebacks=(found,), log_lines=30))

    assert verdict.name.startswith(name)
    assert said in verdict.evidence[0].why


@every_case("reading", [LogReading(), LogReading(sessions=(session(finished=False),), truncated=True)])
def test_what_is_no_log_or_ends_in_a_test_run_is_unknown(reading):
    verdict = triage(reading)

    assert verdict.kind is CauseKind.UNKNOWN
    assert verdict.confidence < 0.5

"""Whole verdicts, from readings made by hand."""

import dataclasses

import pytest

from bot.causes.exceptions import cause
from bot.cilog.model import (
    EnvironmentRun,
    Framework,
    LogEvidence,
    LogFailure,
    LogReading,
    LogSession,
    LogStatus,
    LogStep,
    LogTraceback,
    Raised,
    Relation,
    Topic,
)
from bot.triage import CauseKind, triage
from sandbox.reports import Frame


def failed_test(test="tests/test_a.py::test_it", exception="AssertionError", message="assert 1 == 2", **more):
    return LogFailure(
        test=test,
        status=LogStatus.FAILED,
        exception=exception,
        message=message,
        frames=(Frame(path="shop/cart.py", line=3, function="total"),),
        **more,
    )


def line(number, text, topic=Topic.EXIT, **more):
    return LogEvidence(topic=topic, log_line=number, text=text, **more)


def step(title, first, last, status=None):
    return LogStep(title=title, log_line=first, end_log_line=last, exit_status=status)


def session(**more):
    return LogSession(framework=Framework.PYTEST, log_line=1, end_log_line=9, finished=True, **more)


# -- what one exception says ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("exception", "message", "name"),
    [
        ("AssertionError", "assert 1 == 2", "code/tests"),
        ("", "", "code/tests"),
        ("ModuleNotFoundError", "No module named 'widgets'", "dependency/missing_module"),
        ("ModuleNotFoundError", "No module named 'shop.prices'", "code/import"),
        ("ModuleNotFoundError", "No module named 'distutils'", "code/import"),
        ("ModuleNotFoundError", "No module named 'asyncore'", "code/import"),
        ("ModuleNotFoundError", "No module named 'dataclases'", "code/import"),
        ("ModuleNotFoundError", "No module named 'contextlib2'", "dependency/missing_module"),
        ("ModuleNotFoundError", "No module named 'yaml'", "dependency/missing_module"),
        ("ImportError", "cannot import name 'x' from 'shop' (/w/shop/__init__.py)", "code/import"),
        (
            "ImportError",
            "cannot import name 'x' from 'widgets' (/lib/site-packages/widgets/__init__.py)",
            "dependency/version_conflict",
        ),
        (
            "ImportError",
            "cannot import name 'Thing' from partially initialized module 'w' (x)",
            "code/import",
        ),
        (
            "ImportError",
            "libGL.so.1: cannot open shared object file: No such file",
            "dependency/missing_library",
        ),
        ("AttributeError", "module 'widgets' has no attribute '_registry'", "dependency/version_conflict"),
        ("AttributeError", "module 'shop' has no attribute '_registry'", "code/tests"),
        ("AttributeError", "module 'math' has no attribute 'sqroot'", "code/tests"),
        ("AttributeError", "'NoneType' object has no attribute 'price'", "code/tests"),
        ("socket.gaierror", "[Errno -2] Name or service not known", "infrastructure/network"),
        (
            "requests.exceptions.ConnectionError",
            "HTTPSConnectionPool(host='a.example'): Max retries exceeded",
            "infrastructure/network",
        ),
        (
            "ConnectionRefusedError",
            "[Errno 111] Connect to 127.0.0.1:5432: Connection refused",
            "infrastructure/service",
        ),
        ("ConnectionError", "the shop is closed", "code/tests"),
        ("TimeoutError", "gave up after 3 tries", "code/tests"),
        ("requests.exceptions.HTTPError", "{'status_code': 405}", "code/tests"),
        ("OSError", "[Errno 28] No space left on device: '/tmp/x'", "infrastructure/disk"),
        (
            "AssertionError",
            "assert 'Connection refused' == '[Errno 28] No space left on device'",
            "code/tests",
        ),
        ("ValueError", "No space left on device", "code/tests"),
        ("RuntimeError", "CUDA out of memory. Tried to allocate 2 GiB", "infrastructure/memory"),
        ("RuntimeError", "No CUDA GPUs are available", "infrastructure/hardware"),
        ("FileNotFoundError", "[Errno 2] No such file or directory: 'git'", "dependency/missing_library"),
        ("FileNotFoundError", "[Errno 2] No such file or directory: 'data.csv'", "code/tests"),
        ("hypothesis.errors.Flaky", "Inconsistent results", "flaky/unreliable"),
        ("hypothesis.errors.DeadlineExceeded", "Test took 312.00ms, which exceeds", "flaky/timing"),
        (
            "botocore.exceptions.NoCredentialsError",
            "Unable to locate credentials",
            "configuration/permission",
        ),
        ("requests.exceptions.HTTPError", "503 Server Error: Service Unavailable", "infrastructure/network"),
        (
            "redis.exceptions.ConnectionError",
            "Error 111 connecting to localhost:6379. Connection refused.",
            "infrastructure/service",
        ),
        (
            "OSError",
            "We couldn't connect to 'https://models.example' to load this file",
            "infrastructure/network",
        ),
        ("MemoryError", "", "infrastructure/memory"),
        ("Failed", "fixture 'mocker' not found", "dependency/missing_module"),
        (
            "FixtureLookupError",
            "('mocker', <FixtureRequest for <Function test_x>>)",
            "dependency/missing_module",
        ),
        ("Failed", "fixture 'cart' not found", "code/tests"),
        ("Failed", "fixture 'settings' not found", "code/tests"),
        ("PytestUnknownMarkWarning", "Unknown pytest.mark.asyncio - is this", "dependency/missing_module"),
        ("PytestUnknownMarkWarning", "Unknown pytest.mark.slow - is this", "code/tests"),
        ("Failed", "async def functions are not natively supported.", "dependency/missing_module"),
        ("pkg_resources.DistributionNotFound", "The 'x' was not found", "dependency/version_conflict"),
    ],
)
def test_the_cause_that_an_exception_tells(exception, message, name):
    found = cause(exception, message, own={"shop", "tests"})

    assert f"{found.kind.value}/{found.subkind}" == name
    assert 0 < found.weight < 1


# -- tests ---------------------------------------------------------------------------------------------------


def test_a_failing_assertion_is_the_codes():
    verdict = triage(LogReading(failures=(failed_test(log_line=12),), failed=1))

    assert (verdict.name, verdict.tests) == ("code/tests", ("tests/test_a.py::test_it",))
    assert verdict.confidence >= 0.9
    assert verdict.evidence[0].log_line == 12
    assert "1 of 1 failing tests" in verdict.evidence[0].why


def test_only_the_tests_that_look_like_code_are_passed_on():
    offline = failed_test(
        "tests/test_b.py::test_net", "socket.gaierror", "[Errno -2] Name or service not known"
    )
    verdict = triage(LogReading(failures=(offline, failed_test()), failed=2))

    assert verdict.kind is CauseKind.CODE
    assert verdict.tests == ("tests/test_a.py::test_it",)
    assert verdict.confidence < 0.7
    assert {finding.kind for finding in verdict.evidence} == {CauseKind.CODE, CauseKind.INFRASTRUCTURE}


def test_tests_that_fail_for_the_environment_only_are_not_the_codes():
    offline = tuple(
        failed_test(f"tests/test_b.py::test_{n}", "socket.gaierror", "[Errno -2] Name or service not known")
        for n in range(6)
    )
    missing = failed_test("tests/test_c.py", "ModuleNotFoundError", "No module named 'widgets'")
    verdict = triage(LogReading(failures=(*offline, missing), failed=6, errors=1))

    assert verdict.name == "infrastructure/network"
    assert verdict.tests == ()


def test_where_a_chain_begins_counts():
    first = Raised(
        relation=Relation.CAUSE, exception="socket.gaierror", message="[Errno -2] Name or service not known"
    )
    verdict = triage(
        LogReading(failures=(failed_test(exception="shop.ShopClosed", related=(first,)),), failed=1)
    )

    assert verdict.name == "infrastructure/network"


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


def test_an_interpreter_that_dies_in_one_test_is_the_codes():
    crashed = [
        line(n, "tests/test_a.py::test_it Fatal Python error: Segmentation fault", Topic.CRASH, in_tests=True)
        for n in (10, 30)
    ]
    verdict = triage(LogReading(evidence=tuple(crashed), steps=(step("pytest", 1, 40, 139),)))

    assert (verdict.name, verdict.tests) == ("code/crash", ("tests/test_a.py::test_it",))


def test_an_interpreter_that_dies_now_here_now_there_is_flaky():
    crashed = [
        line(n, f"tests/test_a.py::test_{n} Fatal Python error: Segmentation fault", Topic.CRASH)
        for n in (10, 30)
    ]
    verdict = triage(LogReading(evidence=tuple(crashed), steps=(step("pytest", 1, 40, 139),)))

    assert (verdict.name, verdict.tests) == ("flaky/crash", ())


def retried(*, seed=""):
    runs = [
        LogSession(
            framework=Framework.PYTEST,
            log_line=n,
            end_log_line=n + 5,
            finished=True,
            failed=failed,
            seed=seed,
        )
        for n, failed in ((10, 1), (20, 0))
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


def test_only_the_step_that_failed_counts():
    reading = LogReading(
        steps=(step("pip install", 1, 10), step("ruff check", 11, 20, 1)),
        evidence=(
            line(5, "WARNING: Retrying: Temporary failure in name resolution"),
            line(15, "Found 3 errors in 2 files (checked 41 source files)"),
            line(20, "Process completed with exit code 1."),
        ),
    )
    assert triage(reading).name == "lint/types"


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


def test_a_runner_that_is_lost_is_told_after_the_steps():
    reading = LogReading(
        steps=(step("pytest", 11, 20),),
        evidence=(line(25, "The runner has received a shutdown signal."),),
    )
    assert triage(reading).name == "infrastructure/runner"


def test_far_from_the_end_a_line_weighs_less():
    near, far = (
        triage(
            LogReading(
                steps=(step("make", 1, end, 1),), evidence=(line(10, "Read timed out"), line(end, "end"))
            )
        )
        for end in (20, 2_000)
    )
    assert near.confidence > far.confidence


def test_among_tests_output_a_line_weighs_less():
    def verdict(**more):
        return triage(
            LogReading(
                steps=(step("make", 1, 20, 1),),
                evidence=(line(10, "ERROR: No matching distribution found for w", **more),),
            )
        )

    assert verdict().confidence > verdict(in_tests=True).confidence


def test_two_meanings_are_surer_than_one_said_twice():
    one = line(10, "ERROR: No matching distribution found for w")
    again = line(11, "ERROR: Could not find a version that satisfies the requirement w")
    other = line(12, "ERROR: Failed building wheel for w")
    verdicts = [
        triage(LogReading(steps=(step("pip", 1, 20, 1),), evidence=lines)).confidence
        for lines in ((one,), (one, again), (one, other))
    ]
    assert verdicts[0] == verdicts[1] < verdicts[2]


def test_a_program_that_ends_with_an_exception_of_the_project():
    traceback = LogTraceback(
        exception="TypeError",
        message="unexpected",
        log_line=10,
        end_log_line=15,
        frames=(Frame(path="shop/cart.py", line=3, function="total"),),
    )
    verdict = triage(LogReading(steps=(step("./run.py", 1, 20, 1),), tracebacks=(traceback,), log_lines=30))

    assert verdict.name == "code/start"
    assert "shop/cart.py:3" in verdict.evidence[0].why


def test_a_traceback_that_only_reports_another_command_says_nothing():
    traceback = LogTraceback(
        exception="subprocess.CalledProcessError", message="…", log_line=10, end_log_line=15
    )
    verdict = triage(LogReading(steps=(step("./run.py", 1, 20, 1),), tracebacks=(traceback,), log_lines=30))

    assert verdict.kind is CauseKind.UNKNOWN
    assert "./run.py" in verdict.evidence[0].why


def test_a_failed_environment_is_a_failure():
    reading = LogReading(
        environments=(EnvironmentRun(tool="tox", name="lint", passed=False, log_line=20),),
        evidence=(line(15, "2 files would be reformatted, 3 files would be left unchanged."),),
        log_lines=20,
    )
    assert triage(reading).name == "lint/format"


def test_what_is_no_log_is_unknown():
    verdict = triage(LogReading())

    assert verdict.kind is CauseKind.UNKNOWN
    assert verdict.confidence < 0.5


def test_a_log_that_ends_in_a_test_run_is_not_called_passing():
    cut = LogSession(framework=Framework.PYTEST, log_line=1, end_log_line=9, finished=False)
    assert triage(LogReading(sessions=(cut,), truncated=True)).kind is CauseKind.UNKNOWN

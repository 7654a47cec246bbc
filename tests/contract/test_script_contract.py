"""A Python program as a test, in every provider: one verdict, and none that can be forged."""

import pytest
from sections import sections
from test_testbed_contract import make  # noqa: F401 - make is a fixture

from sandbox.reports import TestStatus
from sandbox.snapshot import Entry

CHECK, MODULE, UNITTEST = sections("sources/script_contract.txt")[0].parts.values()
FIXED = {"module.py": MODULE.replace("a - b", "a + b").encode()}
FORKS = "import os\nif os.fork() == 0:\n    raise SystemExit(0)\nos.wait()\nassert 0\n"
STARTS_ANOTHER = "import subprocess, sys\nsubprocess.run([sys.executable, '-c', 'pass'], check=True)\n"


@pytest.fixture(scope="module")
def run(make):  # noqa: F811 - the fixture
    """Runs a program of one file once."""

    def once(text, command="python check.py", *, grace_s=2.0, **options):
        with make(command, check__py=text, module__py=MODULE, grace_s=grace_s).open() as bed:
            return bed.run(**options)

    return once


def test_a_script_is_one_test_that_is_explained_traced_and_repaired(make):  # noqa: F811
    with make("python3 check.py --quickly", module__py=MODULE, check__py=CHECK).open() as bed:
        report = bed.run(trace=True)
        (failure,) = report.failing
        assert report.complete
        assert report.exit_status == 1
        assert (failure.test, failure.status) == ("python3 check.py --quickly", TestStatus.FAILED)
        assert (failure.exception, failure.message) == ("AssertionError", "assert add(2, 2) == 4")
        assert [(frame.path, frame.line, frame.function) for frame in failure.frames] == [
            ("check.py", 12, "<module>"),
            ("check.py", 7, "check"),
        ]
        assert failure.lines["module.py"] == (1, 2, 5)
        assert "checking ['--quickly']" in report.output
        assert "AssertionError" in report.output
        assert "<regreen>" not in report.output
        for quick in (False, True):
            fixed = bed.run(tests=[failure.test], changes=FIXED, quick=quick)
            assert fixed.proves({failure.test})
            assert "all is well" in fixed.output
            assert [r.status for r in bed.run(quick=quick).results] == [TestStatus.FAILED]


@pytest.mark.parametrize(
    ("text", "status", "exit_status"),
    [
        ("x = 1\n", TestStatus.PASSED, 0),
        ("import sys\nsys.exit()\n", TestStatus.PASSED, 0),
        ("raise SystemExit(0)\n", TestStatus.PASSED, 0),
        ("raise SystemExit(False)\n", TestStatus.PASSED, 0),
        ("raise SystemExit(True)\n", TestStatus.FAILED, 1),
        ("import sys\nsys.exit(3)\n", TestStatus.FAILED, 3),
        ("import sys\nsys.exit(256)\n", TestStatus.FAILED, 1),
        ("import sys\nsys.exit('all is lost')\n", TestStatus.FAILED, 1),
        ("raise KeyboardInterrupt\n", TestStatus.FAILED, 130),
        ("x = (\n", TestStatus.FAILED, 1),
        ("import os\nos._exit(0)\n", TestStatus.CRASHED, 0),
        ("print('1 passed')\nimport os\nos.kill(os.getpid(), 15)\n", TestStatus.CRASHED, 143),
        ("import atexit, os\natexit.register(os._exit, 0)\nassert 0\n", TestStatus.CRASHED, 0),
        ("import threading\nthreading.Thread(target=print, args=['late']).start()\n", TestStatus.PASSED, 0),
        (FORKS, TestStatus.FAILED, 1),
        (STARTS_ANOTHER, TestStatus.PASSED, 0),
        ("class Odd(Exception):\n    __str__ = None\nraise Odd\n", TestStatus.FAILED, 1),
    ],
)  # fmt: skip
def test_how_a_program_ends_is_its_verdict(run, text, status, exit_status):
    report = run(text)
    assert [(result.test, result.status) for result in report.results] == [("python check.py", status)]
    assert report.exit_status == exit_status
    assert report.complete
    assert report.proves({"python check.py"}) == (status is TestStatus.PASSED)


def test_a_message_for_the_exit_is_the_reason(run):
    report = run("import sys\nsys.exit('all is lost')\n")
    assert (report.results[0].exception, report.results[0].message) == ("SystemExit", "all is lost")
    assert "all is lost" in report.output


def test_a_syntax_error_is_found_where_it_is(make):  # noqa: F811
    with make("python check.py", check__py="import module\n", module__py="def add(:\n").open() as bed:
        (failure,) = bed.run().failing
    assert failure.exception == "SyntaxError"
    assert failure.frames[-1].path == "module.py"


def test_a_program_that_is_not_there_is_no_test(make):  # noqa: F811
    with make("python checks.py", check__py=CHECK, module__py=MODULE).open() as bed:
        report = bed.run()
    assert report.results == ()
    assert report.exit_status == 2
    assert "can't open file 'checks.py'" in report.output


@pytest.mark.parametrize(
    "body",
    [
        "while True:\n    pass\n",
        "while True:\n    try:\n        time.sleep(9)\n    except BaseException:\n        pass\n",
        "import atexit\natexit.register(time.sleep, 9)\n",
        "import threading\nthreading.Thread(target=time.sleep, args=[9]).start()\n",
    ],
)
def test_a_program_that_hangs_has_a_verdict_too(run, body):
    report = run("import time\n" + body, timeout_s={"python check.py": 0.3}, grace_s=0.5)
    assert [result.status for result in report.results] == [TestStatus.TIMEOUT]
    assert report.complete
    assert not report.proves(set())


def test_success_that_the_changed_file_declares_is_none(make):  # noqa: F811
    leaving = {"module.py": b"import sys\n\n\ndef add(a, b):\n    sys.exit(0)\n"}
    with make("python check.py", module__py=MODULE, check__py=CHECK).open() as bed:
        (failure,) = bed.run(changes=leaving).failing
        assert failure.message == "the program left by SystemExit in module.py, which was changed"


def test_another_test_than_the_program_is_not_run(make):  # noqa: F811
    with make("python check.py", module__py=MODULE, check__py=CHECK).open() as bed:
        assert bed.run(tests=["test_module.py::test_a"]).results == ()
        assert bed.run(tests=[]).results == ()


@pytest.mark.slow
@pytest.mark.parametrize(
    "attack",
    [
        "import unittest\nunittest.TestCase.assertEqual = lambda *a: None\n",
        "import unittest\nunittest.TestResult.wasSuccessful = lambda self: True\n",
        "import unittest\nunittest.TextTestRunner.run = lambda self, test: unittest.TestResult()\n",
        "import unittest\nunittest.TestCase.run = lambda self, result=None: result\n",
    ],
)
def test_tests_that_were_made_to_agree_are_found_out(make, attack):  # noqa: F811
    with make("python check.py", module__py=MODULE, check__py=UNITTEST).open() as bed:
        report = bed.run(changes={"module.py": (attack + MODULE).encode()})
        assert not report.proves({"python check.py"})
        assert bed.run(changes=FIXED).proves({"python check.py"})


def test_a_unittest_program_shows_what_failed(make):  # noqa: F811
    with make("python check.py -v", module__py=MODULE, check__py=UNITTEST).open() as bed:
        (failure,) = bed.run(trace=True).failing
        assert (failure.exception, failure.message) == ("AssertionError", "0 != 4")
        assert ("check.py", 8) in [(frame.path, frame.line) for frame in failure.frames]
        assert 2 in failure.lines["module.py"]


PROGRAM = {
    "package/__init__.py": "",
    "package/__main__.py": "import sys\nfrom . import VALUE, random\nsys.exit(VALUE + random.ZERO)\n",
    "package/random.py": "ZERO = 0\n",
}


@pytest.mark.slow
@pytest.mark.parametrize("case", sections("contract/programs.txt"), ids=lambda case: case.name)
def test_a_program_finds_what_python_would_give_it(make, case):  # noqa: F811
    with make(case.name, files={**PROGRAM, **case.parts}).open() as bed:
        report = bed.run()
        assert report.proves({case.name}), (report, report.output)


def test_an_executable_file_is_run_by_the_python_it_names(make):  # noqa: F811
    entries = (
        Entry(path="module.py", data=MODULE.encode()),
        Entry(path="run_tests.py", data=b"#!/usr/bin/env python3\n" + CHECK.encode(), executable=True),
    )
    with make("./run_tests.py", entries=entries).open() as bed:
        (failure,) = bed.run(trace=True).failing
    assert failure.frames[-1].path == "run_tests.py"
    assert failure.lines["module.py"]

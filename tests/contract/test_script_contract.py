"""Programs and unittest-style projects in every provider: one verdict each, and none that can be forged."""

from __future__ import annotations

import dataclasses

import pytest
from test_testbed_contract import make  # noqa: F401 - make is a fixture

from sandbox.reports import TestStatus
from sandbox.snapshot import Entry, Snapshot

pytestmark = pytest.mark.xdist_group("scripts")

MODULE = """\
def add(a, b):
    return a - b


def sign(x):
    if x > 0:
        return 1
    return -1
"""
FIXED = {"module.py": MODULE.replace("a - b", "a + b").encode()}
CHECK = """\
import sys

from module import add


def check():
    assert add(2, 2) == 4


if __name__ == "__main__":
    print("checking", sys.argv[1:])
    check()
    print("all is well")
"""


def with_files(testbeds, files):
    entries = tuple(Entry(path=path, data=text.encode()) for path, text in sorted(files.items()))
    return dataclasses.replace(testbeds, snapshot=Snapshot(entries=entries))


@pytest.fixture(scope="module")
def run(make):  # noqa: F811 - the fixture
    """Runs a program of one file once."""

    def once(text, command="python check.py", **options):
        with make(command, check__py=text, module__py=MODULE).open() as bed:
            return bed.run(**options)

    return once


# Programs ----------------------------------------------------------------------------------------


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
        ("import os\nif os.fork() == 0:\n    raise SystemExit(0)\nos.wait()\nassert 0\n", TestStatus.FAILED, 1),
        ("import subprocess, sys\nsubprocess.run([sys.executable, '-c', 'pass'], check=True)\n", TestStatus.PASSED, 0),
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
    "body", ["while True:\n    pass\n", "while True:\n    try:\n        time.sleep(9)\n    except BaseException:\n        pass\n"]
)  # fmt: skip
def test_a_program_that_hangs_has_a_verdict_too(run, body):
    report = run("import time\n" + body, timeout_s={"python check.py": 0.3})
    assert [result.status for result in report.results] == [TestStatus.TIMEOUT]
    assert report.complete
    assert not report.proves(set())


def test_a_flood_of_output_is_kept_to_its_end(run):
    report = run("print('x' * 3_000_000)\nprint('the end')\n")
    assert report.proves({"python check.py"})
    assert "the end" in report.output
    assert len(report.output) < 100_000


def test_success_that_the_changed_file_declares_is_none(make):  # noqa: F811
    leaving = {"module.py": b"import sys\n\n\ndef add(a, b):\n    sys.exit(0)\n"}
    with make("python check.py", module__py=MODULE, check__py=CHECK).open() as bed:
        (failure,) = bed.run(changes=leaving).failing
        assert failure.message == "the program left by SystemExit in module.py, which was changed"


def test_another_test_than_the_program_is_not_run(make):  # noqa: F811
    with make("python check.py", module__py=MODULE, check__py=CHECK).open() as bed:
        assert bed.run(tests=["test_module.py::test_a"]).results == ()
        assert bed.run(tests=[]).results == ()


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
    test = (
        "import unittest\n\nimport module\n\n\nclass T(unittest.TestCase):\n    def test_add(self):\n"
        "        self.assertEqual(module.add(2, 2), 4)\n\n\nif __name__ == '__main__':\n    unittest.main()\n"
    )
    with make("python check.py", module__py=MODULE, check__py=test).open() as bed:
        report = bed.run(changes={"module.py": (attack + MODULE).encode()})
        assert not report.proves({"python check.py"})
        assert bed.run(changes=FIXED).proves({"python check.py"})


def test_a_unittest_program_shows_what_failed(make):  # noqa: F811
    test = (
        "import unittest\n\nimport module\n\n\nclass T(unittest.TestCase):\n    def test_add(self):\n"
        "        self.assertEqual(module.add(2, 2), 4)\n\n\nif __name__ == '__main__':\n    unittest.main()\n"
    )
    with make("python check.py -v", module__py=MODULE, check__py=test).open() as bed:
        (failure,) = bed.run(trace=True).failing
        assert (failure.exception, failure.message) == ("AssertionError", "0 != 4")
        assert ("check.py", 8) in [(frame.path, frame.line) for frame in failure.frames]
        assert 2 in failure.lines["module.py"]


PROGRAM = {
    "package/__init__.py": "",
    "package/__main__.py": "import sys\nfrom . import VALUE, random\nsys.exit(VALUE + random.ZERO)\n",
    "package/random.py": "ZERO = 0\n",
}


@pytest.mark.parametrize(
    ("command", "files"),
    [
        ("python -m package", {}),
        ("python -m package.checks", {"package/checks.py": "from . import VALUE\nassert VALUE == 0\n"}),
        ("python package/check.py", {"package/check.py": "import random\nassert random.ZERO == 0\n"}),
        ("PYTHONPATH=lib python check.py", {"lib/deep.py": "", "check.py": "import deep\n"}),
        ("PYTHONPATH=lib python -m tools.check", {"lib/tools/check.py": "assert __package__ == 'tools'\n"}),
        ("LEVEL=3 python -W error -X dev check.py", {
            "check.py": "import os, sys, warnings\nassert os.environ['LEVEL'] == '3' and sys.flags.dev_mode\n"
            "try:\n    warnings.warn('x')\nexcept UserWarning:\n    pass\nelse:\n    raise AssertionError\n"
        }),
        ("python check.py a 'b c'", {
            "check.py": "import sys\nassert sys.argv[1:] == ['a', 'b c'], sys.argv\n"
            "assert __name__ == '__main__' and sys.modules['__main__'].__dict__ is globals()\n"
            "import os\nassert not sys.stdin.read() and sys.path[0] == os.getcwd()\n"
        }),
        ("python check", {"check/__main__.py": "import near\n", "check/near.py": ""}),
        ("python check.py", {
            "check.py": "import multiprocessing\n\ndef double(x):\n    return 2 * x\n\n"
            "if __name__ == '__main__':\n    with multiprocessing.get_context('spawn').Pool(1) as pool:\n"
            "        assert pool.map(double, [1, 2]) == [2, 4]\n"
        }),
    ],
)  # fmt: skip
def test_a_program_finds_what_python_would_give_it(make, command, files):  # noqa: F811
    value = {"package/__init__.py": "VALUE = 0\n"} if "package" in command else {}
    with with_files(make(command), {**PROGRAM, **value, **files}).open() as bed:
        report = bed.run()
        assert report.proves({command}), (report, report.output)


def test_an_executable_file_is_run_by_the_python_it_names(make):  # noqa: F811
    entries = (
        Entry(path="module.py", data=MODULE.encode()),
        Entry(path="run_tests.py", data=b"#!/usr/bin/env python3\n" + CHECK.encode(), executable=True),
    )
    testbeds = dataclasses.replace(make("./run_tests.py"), snapshot=Snapshot(entries=entries))
    with testbeds.open() as bed:
        (failure,) = bed.run(trace=True).failing
    assert failure.frames[-1].path == "run_tests.py"
    assert failure.lines["module.py"]


# unittest ----------------------------------------------------------------------------------------

UNITTEST = {
    "module.py": MODULE,
    "pytest.ini": "[pytest]\naddopts = --no-such-option\n",
    "conftest.py": "raise RuntimeError('unittest reads no conftest.py')\n",
    "tests/__init__.py": "",
    "tests/helper.py": "TWO = 2\n",
    "tests/test_module.py": """\
import unittest

from module import add, sign
from tests.helper import TWO

STATE = []


def setUpModule():
    STATE.append("module")


def test_is_no_test_for_unittest():
    raise AssertionError


class TestIsNone:
    def test_either(self):
        raise AssertionError


class Arithmetic(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        STATE.append("class")

    def test_add(self):
        self.assertEqual(add(TWO, 2), 4)

    def test_sign(self):
        for x, expected in ((1, 1), (-1, -1)):
            with self.subTest(x=x):
                self.assertEqual(sign(x), expected)

    def test_state(self):
        self.assertEqual(STATE, ["module", "class"])

    @unittest.skip("not today")
    def test_skipped(self):
        raise AssertionError

    @unittest.expectedFailure
    def test_expected(self):
        self.assertEqual(sign(0), 0)


class Later(unittest.IsolatedAsyncioTestCase if hasattr(unittest, "IsolatedAsyncioTestCase") else unittest.TestCase):
    def test_later(self):
        self.assertTrue(sign(3))
""",
}
PREFIX = "tests/test_module.py::Arithmetic::test_"


@pytest.fixture(scope="module")
def unittest_bed(make):  # noqa: F811
    with with_files(make("python -m unittest"), UNITTEST).open() as bed:
        yield bed


def by_name(report):
    return {result.test.rpartition("test_")[2]: result.status for result in report.results}


ALL = {
    "add": TestStatus.FAILED,
    "sign": TestStatus.PASSED,
    "state": TestStatus.PASSED,
    "skipped": TestStatus.SKIPPED,
    "expected": TestStatus.XFAILED,
    "later": TestStatus.PASSED,
}


def test_a_unittest_project_has_a_verdict_for_each_test(unittest_bed):
    report = unittest_bed.run(trace=True)
    assert report.complete, report.output
    assert report.exit_status == 1
    assert by_name(report) == ALL
    (failure,) = report.failing
    assert (failure.exception, failure.message.partition("\n")[0]) == ("AssertionError", "0 != 4")
    assert failure.lines["module.py"] == (2,)
    assert failure.frames[-1].path == "tests/test_module.py"


def test_quick_verdicts_on_a_unittest_project_are_those_of_whole_runs(unittest_bed):
    tests = [f"{PREFIX}{name}" for name in ("add", "sign")]
    for change in (b"a + b", b"a * b", b"a - b", b"a // 0"):
        changes = {"module.py": MODULE.encode().replace(b"a - b", change)}
        quick = unittest_bed.run(tests=tests, changes=changes, quick=True)
        whole = unittest_bed.run(tests=tests, changes=changes)
        assert by_name(quick) == by_name(whole)
        assert quick.proves(set(tests)) == whole.proves(set(tests)) == (change in {b"a + b", b"a * b"})


@pytest.mark.parametrize(
    ("arguments", "names"),
    [
        ("-v -f -b tests.test_module", set(ALL)),
        ("tests/test_module.py", set(ALL)),
        ("tests.test_module.Arithmetic.test_add", {"add"}),
        ("tests.test_module.Later tests.test_module.Arithmetic.test_sign", {"later", "sign"}),
        ("-k Arithmetic.test_s -k '*_later'", {"sign", "state", "skipped", "later"}),
        ("discover -s tests -t . -p 'test_m*.py' -k ADD", set()),
        ("discover tests", set(ALL)),
        ("discover -s tests -p 'check_*.py'", set()),
    ],
)
def test_the_options_of_unittest_choose_the_same_tests(make, arguments, names):  # noqa: F811
    with with_files(make(f"python -m unittest {arguments}"), UNITTEST).open() as bed:
        report = bed.run()
    assert set(by_name(report)) == names, report.output
    assert report.exit_status == (5 if not names else 1 if "add" in names else 0)


def test_a_folder_of_tests_that_is_no_package_finds_its_neighbours(make):  # noqa: F811
    files = {
        "module.py": MODULE,
        "checks/helper.py": "FOUR = 4\n",
        "checks/unit/__init__.py": "",
        "checks/unit/check_add.py": "import unittest\n\nfrom helper import FOUR\nfrom module import add\n\n\n"
        "class T(unittest.TestCase):\n    def test_add(self):\n        self.assertEqual(add(2, 2), FOUR)\n",
    }
    tests = ["checks/unit/check_add.py::T::test_add"]
    with with_files(make("python -m unittest discover checks 'check_*.py'"), files).open() as bed:
        assert [result.test for result in bed.run().failing] == tests
        assert bed.run(changes=FIXED, tests=tests).proves(set(tests))
        assert bed.run(changes=FIXED, tests=tests, quick=True).proves(set(tests))


def test_where_the_project_chooses_its_tests_itself_unittest_does_it(make):  # noqa: F811
    load = (
        "\n\ndef load_tests(loader, tests, pattern):\n"
        "    return loader.loadTestsFromName('Arithmetic.test_add', __import__(__name__, fromlist=['x']))\n"
    )
    files = dict(UNITTEST, **{"tests/test_module.py": UNITTEST["tests/test_module.py"] + load})
    notes = []
    testbeds = dataclasses.replace(with_files(make("python -m unittest -v"), files), notify=notes.append)
    with testbeds.open() as bed:
        report = bed.run(trace=True)
        (failure,) = report.failing
        assert notes == ["unittest runs as one test, which is slower: tests/test_module.py uses load_tests"]
        assert (failure.test, failure.exception, failure.message) == (
            "python -m unittest -v",
            "AssertionError",
            "0 != 4",
        )
        assert "Ran 1 test" in report.output
        assert 2 in failure.lines["module.py"]
        assert bed.run(changes=FIXED).proves({"python -m unittest -v"})


def test_warnings_are_errors_where_the_command_says_so(make):  # noqa: F811
    test = (
        "import unittest, warnings\n\n\nclass T(unittest.TestCase):\n    def test_it(self):\n"
        "        warnings.warn('old', DeprecationWarning)\n"
    )
    for options, status in (("", TestStatus.PASSED), ("-W error::DeprecationWarning", TestStatus.FAILED)):
        with make(f"python {options} -m unittest", test_it__py=test).open() as bed:
            assert [result.status for result in bed.run().results] == [status]

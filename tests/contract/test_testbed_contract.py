"""The contract of ``ports.Testbed``, over pytest in every provider."""

import dataclasses
import textwrap

import pytest
from providers import PROVIDERS

from sandbox.command import parse
from sandbox.reports import TestStatus
from sandbox.resolve import resolve
from sandbox.snapshot import Entry, Snapshot
from sandbox.testing import SandboxTestbeds
from sandbox.times import TestTimes

pytestmark = pytest.mark.xdist_group("testbed")

MODULE = """\
def add(a, b):
    return a - b


def sign(x):
    if x > 0:
        return 1
    return -1
"""
TESTS = """\
import unittest

import pytest

from module import add, sign


def test_wrong():
    assert add(2, 2) == 4


@pytest.mark.parametrize("x", [1, 5], ids=["one", "five and more"])
def test_sign(x):
    assert sign(x) == 1


class TestGroup:
    def test_zero(self):
        assert add(0, 0) == 0


class Old(unittest.TestCase):
    def test_old_style(self):
        self.assertEqual(sign(-3), -1)


@pytest.mark.skip(reason="not today")
def test_skipped():
    raise AssertionError


@pytest.mark.xfail(strict=True)
def test_expected():
    assert add(1, 1) == 2


@pytest.fixture
def broken():
    raise RuntimeError("no fixture")


def test_setup_fails(broken):
    pass
"""
WILD = """\
import os, sys, time


def test_hangs():
    while True:
        time.sleep(1)


def test_swallows_its_timeout():
    while True:
        try:
            time.sleep(60)
        except BaseException:
            pass


def test_leaves():
    print("1 passed in 0.01s")
    os._exit(0)


def test_kills_its_parent():
    os.kill(os.getppid(), 9)
    os.killpg(0, 9)


def test_last():
    pass
"""


def snapshot(**files):
    named = {name.replace("__", "."): text for name, text in files.items()}
    return Snapshot(entries=tuple(Entry(path=p, data=t.encode()) for p, t in sorted(named.items())))


@pytest.fixture(scope="module", params=PROVIDERS)
def make(request, make_provider):
    provider, spec = make_provider(request.param)

    def testbeds(command="python -m pytest", *, entries=(), grace_s=2.0, test_s=5.0, **files):
        times = TestTimes(test_s=test_s, collect_s=30, suite_s=60, grace_s=grace_s)
        project = Snapshot(entries=(*entries, *snapshot(**files).entries))
        command = resolve(parse(command), project).command
        return SandboxTestbeds(provider=provider, spec=spec, snapshot=project, command=command, times=times)

    return testbeds


@pytest.fixture(scope="module")
def testbed(make):
    with make(module__py=MODULE, test_module__py=TESTS).open() as bed:
        yield bed


def statuses(report):
    return {result.test.split("::", 1)[1]: result.status for result in report.results}


@pytest.mark.slow
def test_every_kind_of_verdict(testbed):
    report = testbed.run()
    assert report.complete
    assert report.exit_status == 1
    assert statuses(report) == {
        "test_wrong": TestStatus.FAILED,
        "test_sign[one]": TestStatus.PASSED,
        "test_sign[five and more]": TestStatus.PASSED,
        "TestGroup::test_zero": TestStatus.PASSED,
        "Old::test_old_style": TestStatus.PASSED,
        "test_skipped": TestStatus.SKIPPED,
        "test_expected": TestStatus.XFAILED,
        "test_setup_fails": TestStatus.ERROR,
    }


def test_a_failure_is_explained(testbed):
    (failure,) = testbed.run(tests=["test_module.py::test_wrong"]).failing
    assert failure.exception == "AssertionError"
    assert "assert 0 == 4" in failure.message
    assert failure.comparison is not None
    assert (failure.comparison.operator, failure.comparison.left, failure.comparison.right) == (
        "==",
        "0",
        "4",
    )
    assert [(frame.path, frame.line) for frame in failure.frames] == [("test_module.py", 9)]


def test_only_the_chosen_tests_run_in_the_given_order(testbed):
    tests = ["test_module.py::TestGroup::test_zero", "test_module.py::test_sign[five and more]"]
    report = testbed.run(tests=tests)
    assert [result.test for result in report.results] == tests
    assert report.proves(set(tests))


def test_a_change_makes_the_test_pass_and_is_undone(testbed):
    tests = ["test_module.py::test_wrong"]
    fixed = MODULE.replace("a - b", "a + b").encode()
    assert testbed.run(tests=tests, changes={"module.py": fixed}).proves(set(tests))
    assert not testbed.run(tests=tests).proves(set(tests))


@pytest.mark.slow
def test_changes_of_equal_size_in_quick_succession_are_told_apart(testbed):
    tests = ["test_module.py::test_wrong"]
    for operator in "*-+-*+":
        report = testbed.run(tests=tests, changes={"module.py": MODULE.replace("-", operator, 1).encode()})
        assert report.proves(set(tests)) == (operator in "+*"), operator


def test_a_trace_tells_the_lines_of_each_test(testbed):
    report = testbed.run(
        tests=["test_module.py::test_sign[one]", "test_module.py::Old::test_old_style"], trace=True
    )
    first, second = (dict(result.lines)["module.py"] for result in report.results)
    assert first == (6, 7)
    assert second == (6, 8)
    assert all(path in {"module.py", "test_module.py"} for result in report.results for path in result.lines)


def test_without_a_trace_there_are_no_lines(testbed):
    assert all(not result.lines for result in testbed.run().results)


def test_it_stops_at_the_first_failure_when_asked(testbed):
    tests = ["test_module.py::test_wrong", "test_module.py::TestGroup::test_zero"]
    report = testbed.run(tests=tests, stop_at_first_failure=True)
    assert [result.test for result in report.results] == tests[:1]
    assert not report.proves({"test_module.py::TestGroup::test_zero"})


def test_a_test_that_does_not_exist_proves_nothing(testbed):
    report = testbed.run(tests=["test_module.py::test_absent"])
    assert not report.proves({"test_module.py::test_absent"})


@pytest.mark.slow
def test_a_module_that_cannot_be_imported_fails_as_a_file(make):
    with make(module__py="def add(:\n", test_module__py="import module\ndef test_a(): pass\n").open() as bed:
        (failure,) = bed.run().failing
        assert (failure.test, failure.status, failure.exception) == (
            "test_module.py",
            TestStatus.ERROR,
            "SyntaxError",
        )
        assert failure.frames[-1].path == "module.py"
        repaired = bed.run(tests=["test_module.py"], changes={"module.py": b"x = 1\n"})
        assert repaired.proves({"test_module.py"})


@pytest.mark.slow
def test_no_tests_at_all(make):
    with make(module__py=MODULE).open() as bed:
        report = bed.run()
    assert report.results == ()
    assert report.exit_status == 5


@pytest.mark.slow
def test_hostile_tests_do_not_become_passes_and_do_not_stop_the_others(make, request):
    with make(test_wild__py=WILD, grace_s=0.5).open() as bed:
        if request.node.callspec.params["make"] == "process":
            pytest.skip("known gap: in plain processes a test can kill its supervisor")
        hanging = ("test_hangs", "test_swallows_its_timeout")
        report = bed.run(timeout_s={f"test_wild.py::{name}": 0.5 for name in hanging})
    assert statuses(report) == {
        "test_hangs": TestStatus.TIMEOUT,
        "test_swallows_its_timeout": TestStatus.TIMEOUT,
        "test_leaves": TestStatus.CRASHED,
        "test_kills_its_parent": TestStatus.CRASHED,
        "test_last": TestStatus.PASSED,
    }


@pytest.mark.slow
def test_a_hang_is_confirmed_once_in_a_process_that_had_nothing_loaded(make):
    """So that nobody has to wait for it a third time."""
    code = "import time\n\n\ndef test_hangs():\n    time.sleep(60)\n\n\ndef test_wrong():\n    assert False\n"
    with make(test_slow__py=code, test_s=0.3).open() as bed:
        first, second = (bed.run() for _ in range(2))
    assert statuses(first) == {"test_hangs": TestStatus.TIMEOUT, "test_wrong": TestStatus.FAILED}
    assert first.confirmed == ("test_slow.py::test_hangs",)
    assert second.confirmed == ()


def test_a_printed_report_is_only_text(make):
    code = (
        "import os, sys\nprint('test_spoof.py::test_a PASSED\\n1 passed')\nsys.stdout.flush()\nos._exit(0)\n"
    )
    with make(test_spoof__py=code).open() as bed:
        report = bed.run()
    assert not report.complete
    assert report.results == ()
    assert "exit status 0 while collecting" in report.problem
    assert not report.proves(set())


@pytest.mark.slow
def test_a_collection_that_hangs_ends(make):
    testbeds = make(test_slow__py="import time\ntime.sleep(1000)\n")
    with testbeds.open() as bed:
        bed._times = TestTimes(test_s=1, collect_s=1, suite_s=60)
        report = bed.run()
    assert report.problem == "the test process did not finish in time while collecting the tests"


@pytest.mark.slow
def test_options_of_the_command_are_kept(make):
    with make("pytest -k sign", module__py=MODULE, test_module__py=TESTS, conftest__py="").open() as bed:
        assert set(statuses(bed.run())) == {"test_sign[one]", "test_sign[five and more]"}


def test_variables_in_front_of_the_command_are_its_environment():
    command = parse("MODE=strict pytest -q")
    assert (command.launch.environment, command.arguments) == ((("MODE", "strict"),), ("-q",))


@pytest.mark.slow
@pytest.mark.parametrize("quick", [False, True])
def test_a_test_that_asks_which_modules_are_loaded_passes_with_each_candidate(make, quick):
    """What a run imports from outside the project is imported ahead of the next one, if that is no matter."""
    test = (
        "import sys\n\ndef test_lazy():\n    assert 'imaplib' not in sys.modules\n\n"
        "def test_use():\n    import imaplib\n    import module\n    assert module.VALUE\n"
    )
    tests = ["test_lazy.py::test_lazy", "test_lazy.py::test_use"]
    with make(module__py="VALUE = 1\n", test_lazy__py=test).open() as bed:
        assert bed.run().proves(set(tests))
        for value in (b"2", b"3"):
            report = bed.run(tests=tests, changes={"module.py": b"VALUE = " + value}, quick=quick)
            assert report.proves(set(tests)), statuses(report)
        assert statuses(bed.run(changes={"module.py": b"VALUE = 0"}))["test_use"] is TestStatus.FAILED


@pytest.mark.slow
def test_variables_that_an_interpreter_reads_at_its_start_are_there_then(make):
    test = (
        "import sys\n\ndef test_flags():\n    assert sys.flags.utf8_mode == 1\n"
        "    assert sys.flags.hash_randomization == 0\n"
    )
    with make("PYTHONUTF8=1 PYTHONHASHSEED=0 pytest", test_flags__py=test).open() as bed:
        assert bed.run().proves({"test_flags.py::test_flags"})


@pytest.mark.slow
def test_the_src_layout_is_importable_and_nothing_of_it_reaches_the_supervisor(make):
    spy = "import os\nopen('/tmp/regreen-spy', 'a').write(str(os.getpid()) + ' ' + str(os.getppid()))\n"
    test = (
        "import os, package.thing, random\n\ndef test_it():\n    assert package.thing.VALUE == 1\n"
        "    assert random.MINE\n    assert not os.path.exists('/tmp/regreen-spy')\n"
    )
    files = {
        "src/package/__init__.py": "",
        "src/package/thing.py": "VALUE = 1\n",
        "src/random.py": "MINE = True\n",
        "sitecustomize.py": spy,
        "src/sitecustomize.py": spy,
        "tests/test_it.py": test,
    }
    testbeds = make()
    entries = tuple(Entry(path=path, data=text.encode()) for path, text in sorted(files.items()))
    testbeds = dataclasses.replace(
        testbeds, snapshot=Snapshot(entries=entries), environment={"PYTHONPATH": "src"}
    )
    with testbeds.open() as bed:
        assert bed.run().proves({"tests/test_it.py::test_it"})


@pytest.mark.slow
def test_a_shared_fixture_does_not_count_against_the_first_test(make):
    test = (
        "import time, pytest\n\n@pytest.fixture(scope='module')\ndef slow():\n    time.sleep(0.7)\n\n"
        "def test_one(slow):\n    pass\n"
    )
    with make(test_slow__py=test).open() as bed:
        tests = ["test_slow.py::test_one"]
        assert bed.run(tests=tests, timeout_s={tests[0]: 0.3}).proves(set(tests))


@pytest.mark.slow
def test_options_that_end_a_run_early_have_no_say(make):
    ini = "[pytest]\naddopts = -x --maxfail=1 -p no:xdist\n"
    test = "def test_a():\n    assert 0\n\n\ndef test_b():\n    pass\n"
    with make(pytest__ini=ini, test_x__py=test).open() as bed:
        report = bed.run()
    assert statuses(report) == {"test_a": TestStatus.FAILED, "test_b": TestStatus.PASSED}
    assert report.complete


WRECKER = """\
import os, pathlib, shutil, tempfile
for name in ("data.txt", "package/extra.py"):
    if os.path.exists(name):
        os.remove(name)
shutil.rmtree("package", ignore_errors=True)
pathlib.Path("package").write_text("a file in the place of a directory")
pathlib.Path("left.py").write_text("x = 1")
os.remove(__file__)
os.mkdir(__file__)
pathlib.Path(tempfile.gettempdir(), "left").write_text("y")
VALUE = 2
"""


@pytest.mark.slow
def test_a_candidate_that_wrecks_the_project_does_not_harm_the_next(make):
    test = (
        "import os, module\n\ndef test_it():\n    assert open('data.txt').read() == 'data'\n"
        "    import package.extra\n    assert not os.path.exists('left.py')\n"
        "    assert package.extra.__file__ and module.VALUE == 1\n"
    )
    files = {
        "module.py": "VALUE = 0\n",
        "data.txt": "data",
        "package/__init__.py": "",
        "package/extra.py": "",
        "test_it.py": test,
    }
    entries = tuple(Entry(path=path, data=text.encode()) for path, text in sorted(files.items()))
    tests = ["test_it.py::test_it"]
    with make(entries=entries).open() as bed:
        for _ in range(2):
            assert not bed.run(tests=tests, changes={"module.py": WRECKER.encode()}).proves(set(tests))
            assert bed.run(tests=tests, changes={"module.py": b"VALUE = 1\n"}).proves(set(tests))


@pytest.mark.slow
def test_a_collection_error_is_found_again_whatever_the_root(make):
    files = {
        "tests/pytest.ini": "[pytest]\n",
        "tests/test_it.py": "import module\n\ndef test_it():\n    pass\n",
        "module.py": "def (\n",
    }
    entries = tuple(Entry(path=path, data=text.encode()) for path, text in sorted(files.items()))
    with make("python -m pytest -c tests/pytest.ini tests", entries=entries).open() as bed:
        (failure,) = bed.run().failing
        assert bed.run(tests=[failure.test], changes={"module.py": b"x = 1\n"}).proves({failure.test})


def test_a_shell_command_is_one_test(make):
    script = "from module import add\nprint('.\\n' * 700_000)\nassert add(2, 2) == 4, 'two and two'\n"
    command = "python3 check.py 2>&1 && echo done"  # what matters comes last, after more than is kept
    with make(command, module__py=MODULE, check__py=script).open() as bed:
        (failure,) = bed.run().failing
        fixed = bed.run(changes={"module.py": MODULE.replace("a - b", "a + b").encode()})
    assert (failure.status, failure.exception, failure.message) == (
        TestStatus.FAILED,
        "AssertionError",
        "two and two",
    )
    assert [(frame.path, frame.line) for frame in failure.frames] == [("check.py", 3)]
    assert fixed.proves({command})


PARTS = """\
import module, unittest

class TestParts(unittest.TestCase):
    def check(self, *skipped):
        for part in (1, 2, 3):
            with self.subTest(part=part):
                if part in skipped:
                    self.skipTest("not here")
                self.assertEqual(module.add(part, 1), part + 1)

    def test_first(self):
        self.check(1)

    def test_middle(self):
        self.check(2)

    def test_last(self):
        self.check(3)

    def test_all(self):
        self.check(1, 2, 3)

    def test_whole(self):
        self.check(1)
        self.skipTest("nor here")
"""


@pytest.mark.slow
def test_the_skip_of_a_part_is_not_that_of_the_test(make_provider):
    provider, spec = make_provider("process")
    project = snapshot(module__py=MODULE, test_parts__py=PARTS)
    testbeds = SandboxTestbeds(provider=provider, spec=spec, snapshot=project, command=parse("pytest"))
    right = {"module.py": MODULE.replace("a - b", "a + b").encode()}
    with testbeds.open() as bed:
        before, after = bed.run(), bed.run(changes=right)
        tests = [result.test for result in before.results]
        quick = bed.run(tests=tests, changes=right, quick=True)
        wrong = bed.run(tests=tests, changes={"module.py": MODULE.encode() + b"# wrong\n"}, quick=True)
    names = {name: f"test_parts.py::TestParts::test_{name}" for name in ("first", "middle", "last", "all")}
    failing = {names["first"], names["middle"], names["last"]}
    assert {result.test for result in before.failing} >= failing
    assert {result.test for result in wrong.failing} >= failing
    assert {result.test for result in after.passing} == set(names.values())
    assert {result.test for result in quick.passing} == set(names.values())


FREEZE = "import time\ntime.perf_counter = time.monotonic = lambda: 1.7e9\n"


FROZEN = "import pytest\n\n\n@pytest.fixture(scope='session', autouse=True)\ndef frozen():\n"


@pytest.mark.slow
@pytest.mark.parametrize("by", ["fixture", "test"])
def test_a_clock_that_the_tests_stop_does_not_say_how_long_they_took(make_provider, by):
    """As libraries that freeze the time do it, some for a whole session."""
    files = {
        "test_it__py": "def test_it():\n" + textwrap.indent(FREEZE if by == "test" else "pass\n", "    ")
    }
    if by == "fixture":
        files["conftest__py"] = FROZEN + textwrap.indent(FREEZE, "    ")
    provider, spec = make_provider("process")
    project = snapshot(module__py=MODULE, **files)
    testbeds = SandboxTestbeds(
        provider=provider, spec=spec, snapshot=project, command=parse("python -m pytest")
    )
    with testbeds.open() as bed:
        for quick in (False, True):
            report = bed.run(tests=["test_it.py::test_it"], changes={"module.py": b""}, quick=quick)
            assert report.proves({"test_it.py::test_it"})
            assert all(0 <= result.seconds < 60 for result in report.results)

"""Verdicts a second beside mutation testers and beside other ways: what is drawn, compared and reported."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from benchmark_rows import run
from click.testing import CliRunner
from every_case import every_case

from benchmarks.datasets.humanevalfix import Task
from benchmarks.libraries.catalogue import LIBRARY, items
from benchmarks.libraries.seeding import executed
from benchmarks.runs.runfile import Run
from benchmarks.seeded.mutants import Mutant, covered
from benchmarks.speed.__main__ import main
from benchmarks.speed.peers import WAYS
from benchmarks.speed.report import page
from benchmarks.speed.verdicts import peer
from benchmarks.speed.work import MEASURED, OURS
from benchmarks.speed.workload import Workload
from benchmarks.throughput import compared, ours, peers, report
from benchmarks.throughput.judged import HUNG, KILLED, NOT_JUDGED, SURVIVED, judged, read
from benchmarks.throughput.ours import parsed, tree_cpu_s
from sandbox.reports import TestReport, TestResult, TestStatus
from sandbox.snapshot import Entry, Snapshot

SOURCE = "def one():\n    return 1\n\n\ndef two():\n    return 2\n"


def mutant(what, replacement, path="m.py"):
    start = SOURCE.index(what)
    return Mutant(
        path=path,
        operator="core/NumberReplacer",
        occurrence=0,
        start=start,
        end=start + len(what),
        replacement=replacement,
    )


def verdicts(*said, seconds=1.0, cpu=0.5, tests=3):
    return [
        judged(number, verdict, seconds=seconds, cpu=cpu, tests=tests) for number, verdict in enumerate(said)
    ]


def row(**found):
    usual = {
        "task": "yarl",
        "outcome": "measured",
        "regreen": verdicts(KILLED, SURVIVED, KILLED, seconds=0.1, cpu=0.05),
        "prepared": {"regreen": 0.7, "mutmut": 2.0},
        "mutmut": verdicts(KILLED, SURVIVED, SURVIVED, seconds=1.0),
        "cosmic_ray": verdicts(KILLED, seconds=5.0),
        "mutants": [["m.py", 4, "core/NumberReplacer", "2"]] * 3,
        "judged_by": 900,
        "limit": {"fork": 0.001, "tests": [["a", 0.001, 0.004], ["b", 0.009, 0.015], ["c", 0.0, 0.003]]},
        "suite": {"native": 2.0, "first run": 2.5},
        "load": [1.5, 2.5],
    }
    return {**usual, **found}


def test_a_mutant_is_covered_where_its_own_lines_are():
    assert covered(mutant("return 2", "return 3"), SOURCE, {6})
    assert not covered(mutant("return 2", "return 3"), SOURCE, {1, 2, 5})
    assert covered(mutant("1\n\n\ndef two", "2\n\n\ndef two"), SOURCE, {5})
    assert covered(mutant("def one", "def uno"), SOURCE, {1})


def test_lines_of_tests_and_of_other_files_are_not_mutated():
    files = tuple(Entry(path=path, data=b"") for path in ("m.py", "tests/test_m.py"))
    lines = {"m.py": (1, 2), "tests/test_m.py": (1,), "elsewhere.py": (3,)}
    results = (
        TestResult(test="a", status=TestStatus.PASSED, lines=lines),
        TestResult(test="b", status=TestStatus.PASSED, lines={"m.py": (2, 5)}),
    )
    report = TestReport(results=results, complete=True, exit_status=0, seconds=0.1)
    assert executed(report, Snapshot(entries=files)) == {"m.py": {1: ["a"], 2: ["a", "b"], 5: ["b"]}}


@every_case(
    ("said", "verdict"),
    [
        ("killed", KILLED),
        ("survived", SURVIVED),
        ("timeout", HUNG),
        ("suspicious", KILLED),
        ("incompetent", KILLED),
        ("no tests", NOT_JUDGED),
        ("not checked", NOT_JUDGED),
    ],
)
def test_verdicts_of_the_tools_have_one_form(said, verdict):
    found = read({"number": 3, "verdict": said, "seconds": 1, "cpu": 0.5})
    assert (found["number"], found["verdict"]) == (3, verdict)


def test_a_run_that_proves_less_than_all_tests_kills_the_mutant():
    tests = [TestResult(test=name, status=TestStatus.PASSED) for name in "ab"]
    whole = TestReport(results=tuple(tests), complete=True, exit_status=0, seconds=0.1)
    assert ours.verdict(whole, tests) == SURVIVED
    one = TestReport(results=tuple(tests[:1]), complete=False, exit_status=1, seconds=0.1)
    assert ours.verdict(one, tests) == KILLED
    hung = TestResult(test="b", status=TestStatus.TIMEOUT)
    late = TestReport(results=(tests[0], hung), complete=True, exit_status=1, seconds=0.1)
    assert ours.verdict(late, tests) == HUNG


def test_rates_are_compared_on_the_mutants_that_both_judged():
    assert compared.ratio(row(), compared.MUTMUT) == pytest.approx(10)
    assert compared.ratio(row(), compared.MUTMUT, cpu=True) == pytest.approx(10)
    assert compared.whole(row(), compared.MUTMUT) == pytest.approx(5)
    assert compared.whole(row(), compared.COSMIC_RAY) is None
    assert compared.ratio(row(), compared.COSMIC_RAY) == pytest.approx(50)
    nothing = row(cosmic_ray=[])
    assert compared.ratio(nothing, compared.COSMIC_RAY) is None


def test_a_mutant_that_hangs_has_no_rate_and_counts_as_noticed():
    hanging = row(mutmut=verdicts(HUNG, SURVIVED, KILLED, seconds=1.0))
    assert sorted(compared.judged_by(hanging, compared.MUTMUT)) == [1, 2]
    assert compared.agreement(hanging, compared.MUTMUT) == (3, [])


@every_case(
    ("theirs", "tests", "cause"),
    [
        ((KILLED, SURVIVED, SURVIVED), 3, ""),
        ((KILLED, SURVIVED, SURVIVED), 7, "other tests: 3 and 7"),
        ((KILLED, HUNG, KILLED), 3, "time limits differ"),
    ],
)
def test_a_difference_names_its_cause_where_the_verdicts_show_it(theirs, tests, cause):
    found = row(mutmut=verdicts(*theirs, tests=tests))
    both, (difference,) = compared.agreement(found, compared.MUTMUT)
    assert (both, compared.cause(compared.MUTMUT, *difference)) == (3, cause)


@every_case(
    ("verdict", "right"),
    [(KILLED, "the whole suite agrees with Regreen"), (SURVIVED, "agrees with mutmut"), (None, "")],
)
def test_the_suite_says_who_is_right_where_it_was_run(verdict, right):
    found = row(mutmut=verdicts(SURVIVED, SURVIVED, KILLED), suite_says={"0": verdict} if verdict else {})
    mine = compared.judged_by(found, compared.OURS)[0]
    assert compared.who_is_right(found, compared.MUTMUT, mine).endswith(right)


def test_the_limit_is_a_bare_fork_and_the_tests_own_time():
    assert compared.over_limit(row()) == pytest.approx(2.0)


def test_the_tables_have_rates_ratios_limits_and_each_difference():
    crashed = {"task": "attrs", "outcome": "crashed", "reason": "first\nlast"}
    unjudged = row(problems={"mutmut": "exit status 1"})
    page = report.page(Run(header={}, rows=(unjudged, crashed)))
    assert "| yarl (C extensions) | 900 | 3 | 10.00 | 1.00 | 0.20 | 0.7 | 2.0 |" in page
    assert "| median | 10.0 | 10.0 | 10.0 | 5.0 | 50.0 | 2/3 | 1/1 |" in page
    assert "| yarl (C extensions) | 1.0 | 1.0 | 4.0 | 2.00 |" in page
    assert "yarl, `m.py` at 4, NumberReplacer: Regreen killed (-), mutmut survived: not explained" in page
    assert "- yarl could not be judged by mutmut: exit status 1" in page
    assert "- attrs was not measured: last" in page


def test_the_usual_libraries_are_in_the_catalogue(tmp_path):
    names = {item.name for item in items(cache=tmp_path) if item.group == LIBRARY}
    assert set(report.KINDS) <= names


def test_mutmut_lies_beside_the_projects_own_packages(tmp_path):
    own, other = (tmp_path / name / "lib" / "python3.13" / "site-packages" for name in ("own", "other"))
    for place, names in ((own, ["rich"]), (other, ["rich", "libcst", "a-1.dist-info", "mutmut-3.dist-info"])):
        for name in names:
            (place / name).mkdir(parents=True)
    links = peers.beside_the_project(other, tmp_path / "own" / "bin" / "python", tmp_path)
    assert sorted(entry.name for entry in links.iterdir()) == ["libcst", "mutmut-3.dist-info"]


def test_a_process_counts_with_the_children_that_it_waited_for():
    stat = "7 (a ) b) S 3 7 7 0 -1 0 0 0 0 0 150 50 200 100 20 0 1 0 1"
    assert parsed(stat) == (3, 500 / os.sysconf("SC_CLK_TCK"))
    before = tree_cpu_s()
    subprocess.run([sys.executable, "-c", "sum(range(4_000_000))"], check=True)
    assert tree_cpu_s() > before


def test_the_plugin_keeps_the_tests_to_judge_by(tmp_path):
    (tmp_path / "test_a.py").write_text("def test_one(): pass\ndef test_two(): assert 0\n", "utf-8")
    (tmp_path / "kept.json").write_text('["test_a.py::test_one"]', "utf-8")
    plugins = Path(report.__file__).parents[1] / "inside"
    environment = {
        **os.environ,
        "PYTHONPATH": str(plugins),
        "REGREEN_JUDGED_TESTS": str(tmp_path / "kept.json"),
    }
    options = ["-p", "judged_tests", "-p", "no:cacheprovider", "-q", "--rootdir=."]
    argv = [sys.executable, "-m", "pytest", *options]
    done = subprocess.run(argv, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert "1 passed, 1 deselected" in done.stdout, done.stdout + done.stderr


TASK = Task(
    name="Python/0",
    bug_type="value misuse",
    module="import math\n\ndef half(n):\n    return n\n",
    test="from solution import *\n\ndef test_half():\n    assert half(4) == 2\n",
    canonical="",
)
RIGHT, WRONG = ("import math\n\ndef half(n):\n    return n " + sign for sign in ("// 2\n", "* 2\n"))
NOISY = "print('loud')\n" + RIGHT
LEAVING = "import os\n\ndef half(n):\n    raise SystemExit(0)\n"


def workload(*modules):
    return Workload(
        task=TASK, snapshot=Snapshot(entries=()), test="test_solution.py::test_half", modules=modules
    )


@every_case("way", WAYS)
def test_each_other_way_judges_rightly(way):
    measured = peer(way, sys.executable, workload(RIGHT, WRONG, NOISY))
    assert measured["verdicts"] == [True, False, True]
    assert measured["seconds"] > 0
    assert peer(way, sys.executable, workload(RIGHT, WRONG), sample=1)["verdicts"] == [True]


@every_case("way", ["fork", "process"])
def test_a_program_that_leaves_early_is_no_pass(way):
    assert peer(way, sys.executable, workload(LEAVING))["verdicts"] == [False]


def test_the_tables():
    def measured(seconds, opening):
        ways = {
            OURS: {"verdicts": [True, False], "seconds": seconds},
            "as well": {"verdicts": [True, True], "seconds": seconds},
            "slow": {"verdicts": [True], "seconds": 0.5},
        }
        return {"outcome": MEASURED, "ways": ways, "openings": {"docker": [opening] * 2}}

    text = page(run(measured(0.01, 0.1), measured(0.03, 0.3), {"outcome": "crashed"}))
    assert "4 candidates of 2 tasks; verdicts on which two ways differ: 2." in text
    assert "| Regreen, 1 worker | 100.0 | 10.00 | 1.00 |" in text
    assert "| slow | 2.0 | 500.00 | 50.00 |" in text
    assert "| docker | 200.0 |" in text


def test_help_and_a_missing_dataset():
    assert "HumanEvalFix" in CliRunner().invoke(main, ["--help"]).output
    assert CliRunner().invoke(main, ["--dataset", "/no/such/file"]).exit_code == 2

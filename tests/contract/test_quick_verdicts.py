"""Quick verdicts on every CPython: each kind of change takes effect, alone, and leaves nothing behind."""

import pytest
from quick_candidates import ALL, CANDIDATES, PREFIX, SHOP, TESTS
from sections import sections

from sandbox.reports import TestStatus

pytestmark = pytest.mark.interpreters


@pytest.fixture(scope="module")
def notes():
    return []


@pytest.fixture(scope="module")
def bed(make, notes):
    with make(shop__py=SHOP, test_shop__py=TESTS, notify=notes.append).open() as bed:
        report = bed.run()
        assert report.proves(set(ALL)), report
        yield bed


def failing_names(report):
    return [result.test.rpartition("test_")[2] for result in report.failing]


def changed(old, new):
    assert SHOP.count(old) == 1, old
    return {"shop.py": SHOP.replace(old, new).encode()}


@pytest.mark.slow
def test_each_kind_of_change_has_its_effect_and_no_other(bed, notes):
    wrong = {}
    for old, new, expected in CANDIDATES:
        report = bed.run(tests=ALL, changes=changed(old, new), quick=True)
        if expected is None:
            sound = not report.proves(set())
        else:
            sound = failing_names(report) == expected and len(report.results) == len(ALL) and report.complete
        if not sound:
            wrong[old, new] = (failing_names(report), report.problem, report.output[-500:])
    assert wrong == {}
    assert bed.run(tests=ALL, quick=True).proves(set(ALL))
    assert notes == [], "the quick way is open to such a project"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("new", "status"),
    [
        ("return [0 for _ in iter(int, 1)]", TestStatus.TIMEOUT),
        ("__import__('os')._exit(0)", TestStatus.CRASHED),
        ("__import__('os').abort()", TestStatus.CRASHED),
        ("__import__('ctypes').string_at(0)", TestStatus.CRASHED),
        ("raise SystemExit(0)", TestStatus.FAILED),
        ("return price(n)", TestStatus.FAILED),
    ],
)
def test_however_a_candidate_ends_the_next_verdict_is_right(bed, new, status):
    test = [f"{PREFIX}test_price"]
    limit_s = 0.3 if status is TestStatus.TIMEOUT else None
    changes = changed("return n * RATE - extra", new)
    report = bed.run(tests=test, changes=changes, quick=True, timeout_s=limit_s)
    assert [result.status for result in report.results] == [status]
    assert not report.proves(set(test))
    assert bed.run(tests=test, quick=True).proves(set(test))


@pytest.mark.slow
@pytest.mark.parametrize("new", [None, "extra += 0\n    return n * RATE - extra", "return n * RATE + extra"])
def test_a_quick_trace_tells_what_a_whole_one_tells(bed, new):
    """Lines below a change have moved: a function that was swapped in alone would leave them behind."""
    changes = changed("return n * RATE - extra", new) if new else None
    quick = bed.run(tests=ALL, changes=changes, trace=True, quick=True)
    whole = bed.run(tests=ALL, changes=changes, trace=True)
    said = [{r.test: (r.status, r.lines, r.steps) for r in report.results} for report in (quick, whole)]
    assert said[0] == said[1]
    assert any(said[0][test][1] for test in ALL)


def test_what_cannot_be_compiled_fails(bed):
    for new in ("return n *", "return 0\n\n\ndef", "return '\\0\0'", "return 0  # \udcff"):
        changes = {"shop.py": SHOP.replace("return n * RATE - extra", new).encode("utf-8", "surrogateescape")}
        report = bed.run(tests=ALL, changes=changes, quick=True)
        assert not report.proves(set()), new
    assert bed.run(tests=ALL, quick=True).proves(set(ALL))


def test_a_function_that_is_gone_fails(bed):
    assert not bed.run(tests=ALL, changes=changed("def price", "def cost"), quick=True).proves(set())


def test_a_new_file_is_found_and_gone_again(bed):
    test = [f"{PREFIX}test_price"]
    calling = changed("return n * RATE - extra", "import helper; return helper.answer(n)")
    helper = {"helper.py": b"def answer(n):\n    return 2 * n\n"}
    assert bed.run(tests=test, changes={**calling, **helper}, quick=True).proves(set(test))
    (failure,) = bed.run(tests=test, changes=calling, quick=True).failing
    assert failure.exception == "ModuleNotFoundError"


def test_a_failure_is_explained_by_the_lines_of_the_candidate(bed):
    longer = "n += 1\n    raise LookupError(n)"
    changes = changed("return n * RATE - extra", longer)
    (failure,) = bed.run(tests=[f"{PREFIX}test_price"], changes=changes, quick=True).failing
    assert (failure.exception, failure.message) == ("LookupError", "4")
    assert [(f.path, f.line, f.function) for f in failure.frames] == [
        ("test_shop.py", 10, "test_price"),
        ("shop.py", 14, "price"),
    ]


def test_a_wrong_value_is_told_with_the_right_one_as_a_whole_run_does(bed):
    changes = changed("return n * RATE - extra", "return n * RATE - extra + 1000")
    quick, whole = (
        bed.run(tests=[f"{PREFIX}test_price"], changes=changes, quick=quick).failing[0]
        for quick in (True, False)
    )
    assert quick.comparison == whole.comparison
    assert whole.comparison is not None


def test_the_first_failure_ends_a_quick_run_too(bed):
    changes = changed("n * RATE - extra", "0")
    report = bed.run(tests=ALL, changes=changes, quick=True, stop_at_first_failure=True)
    assert [result.test for result in report.results] == ALL[:1]


@pytest.mark.parametrize("quick", [True, False])
def test_what_passed_before_the_first_failure_is_believed(bed, quick):
    """The next test was never begun; what is set up for it does not hinder the control test."""
    changes = changed("return n + 1", "return n")
    stop_at = [f"{PREFIX}test_price", f"{PREFIX}test_cached", f"{PREFIX}test_doc"]
    report = bed.run(tests=stop_at, changes=changes, quick=quick, stop_at_first_failure=True)
    assert [result.status for result in report.results] == [TestStatus.PASSED, TestStatus.FAILED]


PACKAGE = sections("contract/quick_package.txt")[0].parts


# Only one process can have it loaded: what is loaded beside a run is in its way, or the other way round.
ALONE = """
import os

os.mkdir("taken")


def one():
    return 1
"""
OF_ONE = """
import os, alone


def teardown_module():
    os.path.isdir("taken") and os.rmdir("taken")


def test_one():
    assert alone.one() == 2
"""


@pytest.mark.parametrize("module", [ALONE, ALONE.replace('os.mkdir("taken")', "")], ids=["alone", "free"])
def test_what_is_loaded_beside_a_run_judges_as_what_is_loaded_after_it(make, module):
    test, changes = "test_one.py::test_one", {"alone.py": module.replace("return 1", "return 2").encode()}
    with make(alone__py=module, test_one__py=OF_ONE).open() as bed:
        assert [result.test for result in bed.run().failing] == [test]
        assert bed.run(tests=[test], ahead=True).passing == ()
        for _ in range(2):
            assert [result.test for result in bed.run(tests=[test], quick=True).failing] == [test]
            assert bed.run(tests=[test], changes=changes, quick=True).proves({test})


@pytest.mark.slow
def test_a_package_with_fixtures_of_many_tests(make):
    notes = []
    testbeds = make(files=PACKAGE, environment={"PYTHONPATH": "src"}, notify=notes.append)
    table, total, old = tests = [
        "tests/test_table.py::test_table",
        "tests/test_table.py::test_total",
        "tests/test_old.py::TestOld::test_rows",
    ]
    core, late = (PACKAGE[f"src/shop/{name}.py"] for name in ("core", "late"))
    candidates = [
        ("core", core.replace("range(n)", "range(n + 1)"), [table, old]),
        ("core", core.replace("sum(rows)", "max(rows)"), [total]),
        ("late", late.replace("[1, 2]", "[1, 1]"), [total]),
        ("core", core, []),
    ]
    with testbeds.open() as bed:
        assert bed.run().proves(set(tests))
        for module, text, expected in candidates:
            changes = {f"src/shop/{module}.py": text.encode()}
            report = bed.run(tests=tests, changes=changes, quick=True)
            assert [result.test for result in report.failing] == expected, text
            assert report.complete
    assert notes == []


COOKIES = (
    (b"", "swap"),
    (b"# Encoding and decoding of prices.\n", "swap"),
    (b"# -*- coding: utf-8 -*-\n", "swap"),
    (b"#!/usr/bin/python\n# vim: set fileencoding=UTF8 :\n", "swap"),
    (b"# coding: latin-1\n", "import"),
    (b"\xef\xbb\xbf", "import"),
)


def sign_in(cookie, sign):
    encoded = sign.encode("latin-1" if b"latin" in cookie else "utf-8")
    return cookie + b"def sign():\n    return '" + encoded + b"'\n"


def test_a_file_that_names_its_encoding_takes_effect(make, variant):
    """What is UTF-8 anyway is swapped in; the interpreter reads the others."""
    test = "import {0}\n\n\ndef test_sign():\n    assert ascii({0}.sign()) == ascii('\\u00e8')\n"
    files = {f"test_shop{n}.py": test.format(f"shop{n}") for n in range(len(COOKIES))}
    files |= {f"shop{n}.py": sign_in(cookie, "\u00e9") for n, (cookie, _) in enumerate(COOKIES)}
    with make(files=files).open() as bed:
        assert len(bed.run().failing) == len(COOKIES)
        for number, (cookie, means) in enumerate(COOKIES):
            tests = [f"test_shop{number}.py::test_sign"]
            changes = {f"shop{number}.py": sign_in(cookie, "\u00e8")}
            report = bed.run(tests=tests, changes=changes, quick=True)
            assert report.proves(set(tests)), cookie
            # 3.7 has no ends of functions.
            assert report.means == ("import" if variant[2] == "3.7" else means), cookie

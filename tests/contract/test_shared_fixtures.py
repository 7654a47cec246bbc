"""Slow fixtures of the session: set up once, before the forks that judge candidates, where that is safe."""

import pytest
from every_case import every_case

from bot.agent.trial.evaluation import FORKED

SHOP = """\
def price(n):
    return 2 * n


def stock():
    return {"pen": 3}
"""
CONFTEST = """\
import os
from time import perf_counter

import pytest


@pytest.fixture(scope="session")
def database():
    import shop

    begun = perf_counter()
    while perf_counter() - begun < 0.05:
        pass
    %s
    return {"rows": shop.stock(), "by": os.getpid()}
"""
TESTS = """\
import os

import shop


def test_where(database):
    assert shop.price(1) == 0, "here" if database["by"] == os.getpid() else "before"


def test_price(database):
    assert shop.price(1) == 2, "here" if database["by"] == os.getpid() else "before"


def test_rows(database):
    database["rows"]["pen"] += 1
    assert database["rows"]["pen"] == 2 * shop.price(1)
"""
WHERE, PRICE, ROWS = (f"test_shop.py::test_{name}" for name in ("where", "price", "rows"))
WRONG = {"shop.py": SHOP.replace("2 * n", "2 + n").encode()}
HARMLESS = {"shop.py": SHOP.replace("2 * n", "n * 2").encode()}
LESS_STOCK = {"shop.py": SHOP.replace("3", "4").encode()}
WITH_CONSTANT = {"shop.py": f"EXTRA = 1\n{SHOP}".encode()}


@pytest.fixture
def notes():
    return []


def opened(make, notes, *, meanwhile="pass"):
    files = {"shop.py": SHOP, "conftest.py": CONFTEST % meanwhile, "test_shop.py": TESTS}
    return make(files=files, notify=notes.append).open()


def where(bed, changes, test=WHERE, *, means=FORKED):
    """Where the fixture was set up for a verdict on ``changes`` by ``test``, which fails then."""
    report = bed.run(tests=[test], changes=changes, quick=True)
    assert report.means in means, report.reason
    (result,) = report.results
    return result.message.splitlines()[0].split()[-1]


def test_a_slow_fixture_is_set_up_before_the_fork(make, notes, variant):
    with opened(make, notes) as bed:
        assert bed.run().proves({ROWS}) is False  # the other one fails
        # The last pytest for Python 3.7 is too old for it.
        assert where(bed, HARMLESS) == ("here" if variant[2] == "3.7" else "before")
        for _ in range(2):  # what a test does to it is gone after its fork
            assert bed.run(tests=[ROWS], changes=HARMLESS, quick=True).proves({ROWS})
        wrong = bed.run(tests=[ROWS], changes=WRONG, quick=True)
        assert [result.test for result in wrong.failing] == [ROWS]
    assert notes == []


def test_a_test_that_passes_shows_it_too(make, notes, variant):
    with opened(make, notes) as bed:
        bed.run()
        assert bed.run(tests=[PRICE], changes=HARMLESS, quick=True).proves({PRICE})
        assert where(bed, WRONG, PRICE) == ("here" if variant[2] == "3.7" else "before")
    assert notes == []


@every_case("changes", [LESS_STOCK, {"shop.py": WITH_CONSTANT["shop.py"].replace(b"3", b"4")}])
def test_a_change_of_what_the_fixture_calls_is_seen(changes, make, notes):
    with opened(make, notes) as bed:
        bed.run()
        where(bed, HARMLESS)
        report = bed.run(tests=[ROWS], changes=changes, quick=True)
        assert [result.test for result in report.failing] == [ROWS]


def test_what_is_imported_anew_sets_it_up_anew(make, notes, variant):
    with opened(make, notes) as bed:
        bed.run()
        where(bed, HARMLESS)
        assert bed.run(tests=[ROWS], changes=WITH_CONSTANT, quick=True).proves({ROWS})
        assert where(bed, WITH_CONSTANT, means={"import", "whole"}) == "here"


def test_a_trace_has_the_lines_that_the_fixture_runs(make, notes):
    with opened(make, notes) as bed:
        bed.run()
        where(bed, HARMLESS)
        (traced,) = bed.run(tests=[WHERE], trace=True, quick=True).results
    assert SHOP.splitlines().index("def stock():") + 2 in traced.lines["shop.py"]


def test_fixtures_of_several_tests_are_set_up_before_the_fork(make, notes, variant):
    more = CONFTEST % "pass" + (CONFTEST % "pass").partition("import pytest\n")[2].replace(
        "database", "market"
    )
    tests = TESTS + TESTS.partition("import shop\n")[2].replace("database", "market").replace(
        "test_", "test_m_"
    )
    files = {"shop.py": SHOP, "conftest.py": more, "test_shop.py": tests}
    market = WHERE.replace("test_where", "test_m_where")
    with make(files=files, notify=notes.append).open() as bed:
        bed.run()
        bed.run(tests=[WHERE, market], changes=HARMLESS, quick=True)
        expected = "here" if variant[2] == "3.7" else "before"
        assert [where(bed, HARMLESS, test) for test in (WHERE, market)] == [expected, expected]
    assert notes == []


STARTS = "it starts a thread or a process"
UNSAFE = {
    "kept = open(__file__)\n    globals()['kept'] = kept": "it opens a file or a socket",
    "open('left.txt', 'w').close()": "it leaves files",
    "import pathlib; pathlib.Path.home().joinpath('x').touch()": "it leaves files",
    "import threading; threading.Thread(target=threading.Event().wait, daemon=True).start()": STARTS,
    "import os; os.mkdir('left'); globals()['left'] = 1": "it leaves files",
    "import subprocess; subprocess.run(['true'])": "it runs a program",
    "import mmap; globals()['map'] = mmap.mmap(-1, 8)": "it shares memory",
    "import subprocess; globals()['cat'] = subprocess.Popen(['sleep', '60'])": STARTS,
    "import subprocess; globals()['ended'] = subprocess.Popen(['true'])": "",
}


@every_case(("meanwhile", "reason"), UNSAFE.items())
def test_what_forks_would_share_is_not_kept(meanwhile, reason, make, notes, variant):
    with opened(make, notes, meanwhile=meanwhile) as bed:
        bed.run()
        for changes in (HARMLESS, WRONG):
            report = bed.run(tests=[WHERE], changes=changes, quick=True)
            assert report.results[0].message.splitlines()[0].endswith("here")
        assert bed.run(tests=[ROWS], changes=HARMLESS, quick=True).proves({ROWS})
    if variant[2] != "3.7":
        assert [note for note in notes if "database" in note and reason in note], notes

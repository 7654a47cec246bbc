"""JUnit XML: what frameworks write, and what an attacker would."""

from every_case import every_case
from sections import sections

from bot.cilog import read_log
from bot.cilog.model import LogStatus
from bot.cilog.runners.junit import read_report

PYTEST, UNITTEST = (text.rstrip().encode() for text in sections("sources/cilog_junit.txt")[0].parts.values())


def test_what_pytest_writes():
    reading = read_log([PYTEST])
    cart, database, module = reading.failures

    assert (len(reading.sessions), reading.passed, reading.failed, reading.errors) == (1, 1, 1, 2)
    assert (cart.test, cart.path) == ("tests/test_a.py::TestCart::test_total[a-b]", "tests/test_a.py")
    assert (cart.by_pytest, cart.frames[-1].line) == (False, 4)
    assert (database.test, database.exception) == ("tests/test_a.py::test_db", "OSError")
    assert database.status is LogStatus.ERROR
    assert (module.test, module.exception) == ("tests/test_b.py", "ModuleNotFoundError")


def test_what_unittest_runners_write():
    (failure,) = read_log([UNITTEST]).failures

    assert (failure.test, failure.path) == ("pkg.test_mod.TestThing.test_it", "pkg/test_mod.py")
    assert (failure.message, failure.frames[-1].line) == ("3 != 4", 7)


@every_case("size", [1, 7, 64])
def test_the_pieces_in_which_a_report_arrives_do_not_matter(size):
    assert read_log([PYTEST[at : at + size] for at in range(0, len(PYTEST), size)]) == read_log([PYTEST])


@every_case(
    "hostile",
    [
        b'<!DOCTYPE a [<!ENTITY b "cc">]><testsuite><testcase name="t"><failure>&b;</failure></testcase>',
        b'<?xml version="1.0"?><testsuite>' + b"<a>" * 100_000,
        b"<testsuite><testcase name='t'><failure>never closed",
        b"<testsuite>&undefined;</testsuite>",
        b"<testsuite>\x00\xff\xfe</testsuite>",
    ],
)
def test_hostile_reports_end_in_a_reading(hostile):
    reading = read_log([hostile])

    assert reading.failures == ()
    assert reading.truncated == hostile.startswith((b"<testsuite", b"<?xml"))


def test_a_document_type_is_refused_before_its_entities_grow():
    laughs = b"".join(b'<!ENTITY l%d "%s">' % (n, b"&l%d;" % (n - 1) * 10) for n in range(1, 9))
    bomb = b'<?xml version="1.0"?><!DOCTYPE t [<!ENTITY l0 "ha">' + laughs + b"]>"
    reading = read_report(
        [bomb + b'<testsuite><testcase name="t"><failure>&l8;</failure></testcase></testsuite>']
    )

    assert (reading.failures, reading.truncated) == ((), True)


def test_what_stood_before_the_cut_is_read():
    cut = b'<?xml version="1.0"?><testsuite><testcase name="a"><failure message="m"/></testcase><test'
    reading = read_log([cut])

    assert [(one.test, one.message) for one in reading.failures] == [("a", "m")]
    assert reading.truncated


def test_a_declared_encoding_is_not_looked_up():
    assert not read_log([b'<?xml version="1.0" encoding="no-such"?><testsuite/>']).truncated


def test_a_log_that_merely_mentions_a_report_is_a_log():
    assert read_log([b"writing <testsuite> to junit.xml\n"]).sessions == ()


def test_pytests_ids_where_the_report_names_no_file():
    cases = [
        (
            "pkg.tests.test_a.TestOuter.TestInner",
            "test_x[1.5]",
            "pkg/tests/test_a.py::TestOuter::TestInner::test_x[1.5]",
        ),
        ("test_a", "test_y", "test_a.py::test_y"),
        ("TestOdd", "test_z", "TestOdd.test_z"),
    ]
    said = "".join(
        f'<testcase classname="{owner}" name="{name}"><failure message="m"/></testcase>'
        for owner, name, _ in cases
    )
    reading = read_log([f'<testsuite name="pytest">{said}</testsuite>'.encode()])

    assert [one.test for one in reading.failures] == [test for _, _, test in cases]

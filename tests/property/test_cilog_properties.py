"""Whatever the bytes are, reading ends in a reading."""

from pathlib import Path

from ci_logs import lines
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.cilog import read_log
from bot.cilog.paths import project_path
from bot.cilog.pytest_sessions.summary import entry, final_line, split_entry, title_of
from bot.cilog.runners.doctest_report import read_example
from bot.cilog.runners.junit import read_report
from bot.cilog.tracebacks.native import read_traceback
from examples import examples

GOLDEN = sorted((Path(__file__).parents[1] / "golden" / "cilog").rglob("*.log"))
LINES = sorted({line for log in GOLDEN for line in log.read_bytes().split(b"\n")})
RUNNERS = [log.read_bytes() for log in GOLDEN if log.parent.name == "runners" and log.stat().st_size < 8_000]
XML = [
    b'<?xml version="1.0"?>', b"<testsuites>", b"<testsuite>", b"</testsuite>", b"</testsuites>", b"<x/>",
    b'<testcase classname="a.b" name="c[d]" file="a/b.py" line="3">', b"</testcase>", b"&a;",
    b"<failure>", b"</failure>",
    b'<error message="E   x">', b"</error>", b"<!DOCTYPE a>", b"<![CDATA[", b"]]>", b"<!--", b"-->", b"words",
]  # fmt: skip

pieces = st.lists(st.binary(max_size=200), max_size=20)
shuffled = st.lists(st.sampled_from(LINES) | st.binary(max_size=60), max_size=120).map(b"\n".join)


@given(pieces)
@settings(deadline=None)
def test_any_bytes_are_read(data):
    reading = read_log(data)

    assert reading.log_lines >= 0


@given(shuffled)
@settings(deadline=None)
def test_any_order_of_real_lines_is_read(data):
    reading = read_log([data])

    assert len({failure.test for failure in reading.failures}) == len(reading.failures)
    assert all("\n" not in failure.test and "\x1b" not in failure.test for failure in reading.failures)
    numbers = [
        *(one.log_line for one in reading.failures),
        *(one.log_line for one in reading.evidence),
        *(one.log_line for one in reading.tracebacks),
        *(one.end_log_line for one in (*reading.sessions, *reading.tracebacks, *reading.steps)),
    ]
    assert all(0 <= number <= max(1, reading.log_lines) for number in numbers)


@given(st.sampled_from(RUNNERS), st.integers(min_value=0, max_value=8_000))
@examples(60)
def test_a_log_that_is_cut_anywhere_is_read_up_to_the_cut(data, end):
    whole, cut = read_log([data]), read_log([data[:end]])

    assert cut.log_lines <= whole.log_lines
    assert len(cut.evidence) <= len(whole.evidence) + 1
    # A session that had ended before the cut says what it says in the whole log.
    ended = {one.log_line: one for one in whole.sessions if one.finished}
    done = [one for one in cut.sessions if one.finished and one.end_log_line < cut.log_lines - 3]
    assert all(one.passed == ended[one.log_line].passed for one in done if one.log_line in ended)


@given(shuffled, st.integers(min_value=1, max_value=50))
@settings(deadline=None)
def test_the_cut_into_pieces_does_not_matter(data, size):
    cut = [data[at : at + size] for at in range(0, len(data), size)]

    assert list(lines(cut)) == list(lines([data]))
    assert read_log(cut) == read_log([data])


@given(st.lists(st.sampled_from(XML), max_size=30).map(b"".join) | st.binary(max_size=200))
@settings(deadline=None)
def test_any_bytes_are_read_as_a_report(data):
    reading = read_report([data])

    assert len(reading.sessions) == 1


@given(st.text())
@settings(deadline=None)
def test_any_text_is_judged_by_the_small_readers(text):
    read_traceback(["Traceback (most recent call last):", *text.split("\n")])
    read_example(['File "a.py", line 3, in a.f', "Failed example:", *text.split("\n")])
    final_line(text)
    entry(f"FAILED {text}")
    path = project_path(text)
    assert path is None or not path.startswith("/")


@given(
    st.from_regex(r"[a-z_]+(/[a-z_]+)?\.py(::[A-Z][a-z]+)?::test_[a-z]+(\[[ -~]{0,20}\])?", fullmatch=True),
    st.text(alphabet=st.characters(codec="ascii", exclude_categories=["C"]), max_size=60),
)
@settings(deadline=None)
def test_an_id_whose_block_is_known_is_split_off_whole(test, message):
    text = f"{test} - {message}" if message else test

    split = split_entry(text, known={title_of(test)})

    # Two ids may share a text, as "t[a] - b]" and "t[a]" do: then either of the known ones is right.
    assert title_of(split[0]) == title_of(test)

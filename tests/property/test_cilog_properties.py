"""Whatever the bytes are, reading ends in a reading."""

from __future__ import annotations

from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from bot.cilog import lines, read_log
from bot.cilog.comparison import read_comparison
from bot.cilog.paths import project_path
from bot.cilog.summary import entry, final_line, split_entry, title_of

GOLDEN = sorted((Path(__file__).parents[1] / "golden" / "cilog").glob("*.log"))
LINES = sorted({line for log in GOLDEN for line in log.read_bytes().split(b"\n")})

pieces = st.lists(st.binary(max_size=200), max_size=20)
shuffled = st.lists(st.sampled_from(LINES) | st.binary(max_size=60), max_size=120).map(b"\n".join)


@given(pieces)
@settings(deadline=None)
def test_any_bytes_are_read(data):
    read_log(data)


@given(shuffled)
@settings(deadline=None)
def test_any_order_of_real_lines_is_read(data):
    reading = read_log([data])

    assert len({failure.test for failure in reading.failures}) == len(reading.failures)
    assert all("\n" not in failure.test and "\x1b" not in failure.test for failure in reading.failures)


@given(shuffled, st.integers(min_value=1, max_value=50))
@settings(deadline=None)
def test_the_cut_into_pieces_does_not_matter(data, size):
    assert list(lines([data[at : at + size] for at in range(0, len(data), size)])) == list(lines([data]))


@given(st.text())
@settings(deadline=None)
def test_any_text_is_judged_by_the_small_readers(text):
    read_comparison(f"assert {text}")
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

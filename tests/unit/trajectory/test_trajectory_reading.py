"""What a trajectory tells, whatever became of the file; which file is meant."""

from contextlib import suppress
from datetime import UTC, datetime

import pytest
from fakes.progress import FakeClock, FakeProgress
from hypothesis import HealthCheck, given
from hypothesis import strategies as st
from trajectory_support import repair, writer

from bot.domain import Usage
from bot.errors import ConfigurationError
from bot.trajectory import store
from bot.trajectory.page import html
from bot.trajectory.reading import is_trajectory, read
from bot.trajectory.recorder import WatchedProgress
from bot.trajectory.story import story
from bot.trajectory.summary import Span, overview
from examples import examples


def test_a_whole_run_and_where_its_time_and_money_went(tmp_path):
    recording = read(repair(tmp_path / "t.jsonl"))
    assert recording.notes == ()
    assert recording.header["project"] == "shop"
    assert recording.result["outcome"] == "patched"
    assert [event["kind"] for event in recording.events] == [
        *("stage", "stage", "prompt", "reply", "verdict", "reply", "model")
    ]
    sums = overview(recording)
    assert sums.seconds == 8
    assert sums.spans == (
        Span(name="reproduce", start=0, seconds=2, detail="running the tests"),
        Span(name="patch", start=2, seconds=6, detail="turn 1"),
    )
    assert sums.by_stage == (("patch", 6), ("reproduce", 2))
    spent = {"calls": 1, "prompt_tokens": 40, "completion_tokens": 9, "cost": 0.25, "seconds": 3}
    assert sums.models == {"small": Usage(**spent), "large": Usage(**spent)}


def test_a_file_cut_anywhere_is_read_as_far_as_it_goes(tmp_path):
    whole = repair(tmp_path / "t.jsonl").read_bytes()
    path = tmp_path / "cut.jsonl"
    for size in range(1, len(whole), 31):
        path.write_bytes(whole[:size])
        if b"\n" not in whole[:size]:
            with pytest.raises(ConfigurationError, match="holds no line"):
                read(path)
        else:
            recording = read(path)
            assert recording.notes or recording.result
            html(recording)


HOSTILE = st.one_of(
    st.binary(max_size=40),
    st.sampled_from(
        [
            *(b'{"kind":"run"}', b'{"kind":"result","diff":3,"evidence":[],"failing_before":{}}', b"\xff"),
            *(b'{"kind":"stage","name":[],"at":"x"}', b'{"kind":"stage","at":1e999}', b"[" * 5000),
            *(b'{"kind":"prompt","messages":[3,{"content":[]}],"turn":"x"}', b'{"kind":3}', b"null"),
            *(b'{"kind":"reply","text":{},"tool_calls":[[]],"cost":NaN}', b'{"kind":"verdict","patch":[1]}'),
            b'{"kind":"odd","<b>":"\\u202e\\ud800"}',
        ]
    ),
)


@given(st.lists(HOSTILE, max_size=8))
@examples(60, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_no_file_breaks_the_reader_or_the_page(tmp_path, lines):
    path = tmp_path / "t.jsonl"
    path.write_bytes(b"\n".join(lines))
    is_trajectory(path)
    with suppress(ConfigurationError):
        assert "<b>" not in html(read(path))


def test_a_stage_that_goes_on_is_one_entry_with_its_last_words(tmp_path):
    path, clock = tmp_path / "t.jsonl", FakeClock()
    with writer(path, clock=clock) as trajectory:
        for moment, more in ((1, {}), (5, {"detail": "9 lines", "attempts": 640})):
            clock.now += moment
            trajectory.note("stage", name="search", **more)
    (entry,) = story(read(path))
    assert (entry.at, entry.title, entry.facts) == (1, "search", (("", "9 lines"), ("tried", "640")))


class Heard(FakeProgress):
    def note(self, kind, **fields):
        self.stages.append((kind, fields))


def test_progress_is_passed_on_in_full_and_noted_in_brief():
    clock, said, noted = FakeClock(), Heard(), Heard()
    progress = WatchedProgress(said, noted, clock)
    for batch in range(12):
        progress.stage("search", f"batch {batch}")
        progress.tick(attempts=32 * (batch + 1))
        clock.now += 1
    progress.stage("validate")
    assert said.stages == [*(("search", f"batch {batch}") for batch in range(12)), ("validate", "")]
    assert said.ticks == [(32 * batch, "") for batch in range(1, 13)]
    assert noted.stages == [
        ("stage", {"name": "search", "detail": "batch 0", "attempts": 0}),
        ("stage", {"name": "search", "detail": "batch 5", "attempts": 160}),
        ("stage", {"name": "search", "detail": "batch 10", "attempts": 320}),
        ("stage", {"name": "validate", "detail": "", "attempts": 384}),
    ]


def test_names_sort_by_time_and_a_resumed_run_keeps_its_own(tmp_path):
    now = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
    path = store.path_of(tmp_path, "f" * 32, now, resume=False)
    assert path.name == "20260102-030405-ffffffff.jsonl"
    assert store.path_of(tmp_path, "f" * 32, now, resume=True) == path, "there is none to resume"
    path.touch()
    later = datetime(2027, 1, 1, tzinfo=UTC)
    assert store.path_of(tmp_path, "f" * 32, later, resume=True) == path
    assert store.path_of(tmp_path, "f" * 32, later, resume=False) != path


def test_the_newest_runs_are_kept(tmp_path):
    for number in range(5):
        (tmp_path / f"2026010{number}-000000-abcdef00.jsonl").touch()
    (tmp_path / "checkpoint.sqlite").touch()
    store.prune(tmp_path, keep=2)
    assert sorted(path.name[:8] for path in tmp_path.iterdir()) == ["20260103", "20260104", "checkpoi"]
    store.prune(tmp_path / "none")


def test_a_run_is_found_by_what_one_types(tmp_path):
    old, new = (tmp_path / f"2026010{n}-000000-{n}bcdef00.jsonl" for n in (1, 2))
    for path in (old, new):
        path.touch()
    assert store.find(tmp_path, "") == new
    assert store.find(tmp_path, old.stem) == old
    assert store.find(tmp_path, "1bcdef00") == old
    assert store.find(tmp_path, str(old)) == old
    for run, words in (("2026", "names 2 runs"), ("nope", "no run and no file")):
        with pytest.raises(ConfigurationError, match=words):
            store.find(tmp_path, run)
    with pytest.raises(ConfigurationError, match="no run is kept"):
        store.find(tmp_path / "empty", "")

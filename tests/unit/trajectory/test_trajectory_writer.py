"""What is written down: at once, without secrets, with limits, and without ever ending a repair."""

import json
import math
import os
import subprocess
import sys

import pytest
from fakes.progress import FakeClock
from sections import sections
from trajectory_support import KEY, writer

from bot.errors import ConfigurationError
from bot.trajectory import writer as writing
from bot.trajectory.reading import read

KILLED = sections("sources/trajectory_killed.txt")[0].parts["KILLED"]


def events(path):
    return [json.loads(line) for line in path.read_bytes().splitlines()]


def test_each_event_is_in_the_file_at_once_with_its_moment(tmp_path):
    clock = FakeClock()
    path = tmp_path / "new" / "t.jsonl"
    with writer(path, clock=clock) as trajectory:
        clock.now += 1.23456
        trajectory.note("stage", name="search")
        header, stage = events(path)
    assert (header["kind"], header["format"], header["project"]) == ("run", 1, "shop")
    assert stage == {"kind": "stage", "at": 1.235, "name": "search"}
    assert path.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize(
    "secret",
    [
        *(KEY, "ghp_" + "a1" * 18, "github_pat_" + "B2_" * 20, "sk-proj-" + "c3" * 12, "hf_" + "D4" * 15),
        *("AKIA" + "Q7" * 8, "eyJhbGciOiJ9xx.eyJzdWIiOiIxMjM0.c2lnbmF0dXJlLXg"),
        "-----BEGIN RSA PRIVATE KEY-----\nMIIabc\n-----END RSA PRIVATE KEY-----",
    ],
)
def test_no_secret_is_written_wherever_it_stands(tmp_path, secret):
    path = tmp_path / "t.jsonl"
    with writer(path, header={"settings": {"url": f"x {secret} y"}}) as trajectory:
        nested = [{"content": f"begin {secret} end"}, (secret,)]
        trajectory.note("prompt", messages=nested, **{f"k {secret}": 1})
        trajectory.note("reply", text="x" * (writing.MAX_CHARACTERS - len(secret) // 2) + " " + secret)
    text = path.read_text("ascii")
    assert secret.split("\n")[0] not in text
    assert secret[: len(secret) // 2] not in text, "not even the half before the cut"
    assert "***" in text


def test_whatever_is_noted_becomes_json(tmp_path):
    path = tmp_path / "t.jsonl"
    deep = []
    for _ in range(100):
        deep = [deep]
    odd = {"nan": math.nan, "inf": -math.inf, "set": {"b", "a"}, "bytes": b"x", 5: None, "big": 10**5000}
    with writer(path) as trajectory:
        trajectory.note("odd", odd=odd, deep=deep, lone="\udcff\x00\u2028", error=ValueError("x"))
    event = events(path)[1]
    assert event["odd"]["set"] == ["a", "b"]
    assert event["odd"]["big"] == "an integer of 16610 bits"
    assert event["lone"] == "\udcff\x00\u2028"
    assert event["error"] == "x"


def test_giant_texts_and_lists_are_cut_with_a_note(tmp_path):
    path = tmp_path / "t.jsonl"
    with writer(path) as trajectory:
        trajectory.note("reply", text="x" * (writing.MAX_CHARACTERS + 7), items=[0] * (writing.MAX_ITEMS + 3))
    event = events(path)[1]
    assert event["text"].endswith("x\n[cut: 7 more characters]")
    assert event["items"][-1] == "[cut: 3 more]"


def test_a_run_that_tells_too_much_still_tells_its_result(tmp_path, monkeypatch):
    monkeypatch.setattr(writing, "MAX_BYTES", 1000)
    path = tmp_path / "t.jsonl"
    with writer(path) as trajectory:
        for _ in range(50):
            trajectory.note("reply", text="x" * 100)
        trajectory.note("result", outcome="patched")
    kinds = [event["kind"] for event in events(path)]
    assert (kinds[-2:], kinds.count("full")) == (["full", "result"], 1)
    assert path.stat().st_size < 2000


def test_a_resumed_run_goes_on_in_its_file_and_in_its_time(tmp_path):
    path = tmp_path / "t.jsonl"
    clock = FakeClock()
    with writer(path, clock=clock) as trajectory:
        clock.now += 7
        trajectory.note("stage", name="search")
    with path.open("ab") as file:
        file.write(b'{"kind":"stage","at":8.0,"na')  # cut off by a kill
    later = FakeClock()
    with writer(path, clock=later, resume=True) as trajectory:
        later.now += 2
        trajectory.note("stage", name="validate")
    recording = read(path)
    moments = [(event["kind"], event.get("at")) for event in recording.events]
    assert moments == [("stage", 7.0), ("resumed", 7.0), ("stage", 9.0)]
    assert "line 3 cannot be read" in recording.notes


def test_only_a_trajectory_is_written_over_and_a_place_that_cannot_be_written_is_named(tmp_path):
    path = tmp_path / "thesis.txt"
    path.write_text("years of work\n")
    problems = {path: "is no trajectory", path / "t.jsonl": "cannot write", tmp_path: "cannot write"}
    for place, said in problems.items():
        with pytest.raises(ConfigurationError, match=said):
            writer(place)
    assert path.read_text() == "years of work\n"
    other = tmp_path / "t.jsonl"
    for name in ("first", "second"):
        with writer(other) as trajectory:
            trajectory.note("stage", name=name)
    assert [event.get("name") for event in events(other)] == [None, "second"]


def test_a_full_disk_ends_the_recording_and_nothing_else(tmp_path):
    warned = []
    trajectory = writer(tmp_path / "t.jsonl", warn=warned.append)
    full = os.open("/dev/full", os.O_WRONLY)
    os.dup2(full, trajectory._file)
    os.close(full)
    with trajectory:
        trajectory.note("stage", name="one")
        trajectory.note("stage", name="two")
    assert len(warned) == 1
    assert "No space left" in warned[0]


@pytest.mark.parametrize("error", [KeyboardInterrupt(), SystemExit(143), ValueError(f"key {KEY}")])
def test_what_ends_a_run_is_noted(tmp_path, error):
    path = tmp_path / "t.jsonl"
    with pytest.raises(type(error)), writer(path):
        raise error
    last = events(path)[-1]
    assert (last["kind"], last["type"]) == ("error", type(error).__name__)
    assert KEY not in path.read_text()
    assert read(path).notes == (f"it ended early: {type(error).__name__}",)


def test_a_killed_process_leaves_all_that_it_noted(tmp_path):
    path = tmp_path / "t.jsonl"
    subprocess.run([sys.executable, "-c", KILLED, str(path)], check=False, timeout=60)
    recording = read(path)
    assert [event["name"] for event in recording.events] == [str(n) for n in range(100)]
    assert recording.notes == ("the end is missing: it still runs, or was killed",)

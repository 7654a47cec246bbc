"""A run's file: whatever ends the run, what was measured is there; parts of a run are one run again."""

import json

import pytest
from click.testing import CliRunner

from benchmarks.__main__ import cli
from benchmarks.runs import pins, runfile
from benchmarks.runs.merge import merge_runs
from benchmarks.runs.pins import code_digest, header
from bot.errors import ConfigurationError

HEAD = {"benchmark": "invented", "inputs": {"a": "1"}, "started": "today", "machine": {"cores": 2}}


def fill(path, *names, head=HEAD, resume=False):
    with runfile.write(path, head, resume=resume) as run:
        done = list(runfile.rows(path))
        for name in names:
            run.add({"task": name})
    return done


def names(path):
    return [row["task"] for row in runfile.read(path).rows]


def test_rows_are_in_the_file_at_once_and_in_their_order(tmp_path):
    path = tmp_path / "new" / "run.jsonl"
    with runfile.write(path, HEAD, resume=False) as run:
        run.add({"task": "one", "text": "\udcff"})
        assert names(path) == ["one"]
    assert runfile.read(path).header == HEAD


def test_a_resumed_run_goes_on_behind_what_is_whole(tmp_path):
    path = tmp_path / "run.jsonl"
    fill(path, "one", "two")
    path.write_bytes(path.read_bytes()[:-5])  # killed while it wrote the second
    later = {**HEAD, "started": "tomorrow", "machine": {"cores": 4}}
    run = fill(path, "three", head=later, resume=True)
    assert [row["task"] for row in run] == ["one"]
    assert names(path) == ["one", "three"]
    assert runfile.read(path).header == HEAD


def test_a_run_that_was_killed_before_its_header_was_whole_begins_anew(tmp_path):
    path = tmp_path / "run.jsonl"
    path.write_bytes(b'{"benchm')
    fill(path, "one", resume=True)
    assert names(path) == ["one"]


def test_a_run_is_neither_overwritten_nor_mixed_with_another(tmp_path):
    path = tmp_path / "run.jsonl"
    fill(path, "one")
    before = path.read_bytes()
    with pytest.raises(ConfigurationError, match="--resume"):
        fill(path, "two")
    with pytest.raises(ConfigurationError, match=r"something else: inputs was \{'a': '1'\}, is \{'a': '2'\}"):
        fill(path, "two", head={**HEAD, "inputs": {"a": "2"}}, resume=True)
    assert path.read_bytes() == before


@pytest.mark.parametrize("content", [b"", b"no json\n", b'{"task": "one"}\n', b"[1]\n"])
def test_what_is_no_run_is_refused(tmp_path, content):
    path = tmp_path / "run.jsonl"
    path.write_bytes(content)
    with pytest.raises(ConfigurationError, match="no run of a benchmark"):
        runfile.read(path)


def test_a_header_pins_inputs_code_configuration_and_machine():
    head = header("invented", inputs={"tasks": "abc"}, configuration={"strategy": "search"})
    assert head["inputs"] == {"tasks": "abc"}
    assert head["configuration"] == {"strategy": "search"}
    assert len(head["code"]["digest"]) == 64
    assert head["machine"]["cores"] >= 1
    assert head["started"].endswith("+00:00")


def test_changed_code_is_told_apart(tmp_path):
    (tmp_path / "bot").mkdir()
    (tmp_path / "bot" / "module.py").write_text("one = 1\n", "utf-8")
    before = code_digest(tmp_path)
    (tmp_path / "bot" / "notes.txt").write_text("nothing that runs", "utf-8")
    assert code_digest(tmp_path) == before
    (tmp_path / "bot" / "module.py").write_text("one = 2\n", "utf-8")
    assert code_digest(tmp_path) != before


@pytest.fixture
def one_code(monkeypatch):
    monkeypatch.setattr(pins, "code_digest", lambda: "the code of this test")
    monkeypatch.setattr(pins, "_commit", lambda: "")


def invented(path, *arguments, count=10):
    done = CliRunner().invoke(cli, ["invented", "--count", str(count), "--output", str(path), *arguments])
    assert done.exit_code == 0, done.output
    return path


@pytest.fixture
def parts(tmp_path, one_code):
    return [invented(tmp_path / f"{n}.jsonl", "--samples", "2", "--shard", f"{n}/3") for n in (1, 2, 3)]


def test_three_parts_are_one_run(tmp_path, parts):
    whole = invented(tmp_path / "whole.jsonl", "--samples", "2")
    assert merge_runs(list(reversed(parts)), tmp_path / "merged.jsonl") == 20
    one, merged = (runfile.read(path) for path in (whole, tmp_path / "merged.jsonl"))
    assert merged.rows == one.rows
    assert {**merged.header, "started": 0} == {**one.header, "started": 0}
    with pytest.raises(ConfigurationError, match="holds a run already"):
        merge_runs(parts, whole)


def test_the_machines_of_the_parts_are_told_where_they_differ(tmp_path, parts):
    header, *rows = parts[1].read_bytes().splitlines(keepends=True)
    other = {**json.loads(header), "machine": {"cores": 64}}
    parts[1].write_bytes(runfile.line(other) + b"".join(rows))
    merge_runs(parts, tmp_path / "merged.jsonl")
    assert runfile.header(tmp_path / "merged.jsonl")["machines"][1] == {"cores": 64}


def test_what_is_not_all_of_one_run_is_refused(tmp_path, parts):
    def refused(paths, why):
        with pytest.raises(ConfigurationError, match=why):
            merge_runs(paths, tmp_path / "merged.jsonl")
        assert not (tmp_path / "merged.jsonl").exists()

    refused(parts[:2], "of 3 parts there is no 3")
    again = tmp_path / "again.jsonl"
    again.write_bytes(parts[0].read_bytes())
    refused([*parts, again], "are the same part, 1/3")
    refused([*parts, invented(tmp_path / "whole.jsonl")], "a whole run")
    other = invented(tmp_path / "other.jsonl", "--samples", "2", "--shard", "3/3", count=11)
    refused([*parts[:2], other], "not parts of one run: configuration")
    parts[2].write_bytes(b"".join(parts[2].read_bytes().splitlines(keepends=True)[:-1]))
    refused(parts, "has 5 of its 6 rows")
    header, *_ = parts[2].read_bytes().splitlines(keepends=True)
    parts[2].write_bytes(header + b"".join(parts[0].read_bytes().splitlines(keepends=True)[1:]))
    refused(parts, "there twice")

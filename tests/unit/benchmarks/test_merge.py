"""A run in parts is one run again; what is no part of it, or not all of it, is refused."""

import json

import pytest
from click.testing import CliRunner

from benchmarks.__main__ import cli
from benchmarks.runs import pins, runfile
from benchmarks.runs.merge import merge_runs
from bot.errors import ConfigurationError


@pytest.fixture(autouse=True)
def one_code(monkeypatch):
    monkeypatch.setattr(pins, "code_digest", lambda: "the code of this test")
    monkeypatch.setattr(pins, "_commit", lambda: "")


def run(path, *arguments, count=10):
    done = CliRunner().invoke(cli, ["invented", "--count", str(count), "--output", str(path), *arguments])
    assert done.exit_code == 0, done.output
    return path


@pytest.fixture
def parts(tmp_path):
    return [run(tmp_path / f"{n}.jsonl", "--samples", "2", "--shard", f"{n}/3") for n in (1, 2, 3)]


def test_three_parts_are_one_run(tmp_path, parts):
    whole = run(tmp_path / "whole.jsonl", "--samples", "2")
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
    refused([*parts, run(tmp_path / "whole.jsonl")], "a whole run")
    other = run(tmp_path / "other.jsonl", "--samples", "2", "--shard", "3/3", count=11)
    refused([*parts[:2], other], "not parts of one run: configuration")
    parts[2].write_bytes(b"".join(parts[2].read_bytes().splitlines(keepends=True)[:-1]))
    refused(parts, "has 5 of its 6 rows")
    header, *_ = parts[2].read_bytes().splitlines(keepends=True)
    parts[2].write_bytes(header + b"".join(parts[0].read_bytes().splitlines(keepends=True)[1:]))
    refused(parts, "there twice")

"""A trajectory as people see it: nothing of untrusted text acts, nothing is loaded."""

import base64
import hashlib
import io
import json
import re
from html.parser import HTMLParser

import pytest
from click.testing import CliRunner
from rich.console import Console
from trajectory_support import repair, writer

from bot import cli
from bot.trajectory import terminal
from bot.trajectory.page import html
from bot.trajectory.reading import read

ATTACK = (
    "</pre></details><script>alert(1)</script><img src=//evil.example/x onerror=alert(1)>\x1b]0;x\x07\u202e"
)


def shown(recording, **options):
    stream = io.StringIO()
    terminal.show(
        Console(file=stream, width=110, force_terminal=True, color_system=None), recording, **options
    )
    return stream.getvalue()


class Tags(HTMLParser):
    def __init__(self):
        super().__init__()
        self.tags, self.links = set(), []

    def handle_starttag(self, tag, attributes):
        self.tags.add(tag)
        self.links += [value for name, value in attributes if name in {"src", "href", "srcset", "style"}]
        assert not any(name.startswith("on") for name, _ in attributes)


def everywhere(path):
    with writer(path, header={"project": ATTACK, "strategy": ATTACK, "models": [ATTACK]}) as trajectory:
        trajectory.note("stage", name=ATTACK, detail=ATTACK)
        trajectory.note("prompt", stage=ATTACK, model=ATTACK, messages=[{"role": ATTACK, "content": ATTACK}])
        calls = [{"name": ATTACK, "arguments": ATTACK}]
        trajectory.note("reply", model=ATTACK, text=ATTACK, tool_calls=calls, cost=1.0)
        trajectory.note(
            "verdict", verdict=ATTACK, detail=ATTACK, patch=f"-{ATTACK}\n+{ATTACK}", fixed=[ATTACK]
        )
        trajectory.note(ATTACK, **{ATTACK: ATTACK})
        trajectory.note("result", outcome=ATTACK, reason=ATTACK, diff=ATTACK, failing_before=[ATTACK])
    return path


def test_the_page_holds_unknown_files_texts_as_texts(tmp_path):
    page = html(read(everywhere(tmp_path / "t.jsonl")))
    parser = Tags()
    parser.feed(page)
    assert not parser.tags & {"script", "img", "link", "iframe", "object", "form", "a", "base"}
    assert not parser.links
    assert page.count("&lt;script&gt;") >= 10
    assert "\x1b" not in page
    assert "\u202e" not in page


def test_the_policy_of_the_page_allows_its_own_style_and_nothing_else(tmp_path):
    page = html(read(repair(tmp_path / "t.jsonl")))
    policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', page)[1].replace(
        "&#39;", "'"
    )
    style = re.search(r"<style>(.*?)</style>", page, re.DOTALL)[1]
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    assert policy.split("; ")[:2] == ["default-src 'none'", f"style-src 'sha256-{digest}'"]
    assert page.index("Content-Security-Policy") < page.index("<style>")


def test_the_page_tells_the_story(tmp_path):
    page = html(read(repair(tmp_path / "t.jsonl")))
    for part in (
        *("shop: patched", "prompt: patch (turn 1)", "&lt;b&gt;why?&lt;/b&gt;", "verdict: failing (turn 1)"),
        *('class="removed">-a<', 'class="added">+b<', "0.2500", "still red", "one [bold]change[/bold]"),
        *('class="head">@@ -1 +1 @@<', "<title>patch: 6.00 s turn 1</title>", 'width="750.0"'),
        "a\ufffd[2Jb\nc",
    ):
        assert part in page, part


def test_the_terminal_tells_the_story_and_acts_on_none_of_it(tmp_path):
    recording = read(repair(tmp_path / "t.jsonl"))
    text = shown(recording)
    told = ["8.0 s: patch 6.0 s, reproduce 2.0 s", "verdict: failing (turn 1)", "one [bold]change[/bold]"]
    assert not [part for part in told if part not in text]
    assert "why?" not in text, "prompts are long"
    assert "<b>why?</b>" in shown(recording, full=True)
    hostile = shown(read(everywhere(tmp_path / "h.jsonl")), full=True)
    assert not [part for part in ("\x1b]", "\x07", "\u202e") if part in hostile]


def test_long_parts_are_cut_and_said_to_be(tmp_path):
    with writer(tmp_path / "t.jsonl") as trajectory:
        trajectory.note("reply", text="\n".join(f"line {n}" for n in range(40)))
    recording = read(tmp_path / "t.jsonl")
    assert "28 more lines (--full shows them)" in shown(recording)
    assert "line 39" in shown(recording, full=True)


@pytest.fixture
def state(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    directory = tmp_path / "regreen" / "runs"
    directory.mkdir(parents=True)
    return directory


def regreen(*arguments):
    return CliRunner().invoke(cli.cli, ["show", *map(str, arguments)])


def test_the_command_shows_the_last_run_writes_the_page_and_prints_json(state, tmp_path):
    path = repair(state / "20260101-000000-aaaaaaaa.jsonl")
    (state / "20250101-000000-bbbbbbbb.jsonl").write_text("nothing")
    result = regreen()
    assert result.exit_code == 0
    assert "verdict: failing" in result.output
    listed, profile = regreen("--list").output, regreen("--profile").output
    assert "20260101-000000-aaaaaaaa" in listed
    assert "cannot be read" in listed
    assert "reproduce" in profile
    assert "ended before its profile was written" in profile
    assert regreen("--html", tmp_path / "page.html").exit_code == 0
    assert (tmp_path / "page.html").read_text("utf-8").startswith("<!DOCTYPE html>")
    printed = json.loads(regreen(path, "--json").output)
    assert printed["result"]["outcome"] == "patched"
    assert len(printed["events"]) == 7


def test_the_command_shows_where_the_seconds_went(state):
    with writer(state / "20260101-000000-aaaaaaaa.jsonl") as trajectory:
        trajectory.note("stage", name="search", detail="")
        row = {"phase": "searching", "means": "swap", "reason": "", "runs": 3, "tests": 8, "seconds": 2.0}
        hostile = {"phase": ["x"], "means": "\x1b[2J", "reason": ATTACK, "runs": "many", "seconds": None}
        tests = [["t.py::slow", 1.5], "nonsense", [ATTACK, 1.0]]
        trajectory.note("profile", runs=[row, hostile, "nonsense"], tests=tests)
    output = regreen("--profile").output
    (line,) = [line for line in output.splitlines() if "fork, swap" in line]
    assert line.strip("│ ").replace(" ", "").startswith("searching│fork,swap│3│8│2.0│250.0")
    assert "t.py::slow" in output
    assert "\x1b" not in output
    assert "searching" not in regreen().output


@pytest.mark.parametrize("arguments", [(), ("nope",), ("/",)])
def test_a_run_that_is_not_there_is_one_clear_line(state, arguments, capsys):
    assert cli.run(["show", *arguments]) == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert error.startswith("regreen: no run")


def test_numbers_that_json_does_not_know_are_shown_as_null(tmp_path):
    path = tmp_path / "t.jsonl"
    path.write_text('{"kind": "run", "at": NaN}\n{"kind": "x", "at": [1e999, -Infinity, 1.5]}\n')
    given = CliRunner().invoke(cli.cli, ["show", str(path), "--json"])
    assert given.exit_code == 0, given.output
    assert json.loads(given.stdout, parse_constant=pytest.fail)["events"][-1]["at"] == [None, None, 1.5]

"""The dashboard in a real browser: sorted, filtered, a task opened, also at a phone's width.

With REGREEN_PICTURES it leaves screenshots in that directory: docs/pictures/ is made so.
"""

import json
import os
from pathlib import Path

import browser
import pytest
from click.testing import CliRunner

from benchmarks.__main__ import cli
from benchmarks.runs import pins, runfile
from benchmarks.runs.harness import trajectory_name

HOSTILE = "<img src=x onerror=document.title=1></script><script>document.title=2</script>"
DIFF = (
    "--- a/cart.py\n+++ b/cart.py\n@@ -1,2 +1,2 @@\n def total(a, b):\n-    return a - b\n+    return a + b\n"
)


@pytest.fixture
def page(tmp_path):
    """A dashboard of made-up tasks, one of which has a patch, a trajectory and a hostile name."""
    run = tmp_path / "run.jsonl"
    done = CliRunner().invoke(cli, ["invented", "--count", "24", "--output", str(run)])
    assert done.exit_code == 0, done.output
    row = {
        **next(iter(runfile.rows(run))),
        "task": f"cart/total {HOSTILE}",
        "group": "one of its own",
        "seconds": 99.5,
        "result": {"diff": DIFF},
        "usage": {"calls": 2, "prompt_tokens": 700, "completion_tokens": 90, "cost": 0.0, "seconds": 3.0},
    }
    with run.open("ab") as sink:
        sink.write(runfile.line(row))
    directory = tmp_path / "run.trajectories"
    directory.mkdir()
    said = [
        {"kind": "run", "format": 1, "project": "cart"},
        {"kind": "stage", "at": 0.1, "name": "reproduce", "detail": "running the tests"},
        {"kind": "reply", "at": 3.0, "turn": 1, "stage": "answer", "model": "m", "text": HOSTILE},
    ]
    name = trajectory_name(row["task"], 0)
    (directory / name).write_text("".join(json.dumps(event) + "\n" for event in said), "utf-8")
    made = tmp_path / "dashboard.html"
    done = CliRunner().invoke(cli, ["report", str(run), "--html", str(made)])
    assert done.exit_code == 0, done.output
    return made


@pytest.fixture
def tab(tmp_path):
    program = browser.program()
    if program is None:
        if os.environ.get("CI") == "true":
            pytest.fail("CI must have it: a browser (apt-get install chromium)")
        pytest.skip("no Chromium here")
    with browser.opened(program, tmp_path / "profile") as opened:
        yield opened


def keep(tab, name):
    """A screenshot, where they are asked for."""
    directory = os.environ.get("REGREEN_PICTURES")
    if directory:
        tab.picture(Path(directory, name))


ROWS = "[...document.querySelectorAll('#list tbody tr')].filter(r => !r.hidden)"


def column(tab, number):
    return tab.ask(f"{ROWS}.map(row => row.cells[{number}].textContent)")


def click(tab, selector):
    tab.ask(f"document.querySelector({json.dumps(selector)}).click()")


def choose(tab, field, value):
    tab.ask(
        f"{{ const c = document.getElementById('{field}'); c.value = {json.dumps(value)}; "
        "c.dispatchEvent(new Event('input')) }"
    )


@pytest.mark.slow
@pytest.mark.browser
def test_a_reader_sorts_filters_and_opens_a_task(page, tab):
    tab.open(page, width=1200)
    assert len(column(tab, 0)) == 25
    keep(tab, "dashboard.png")
    click(tab, "th:nth-child(6) button")
    seconds = [float(text) for text in column(tab, 5)]
    assert seconds == sorted(seconds)
    click(tab, "th:nth-child(6) button")
    assert column(tab, 5)[0] == "99.5"
    assert tab.ask("document.querySelector('th:nth-child(6)').ariaSort") == "descending"
    choose(tab, "verdict", "correct")
    assert set(column(tab, 3)) == {"correct"}
    choose(tab, "verdict", "")
    choose(tab, "group", "one of its own")
    assert len(column(tab, 0)) == 1
    assert tab.ask("document.getElementById('count').textContent") == "1 of 25"
    click(tab, "#list tbody tr:not([hidden]) a")
    shown = "document.querySelector('.detail:target')"
    assert tab.ask(f"getComputedStyle({shown}).display") == "block"
    assert "+    return a + b" in tab.ask(f"{shown}.innerText")
    keep(tab, "dashboard-task.png")
    click(tab, ".detail:target .close")
    assert tab.ask(f"{shown} === null")
    choose(tab, "text", "no such task")
    assert column(tab, 0) == []


@pytest.mark.slow
@pytest.mark.browser
def test_a_phone_shows_it_without_scrolling_sideways_and_no_text_is_markup(page, tab):
    tab.open(page, width=390, height=844)
    assert tab.ask("document.documentElement.scrollWidth") <= 390
    choose(tab, "group", "one of its own")
    keep(tab, "dashboard-phone.png")
    click(tab, "#list tbody tr:not([hidden]) a")
    shown = "document.querySelector('.detail:target')"
    assert tab.ask(f"{shown}.getBoundingClientRect().width") <= 390
    assert tab.ask(f"{shown}.scrollWidth") <= 390
    tab.ask(f"{shown}.querySelectorAll('details').forEach(d => d.open = true)")
    assert "onerror=" in tab.ask(f"{shown}.innerText")
    assert tab.ask("document.title") == "Regreen: benchmark"
    assert tab.ask("document.querySelectorAll('.detail img, .detail script').length") == 0
    assert tab.problems == []


@pytest.mark.slow
def test_without_texts_there_are_figures_alone(page, tmp_path):
    run, made = page.with_name("run.jsonl"), tmp_path / "figures.html"
    done = CliRunner().invoke(cli, ["report", str(run), "--html", str(made), "--figures-only"])
    assert done.exit_code == 0, done.output
    assert "return a + b" in page.read_text("utf-8")
    assert "return a + b" not in made.read_text("utf-8")
    assert "reproduce" not in made.read_text("utf-8")


@pytest.fixture(autouse=True)
def one_code(monkeypatch):
    monkeypatch.setattr(pins, "code_digest", lambda: "the code of this test")

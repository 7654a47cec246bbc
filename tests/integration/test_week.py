"""A few hours of the simulated week, and that its eyes see what they look for."""

import json
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from fakes.github import serve
from week import faults, invariants, projects
from week.incidents import KINDS, Week, plan
from week.simulate import Row

SCRIPT = Path(__file__).parents[1] / "run_week.py"
STATE = '<!-- regreen:state:1 {"status":"delivered","kind":"comment"} -->'


@pytest.fixture
def scene():
    """A week's first incident, a bug in a pull request, of which GitHub knows nothing more yet."""
    with serve() as github:
        week = Week(github, 0)
        incident = week.incident(0, "code, in the diff")
        bot = github.world.bot

        def say(body):
            github.world.comment(incident.pull, body, user=bot)

        def suggest(patch):
            body = f"<!-- regreen:suggestion {patch} 1 -->\n```suggestion\nx\n```"
            github.world.line_comment(incident.pull, body, user=bot, path="a.py", line=1)

        yield SimpleNamespace(
            world=github.world,
            repository=incident.repository,
            incident=incident,
            bot=bot.login,
            say=say,
            suggest=suggest,
        )


def twice(scene, asked=0):
    asked = {scene.incident.pull.number: asked}
    return list(invariants.twice(scene.repository, bot=scene.bot, asked=asked))


def test_one_of_each_is_as_it_should_be(scene):
    scene.say(STATE)
    scene.suggest("a" * 16)
    assert twice(scene) == []


def test_two_comments_that_remember_are_seen(scene):
    scene.say(STATE)
    scene.say(STATE)
    assert "2 comments that remember" in twice(scene)[0]


def test_answers_are_held_against_the_questions(scene):
    scene.say("There is nothing to repair")
    assert "1 answers to 0" in twice(scene)[0]
    assert twice(scene, asked=1) == []


@pytest.mark.parametrize(("second", "said"), [("a", "2 times"), ("b", "2 proposals at once")])
def test_two_suggestions_are_seen(scene, second, said):
    scene.suggest("a" * 16)
    scene.suggest(second * 16)
    assert said in twice(scene)[0]


def test_two_fixes_and_a_stray_branch_are_seen(scene):
    world, repository = scene.world, scene.repository
    for name in ("one", "two"):
        world.push(repository, f"regreen/fix-{name}", {"a.py": b""})
        world.pull(repository, f"regreen/fix-{name}", base=scene.incident.branch)
    assert "2 open fixes" in twice(scene)[0]
    assert list(invariants.stray(repository)) == []
    world.push(repository, "regreen/fix-three", {"a.py": b""})
    assert "fix-three" in next(invariants.stray(repository))


def test_a_proposal_is_found_where_it_stands(scene):
    where = (scene.repository, scene.incident.pull, scene.incident.branch)
    assert invariants.delivered(*where, bot=scene.bot) == []
    scene.say(STATE)
    assert invariants.delivered(*where, bot=scene.bot) == ["comment"]
    scene.suggest("a" * 16)
    assert invariants.delivered(*where, bot=scene.bot) == ["suggestion", "comment"]


def test_a_secret_is_seen_but_not_where_it_is_masked():
    log = "::add-mask::s3cret-s3cret\nall is well\n"
    assert list(invariants.leaked(["s3cret-s3cret"], {"log": invariants.unmasked(log)})) == []
    (breach,) = invariants.leaked(["s3cret-s3cret"], {"log": log})
    assert "in log" in breach


def test_every_slip_is_noticed_by_a_check():
    for function in (one for functions in projects.FUNCTIONS.values() for one in functions):
        assert function.slips
        for old, new in function.slips:
            assert old in function.source
            projects._first_failure(function, function.source.replace(old, new, 1))


def test_the_same_seed_gives_the_same_week():
    import random

    kinds = [plan(200, random.Random(7)) for _ in range(2)]
    assert kinds[0] == kinds[1]
    assert set(kinds[0]) == set(KINDS)
    dice = (random.Random(seed) for seed in range(500))
    assert {faults.draw(one, repairs=True, writes=True) for one in dice} == set(faults.FAULTS)


@pytest.mark.slow
def test_an_hour_of_the_week(tmp_path):
    """What needs no sandbox, through the real entry, with answers that are lost."""
    output = tmp_path / "week.jsonl"
    command = [sys.executable, str(SCRIPT), "--runs", "2", "--seed", "3", "--output", str(output)]
    command += ["--kind", "infrastructure", "--kind", "a fork, unasked", "--fault", "SIGKILL at a request"]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    rows = [json.loads(line) for line in output.read_text().splitlines()]
    assert {row["kind"] for row in rows} == {"infrastructure", "a fork, unasked"}
    assert [set(row) for row in rows] == [set(Row.__slots__)] * 2
    assert not any(row["breaches"] for row in rows)
    assert any(-9 in row["statuses"] for row in rows)
    assert all(row["statuses"][-1] == 0 for row in rows)
    assert "Every promise held." in ran.stdout

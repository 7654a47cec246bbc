"""Runs of the benchmark: a model that cheats, a run that is killed, and one on a Ray cluster of two nodes."""

import random
import signal
import subprocess
import sys

import pytest
import ray_cluster
import yaml
from click.testing import CliRunner

from benchmarks.__main__ import cli
from benchmarks.datasets.invented import Invented, Pretence
from benchmarks.runs import runfile
from benchmarks.runs.executors import distributed, local
from benchmarks.runs.tasks import Key, Trial
from bot.errors import ConfigurationError

# It keeps count of its calls: true the first time, false the second.
CHEAT = """```python
def same(a, b):
    same.calls = getattr(same, "calls", 0) + 1
    return same.calls % 2 == 1
```
"""


@pytest.mark.slow
def test_a_cheating_model_is_caught(tmp_path, monkeypatch, project_environment):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    script, path = tmp_path / "script.yaml", tmp_path / "run.jsonl"
    script.write_text(yaml.safe_dump([CHEAT] * 3), "utf-8")
    python = str(project_environment / "bin/python")
    place = ["--sandbox", "process", "--python", python, "--workers", "1"]
    model = ["--strategy", "single", "--backend", "scripted", "--model", str(script)]
    done = CliRunner().invoke(
        cli, ["bogus", "--ids", "equal-and-different", *place, *model, "--output", str(path)]
    )
    assert done.exit_code == 1, done.output
    assert not done.exception or isinstance(done.exception, SystemExit), done.exception
    assert "1 passed, though nothing can pass them: bogus/equal-and-different" in done.stderr
    (row,) = runfile.read(path).rows
    assert row["plausible"] is True
    assert row["first"]["turn"] == 1
    assert row["first_turn"]["prompt_tokens"] > 0


# Who edits the code while this test runs would be told that the run measures something else.
PROGRAM = (
    "from benchmarks.runs import pins; pins.code_digest = pins._commit = lambda: 'that of this test'; "
    "from benchmarks.__main__ import main; main()"
)
COMMAND = [sys.executable, "-c", PROGRAM, "invented", "--count", "40", "--task-seconds", "0.01"]


def killed(path, dice):
    """Kill a run into ``path`` when one or some more rows have come; how many there are then."""
    command = [*COMMAND, "--output", str(path), "--resume"]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as run:
        for _ in range(dice.randrange(1, 8)):
            run.stderr.readline()
        run.send_signal(signal.SIGKILL)
    return sum(1 for _ in runfile.rows(path))


@pytest.mark.slow
def test_a_killed_run_loses_nothing(tmp_path):
    path, quiet = tmp_path / "killed.jsonl", tmp_path / "quiet.jsonl"
    dice = random.Random(1)
    first, second = killed(path, dice), killed(path, dice)
    assert 0 < first < second < 40
    for output in (path, quiet):
        subprocess.run([*COMMAND, "--output", str(output), "--resume"], check=True, capture_output=True)
    one, other = (sorted(runfile.rows(made), key=Key.of) for made in (path, quiet))
    assert one == other
    assert len({Key.of(row) for row in one}) == 40


TRIALS = [Trial(task=Invented(number=number)) for number in range(16)]


@pytest.fixture
def nodes():
    with ray_cluster.connected() as found:
        yield found


@ray_cluster.marked
def test_no_trial_is_lost_or_counted_twice_when_a_node_dies(nodes):
    cluster, (doomed, _other) = nodes
    found = []
    for row in distributed.rows(TRIALS, Pretence(seconds=0.1), parallel=2):
        found.append(row)
        if len(found) == 4:
            cluster.remove_node(doomed, allow_graceful=False)
    assert sorted(found, key=Key.of) == list(local.rows(TRIALS, Pretence(), parallel=1))


def test_without_ray_the_error_says_what_to_install(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "ray", None)
    with pytest.raises(ConfigurationError, match=r"regreen\[ray\]"), distributed.cluster(None, processors=1):
        pass

"""A model that cheats is caught: by the sanity set, and by the oracle that it knows nothing of."""

import pytest
import yaml
from click.testing import CliRunner

from benchmarks.__main__ import cli
from benchmarks.runs import runfile

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

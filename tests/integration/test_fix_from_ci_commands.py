"""``regreen fix --log`` where what the log ran needs what only CI has."""

import json
import os

import pytest
from sections import sections

SOURCES = sections("sources/fix_from_ci_commands.txt")[0].parts
LOG = SOURCES["LOG"]


@pytest.fixture
def fix(tmp_path, project_environment, regreen):
    root = tmp_path / "project"
    (root / "tests").mkdir(parents=True)
    (root / "shop.py").write_text("def total(a, b):\n    return a - b\n")
    (root / "tests" / "test_shop.py").write_text(
        "from shop import total\n\n\ndef test_total():\n    assert total(2, 3) == 5\n"
    )
    environment = {
        **os.environ,
        "XDG_STATE_HOME": str(tmp_path / "state"),
        "VIRTUAL_ENV": str(project_environment),
    }

    def run(command):
        log = tmp_path / "job.log"
        log.write_text(LOG.format(command=command))
        options = ["--log", log, "--sandbox", "process", "--json", "-v"]
        done = regreen("fix", root, *options, environment=environment)
        return json.loads(done.stdout), done.stderr.decode()

    return run


@pytest.mark.slow
def test_an_option_that_only_ci_knows_does_not_stand_in_the_way(fix):
    result, said = fix("python -m pytest --only-in-ci tests")

    assert result["outcome"] == "patched", said
    assert "once more, with pytest itself" in " ".join(said.split())
    assert result["evidence"]["fail_to_pass"] == ["tests/test_shop.py::test_total"]

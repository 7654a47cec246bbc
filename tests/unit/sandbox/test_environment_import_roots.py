"""Where programs that a test starts find the project's own package, when nothing is built for it."""

import sys

import pytest

from sandbox.environment.builder import Overrides
from sandbox.environment.prepare import prepare_environment
from sandbox.process import ProcessProvider
from sandbox.snapshot import take

PACKAGE = '[project]\nname = "shop"\nversion = "1"\n'


@pytest.mark.parametrize(
    ("files", "path"),
    [
        pytest.param({"pyproject.toml": PACKAGE, "shop.py": ""}, ".", id="a package at the top"),
        pytest.param({"setup.py": "", "shop.py": ""}, ".", id="a package by setup.py"),
        pytest.param({"setup.cfg": "[metadata]\nname = shop\n", "shop.py": ""}, ".", id="by setup.cfg"),
        pytest.param({"pyproject.toml": PACKAGE, "src/shop.py": ""}, "src", id="below src"),
        pytest.param({"pyproject.toml": "[tool.ruff]\n", "shop.py": ""}, None, id="settings of tools alone"),
        pytest.param({"shop.py": ""}, None, id="a plain directory"),
    ],
)
def test_the_path_of_programs(tmp_path, files, path):
    root = tmp_path / "project"
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    prepared = prepare_environment(
        take(root),
        ProcessProvider(),
        overrides=Overrides(python=sys.executable),
        cache_directory=tmp_path / "cache",
        notify=print,
    )
    assert prepared.variables.get("PYTHONPATH") == path

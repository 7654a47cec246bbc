"""Fixtures of the tests in this directory."""

import pytest
from cli_support import SOURCE

from bot import cli, compose
from bot.result import RepairResult
from sandbox.snapshot import Entry, Snapshot


@pytest.fixture
def project(tmp_path):
    (tmp_path / "project").mkdir()
    (tmp_path / "project" / "m.py").write_bytes(SOURCE)
    return tmp_path / "project"


@pytest.fixture
def fix(monkeypatch, capfdbinary, project):
    """Run ``regreen fix`` with a repair that ends in ``answer``: a result, or an error to raise."""
    seen = []

    def run(answer, *options):
        def repair(settings, progress):
            seen.append(settings)
            if isinstance(answer, RepairResult):
                snapshot = Snapshot(entries=(Entry(path="m.py", data=SOURCE),))
                return compose.Repaired(result=answer, snapshot=snapshot)
            raise answer

        monkeypatch.setattr(compose, "fix", repair)
        status = cli.run(["fix", str(project), *map(str, options)])
        out, err = capfdbinary.readouterr()
        return status, out, err.decode()

    run.settings = seen
    return run

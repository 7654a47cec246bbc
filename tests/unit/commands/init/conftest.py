"""Fixtures of the tests in this directory."""

import pytest

from bot import cli


@pytest.fixture
def repository(tmp_path):
    """Makes a repository with some files; returns its top."""

    def make(files=None, *, git=True):
        top = tmp_path / "app"
        for path, text in {"app.py": "x = 1\n", **(files or {})}.items():
            (top / path).parent.mkdir(parents=True, exist_ok=True)
            (top / path).write_bytes(text if isinstance(text, bytes) else text.encode())
        if git:
            (top / ".git").mkdir(exist_ok=True)
        return top

    return make


@pytest.fixture
def init(capsys):
    """Runs ``regreen init``; returns the status, standard output and standard error."""

    def run(*options):
        status = cli.run(["init", *map(str, options)])
        return status, *capsys.readouterr()

    return run


@pytest.fixture(autouse=True)
def own_checkout(tmp_path, monkeypatch):
    """Regreen's own checkout has no remote, whatever it has on this machine."""
    monkeypatch.setattr("bot.commands.init.files.OWN_CHECKOUT", tmp_path / "no-checkout")

"""Fixtures of the tests in this directory."""

import pytest

from bot.config.sources import load


@pytest.fixture
def configured(tmp_path):
    """Settings from options, environment and a file's text."""

    def settings(options=None, environment=None, file=None):
        options = {"project": tmp_path, **(options or {})}
        if file is not None:
            (tmp_path / "regreen.yml").write_text(file, "utf-8")
            options["config"] = tmp_path / "regreen.yml"
        return load(options, environment or {})

    return settings

"""Another client for the GitHub of a test."""

import pytest
from github_fixture import FULL_NAME

from bot.github.client import connect
from bot.github.retry import Waits


def client_of(github, token="", *, api_url="", **waits):
    """One with ``token`` that may not wait, but for what ``waits`` says."""
    return connect(
        repository=FULL_NAME,
        token=token or github.token,
        api_url=api_url or github.server.url,
        waits=Waits(**{"sleep": pytest.fail, **waits}),
    )

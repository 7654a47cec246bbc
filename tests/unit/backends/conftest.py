"""A chat server for each test that asks for one; no proxy stands before it."""

from contextlib import ExitStack

import pytest
from fakes.chatserver import serving
from openai_support import backend_at


@pytest.fixture(autouse=True)
def _no_proxy(monkeypatch):
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "OPENAI_BASE_URL", "OPENAI_ORG_ID"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)


@pytest.fixture
def start():
    """Starts a server of given answers; returns it with a client of it."""
    with ExitStack() as stack:

        def run(*answers, pages=None, **options):
            server = stack.enter_context(serving(answers, pages=pages))
            backend = backend_at(server.url, **options)
            stack.callback(backend.close)
            return server, backend

        yield run

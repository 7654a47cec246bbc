"""Where the further workers are, and what keeps a repair from the nodes of a cluster; without a cluster."""

import sys
from contextlib import ExitStack
from types import SimpleNamespace

import pytest
from fakes.progress import FakeProgress

from bot.config import sources
from bot.environments import nodes
from bot.errors import ConfigurationError
from sandbox.errors import SandboxUnavailable


@pytest.fixture
def settings(tmp_path):
    def make(**options):
        return sources.load({"project": tmp_path, **options}, {})

    return make


def connect(chosen):
    with ExitStack() as resources:
        nodes.connect(chosen, resources)


def test_workers_are_here_where_nobody_asks_for_ray(settings, monkeypatch):
    monkeypatch.setitem(sys.modules, "ray", None)
    chosen = settings(workers="3")
    connect(chosen)
    options = nodes.worker_options(chosen, SimpleNamespace(), FakeProgress())
    assert options.count == 3
    assert options.testbeds is None


def test_without_ray_the_error_says_what_to_install(settings, monkeypatch):
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(SandboxUnavailable, match=r"pip install 'regreen\[ray\]'"):
        connect(settings(executor="ray"))


def test_a_secret_in_the_command_line_keeps_from_the_cluster(settings, monkeypatch):
    address = "https://someone:hunter2-hunter2@models.example/v1"
    monkeypatch.setattr(sys, "argv", ["regreen", "fix", "--base-url", address])
    with pytest.raises(ConfigurationError, match="there is a secret in it"):
        connect(settings(executor="ray", base_url=address))


def test_an_address_of_rays_client_is_refused(settings, monkeypatch):
    ray = SimpleNamespace(is_initialized=lambda: False)
    monkeypatch.setitem(sys.modules, "ray", ray)
    monkeypatch.setenv("RAY_ADDRESS", "ray://head:10001")
    with pytest.raises(SandboxUnavailable, match="RAY_ADDRESS must be HOST:PORT"):
        connect(settings(executor="ray"))


def test_the_place_of_the_workers_is_for_the_configuration_file():
    assert "executor" in sources.BY_NAME
    assert not sources.BY_NAME["executor"].on_command_line
    assert not sources.BY_NAME["executor"].is_input

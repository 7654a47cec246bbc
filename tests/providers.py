"""The sandbox providers as test parameters."""

import pytest

from sandbox.providers import KINDS

# The tests' own interpreter has many plugins that no sandboxed test needs; loading them takes seconds.
LEAN = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}

PROVIDERS = (
    pytest.param("process", id="process"),
    pytest.param("bubblewrap", id="bubblewrap", marks=pytest.mark.bubblewrap),
    pytest.param("docker", id="docker", marks=pytest.mark.docker),
)
ISOLATED = tuple(provider for provider in PROVIDERS if KINDS[provider.id].isolated)

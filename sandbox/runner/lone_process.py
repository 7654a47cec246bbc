"""The pytest plugin that keeps other plugins from serving worker processes, of which there are none here.

A thread that serves them would make each run start from an empty process: a fork copies only one thread.
"""

from __future__ import annotations

import sys
from typing import Any

import pytest


class LoneProcess:
    """Has pytest-rerunfailures keep its counts in memory, as it does where pytest-xdist is not installed."""

    @pytest.hookimpl(tryfirst=True)
    def pytest_configure(self, config: Any) -> None:
        plugin = sys.modules.get("pytest_rerunfailures")
        if hasattr(plugin, "HAS_PYTEST_HANDLECRASHITEM"):
            plugin.HAS_PYTEST_HANDLECRASHITEM = False  # type: ignore[union-attr] # it was just found there

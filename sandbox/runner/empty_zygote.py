"""The zygote that has nothing loaded: for projects whose modules cannot be in a process that forks."""

from __future__ import annotations

from functools import partial
from typing import Any, Dict

from .fork import Fork
from .pytest_child import run_pytest


def main(payload: Dict[str, Any]) -> None:
    """Run what is ordered; each test process imports all by itself."""
    fork = Fork(payload["settings"])
    fork.say({"ready": True})
    fork.serve(partial(run_pytest, fork.settings), lambda _order: {})

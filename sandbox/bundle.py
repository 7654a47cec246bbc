"""Carries the runner into a sandbox as source text, so that no image has to contain it."""

from __future__ import annotations

import marshal
from functools import cache
from importlib import resources
from typing import Any

from sandbox.runner import MODULES
from sandbox.runner.loader import BOOTSTRAP

# Isolated and without ``site``: nothing that came with the environment runs in the supervisor.
SUPERVISOR_ARGUMENTS = ("-I", "-S", "-c", BOOTSTRAP)
MARSHAL_VERSION = 2  # read by every CPython


def bundle(settings: dict[str, Any]) -> bytes:
    """What to write to the bootstrap's standard input: a length and a parcel (``sandbox.runner.loader``).

    ``settings`` reach ``sandbox.runner.start.main``: ``root`` (the workspace's path inside),
    ``limits`` (by RLIMIT name), ``remove`` (a folder to delete at the end, or None), ``confine`` (whether
    to filter system calls, before the runner is loaded), and ``python`` (the interpreter for the project's
    code where it is not the supervisor's own).
    """
    texts = _texts()
    parcel = {
        "bootstrap": BOOTSTRAP,
        "loader": texts["loader"],
        "sources": {name: texts[name] for name in MODULES},
        "confine": texts["confine"] if settings.get("confine") else "",
        "entry": "start",
        "settings": settings,
    }
    data = marshal.dumps(parcel, MARSHAL_VERSION)
    return b"%08x" % len(data) + data


@cache
def _texts() -> dict[str, str]:
    """All that is the same for every sandbox; read once."""
    runner = resources.files("sandbox.runner")
    texts = {name: runner.joinpath(f"{name}.py").read_text("utf-8") for name in ("loader", *MODULES)}
    return {**texts, "confine": resources.files("sandbox").joinpath("confine.py").read_text("utf-8")}

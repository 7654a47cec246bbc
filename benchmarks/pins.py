"""What a run has to say so that it can be repeated: inputs, code, configuration, machine."""

from __future__ import annotations

import hashlib
import os
import platform
import subprocess
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from bot import __version__

ROOT = Path(__file__).resolve().parent.parent
CODE = ("bot", "sandbox", "benchmarks")
GIT_TIMEOUT_S = 20


def header(
    benchmark: str, *, inputs: Mapping[str, str], configuration: Mapping[str, object]
) -> dict[str, Any]:
    """The first line of a run; ``inputs`` maps what the tasks were read from to a digest of it."""
    return {
        "benchmark": benchmark,
        "inputs": dict(inputs),
        "code": {"version": __version__, "commit": _commit(), "digest": code_digest()},
        "configuration": dict(configuration),
        "machine": machine(),
        "started": datetime.now(UTC).isoformat(timespec="seconds"),
    }


def digest(path: Path) -> str:
    """SHA-256 of the file at ``path``, in hexadecimal.

    Raises:
        OSError: it cannot be read.
    """
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def code_digest(root: Path = ROOT) -> str:
    """SHA-256 over the source below ``root``: it tells runs of changed code apart where no commit does."""
    total = hashlib.sha256()
    for folder in CODE:
        for path in sorted((root / folder).rglob("*.py")):
            total.update(f"{path.relative_to(root)}\0".encode() + path.read_bytes())
    return total.hexdigest()


def machine() -> dict[str, str | int]:
    """Where it runs, as far as it matters to seconds."""
    return {
        "cores": len(os.sched_getaffinity(0)),
        "processor": _processor(),
        "system": f"{platform.system()} {platform.release()}",
        "python": platform.python_version(),
    }


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text("utf-8").splitlines()
    except OSError:
        return platform.machine()
    names = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(names, platform.machine())


def _commit() -> str:
    """The commit, empty outside of a work tree; the digest says whether files differ from it."""
    argv = ["git", "-C", str(ROOT), "rev-parse", "HEAD"]
    try:
        done = subprocess.run(argv, capture_output=True, text=True, timeout=GIT_TIMEOUT_S, check=False)
    except (OSError, subprocess.SubprocessError):
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""

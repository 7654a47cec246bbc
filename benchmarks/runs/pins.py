"""What a run has to say so that it can be repeated: inputs, code, configuration, machine."""

import hashlib
import os
import platform
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from benchmarks.runs.tools import git
from bot import __version__
from bot.config import sources
from bot.errors import MachineError

ROOT = Path(__file__).resolve().parents[2]
CODE = ("bot", "sandbox", "benchmarks")


def header(
    benchmark: str,
    *,
    inputs: Mapping[str, str],
    configuration: Mapping[str, object],
    shard: str = "",
) -> dict[str, Any]:
    """The first line of a run; ``inputs`` maps what the tasks were read from to a digest of it."""
    return {
        "benchmark": benchmark,
        "inputs": dict(inputs),
        "code": {"version": __version__, "commit": _commit(), "digest": code_digest()},
        "configuration": dict(configuration),
        **({"shard": shard} if shard else {}),
        "machine": machine(),
        "started": datetime.now(UTC).isoformat(timespec="seconds"),
    }


def chosen(options: Mapping[str, Any]) -> dict[str, object]:
    """What of a repair's options is not as it is by default, wherever that was said; no secret.

    What a default is follows from the code, which is pinned.

    Raises:
        ConfigurationError: a value cannot be used.
    """
    settings = sources.load({**options, "project": "."})
    found: dict[str, object] = {"strategy": settings.strategy}
    for entry in sources.effective(settings):
        if entry.origin != sources.DEFAULT and not entry.option.secret:
            found[entry.option.field] = _without_login(entry.value)
    return found


def weights(options: Mapping[str, Any]) -> dict[str, str]:
    """The digests of the models that are files here; a name on a server says itself what it is."""
    names = str(options.get("model") or "").split(",")
    paths = [Path(part) for name in names for part in {name.strip(), name.strip().partition(":")[2]} if part]
    return {path.name: digest(path) for path in paths if path.is_file()}


def _without_login(value: object) -> object:
    """``value``, without the name and the password that the address of a server may hold."""
    return re.sub(r"(?<=://)[^/@\s]*@", "", value) if isinstance(value, str) else value


def digest(path: Path) -> str:
    """SHA-256 of the file at ``path``, in hexadecimal.

    Raises:
        OSError: it cannot be read.
    """
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def code_digest(root: Path = ROOT) -> str:
    """SHA-256 over the source below ``root``: it distinguishes runs of changed code  where no commit does."""
    total = hashlib.sha256()
    for directory in CODE:
        for path in sorted((root / directory).rglob("*.py")):
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
    try:
        return git("-C", ROOT, "rev-parse", "HEAD").strip()
    except MachineError:
        return ""

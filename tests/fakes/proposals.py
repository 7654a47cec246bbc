"""Proposals as the job that proposes writes them, and the job that publishes."""

import base64
import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from fakes.action import Ran, Shop, act

from bot.patch.apply import from_sources
from bot.patch.diff import unified_diff

TEST = "tests/test_prices.py::test_with_tax"


def edit(path: str, start: int, end: int, code: bytes) -> dict[str, Any]:
    """An edit of a proposal."""
    return {"path": path, "start": start, "end": end, "text": base64.b64encode(code).decode()}


def proposal(
    place: Shop,
    new: Mapping[str, bytes],
    *,
    failing: Sequence[str] = (TEST,),
    commit: str = "",
    **change: Any,
) -> dict[str, Any]:
    """A proposal that makes the files ``new`` at the head or ``commit``, and repairs the ``failing`` tests.

    Nothing is wrong with it but what ``change`` says; None takes a field away.
    """
    objects = place.repository.objects
    leaves = objects.at(commit or place.head)
    old = {path: objects.blobs[leaves[path].sha] if path in leaves else None for path in new}
    sources = {path: content.decode() for path, content in old.items() if content is not None}
    patch = from_sources(sources, {path: content.decode() for path, content in new.items()})
    document = {
        "version": 1,
        "regreen": "0.1.0",
        "repository": "octo/app",
        "pull": place.pull.number,
        "base_sha": commit or place.head,
        "head_sha": place.head,
        "head_ref": place.pull.pull.head_ref,
        "run_id": place.run.id,
        "trigger": "workflow_run",
        "outcome": "patched",
        "reason": "",
        "failing": [{"test": test} for test in failing],
        "failing_count": len(failing),
        "evidence": {
            "repaired": 1,
            "still_passing": 1,
            "covering": 0,
            "left_out": 0,
            "repeats": 3,
            "sandbox": "docker",
            "isolated": True,
            "seconds": 1.0,
        },
        "originals": [
            {"path": path, "sha256": None if content is None else hashlib.sha256(content).hexdigest()}
            for path, content in old.items()
        ],
        "edits": [edit(one.path, one.start, one.end, one.replacement.encode()) for one in patch.edits],
        "diff": unified_diff(patch, sources),
    }
    return {name: value for name, value in (document | change).items() if value is not None}


def published(
    place: Shop,
    directory: Path,
    document: Mapping[str, Any] | bytes,
    kind: str = "workflow_run",
    **more: Any,
) -> Ran:
    """The run of the job that publishes ``document``, or bytes that are none."""
    (directory / "workspace").mkdir(parents=True)
    text = document if isinstance(document, bytes) else json.dumps(document).encode()
    (directory / "workspace/regreen-proposal.json").write_bytes(text)
    return act(place, directory, kind, mode="publish", **more)

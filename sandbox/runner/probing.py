"""One probe as the supervisor sees it: what ``probe`` sends, read as it comes and kept in bounds."""

from __future__ import annotations

import os
import time
from typing import Any, Callable, Dict, List

from .attempt import Start
from .kept import Tail
from .processes import supervise
from .wire import MALFORMED, WireReader

INPUTS_LIMIT = 500
TEXT_LIMIT = 400
GRACE_S = 2.0


def run(order: Dict[str, Any], start: Start, heartbeat: Callable[[], None]) -> Dict[str, Any]:
    """Probe what ``order`` names; see ``server`` for its keys and the answer's.

    Whatever is missing or has another shape than it should is left out.
    """
    started = time.monotonic()
    deadline = started + float(order["suite_timeout_s"])
    token = os.urandom(16).hex()
    reading = WireReader(token)
    answer: Dict[str, Any] = {"inputs": [], "problem": ""}
    versions: List[Dict[str, Any]] = [
        {"outcomes": [], "examples": [], "problem": "it was not tried"} for _ in order["probe"]["versions"]
    ]

    tests_are_over = False

    def on_report(chunk: bytes) -> None:
        nonlocal deadline, tests_are_over
        for event in reading.feed(chunk):
            if event["t"] == "inputs" and not tests_are_over:
                tests_are_over = True
                deadline = time.monotonic() + float(order["probe"]["seconds"]) + GRACE_S
            try:
                _take(event, answer, versions)
            except MALFORMED:
                pass  # not what the probe writes: it has no say

    child = start(dict(order, op="tests", token=token, skip=[]))
    sinks: Dict[int, Callable[[bytes], None]] = {child.report_fd: on_report, child.output_fd: Tail(0).feed}
    status = supervise(child, sinks, lambda: deadline, heartbeat)
    if status is None:
        answer["problem"] = "the probe did not finish in time"
    elif status != 0:
        answer["problem"] = "the probe's process ended early"
    return dict(answer, versions=versions, seconds=time.monotonic() - started)


def lost(reason: str) -> Dict[str, Any]:
    """The answer where nothing can be tried."""
    return {"inputs": [], "versions": [], "problem": reason, "seconds": 0.0}


def _take(event: Dict[str, Any], answer: Dict[str, Any], versions: List[Dict[str, Any]]) -> None:
    if event["t"] == "inputs":
        answer["inputs"] = [
            [int(target), int(parent), bool(near), str(text)[:TEXT_LIMIT]]
            for target, parent, near, text in event["inputs"][:INPUTS_LIMIT]
        ]
    elif event["t"] == "version":
        outcomes = [
            None if outcome is None else [str(part)[:TEXT_LIMIT] for part in outcome[:4]]
            for outcome in event["outcomes"][:INPUTS_LIMIT]
        ]
        versions[int(event["number"])].update(
            outcomes=outcomes,
            examples=[str(verdict)[:TEXT_LIMIT] for verdict in event["examples"][:INPUTS_LIMIT]],
            problem=str(event["problem"])[:TEXT_LIMIT],
        )

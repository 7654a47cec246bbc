"""What a proposal says beside its patch, as the job that proposes writes it."""

from collections.abc import Sequence
from typing import Any


def about(place: Any, failing: Sequence[str]) -> dict[str, Any]:
    """The fields of a proposal for the pull request of ``place``, whose ``failing`` tests it repairs."""
    return {
        "version": 1,
        "regreen": "0.1.0",
        "repository": "octo/app",
        "pull": place.pull.number,
        "base_sha": place.head,
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
    }

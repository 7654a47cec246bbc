"""A plugin of pytest that keeps the tests to judge by and drops the others; one of a tool's driver or ``-p``.

``REGREEN_JUDGED_TESTS`` names a file with the ids, as a JSON list. Standard library only.
"""

import json
import os
from pathlib import Path
from typing import Any

VARIABLE = "REGREEN_JUDGED_TESTS"


def pytest_collection_modifyitems(config: Any, items: "list[Any]") -> None:  # noqa: ANN401 - pytest's
    """Keep what the file names."""
    path = os.environ.get(VARIABLE)
    if not path:
        return
    judged = set(json.loads(Path(path).read_text("utf-8")))
    dropped = [item for item in items if item.nodeid not in judged]
    items[:] = [item for item in items if item.nodeid in judged]
    config.hook.pytest_deselected(items=dropped)

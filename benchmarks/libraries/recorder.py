"""Runs pytest outside of a sandbox, and writes each verdict to a file at once: what a cut run had is kept.

Started as a script by the project's own interpreter: ``recorder.py FILE ROOT ARGUMENT...``, where ROOT is a
directory to import from first, or empty. Standard library and pytest only, CPython 3.7+.
"""

import json
import os
import signal
import sys
from pathlib import Path
from typing import Any

MAX_MESSAGE = 1000
encode = json.JSONEncoder().encode  # a test may have put something else in place of json.dumps


class Recorder:
    """A plugin that appends ``[node id, outcome, message]`` to ``path``, a line a test."""

    def __init__(self, path: str) -> None:
        self._file = Path(path).open("a", encoding="utf-8")  # noqa: SIM115 - as long as the process runs

    def pytest_runtest_logreport(self, report: Any) -> None:  # noqa: ANN401 - pytest's report
        """One phase of a test: its call, or what failed or skipped beside."""
        if report.failed or report.skipped or report.when == "call":
            self._write(report)

    def pytest_collectreport(self, report: Any) -> None:  # noqa: ANN401 - pytest's report
        """A file that could not be imported."""
        if report.failed:
            self._write(report)

    def _write(self, report: Any) -> None:  # noqa: ANN401 - pytest's report
        crash = getattr(getattr(report, "longrepr", None), "reprcrash", None)
        message = str(getattr(crash, "message", "")) if report.failed else ""
        self._file.write(encode([report.nodeid, report.outcome, message[:MAX_MESSAGE]]) + "\n")
        self._file.flush()


def main() -> int:
    """Run pytest as its own command does, or with a root as ``python -m pytest`` does."""
    _, record, root, *arguments = sys.argv
    # A shell's background job ignores it, and so would every test of an interruption.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    sys.path[:1] = [str(Path(root).resolve())] if root else []  # in place of this file's directory
    import pytest

    sys.argv = os.environ.pop("REGREEN_ARGUMENTS", "").split() or sys.argv
    return int(pytest.main(arguments, plugins=[Recorder(record)]))


if __name__ == "__main__":
    sys.exit(main())

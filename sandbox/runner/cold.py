"""A test process forked by the supervisor itself, which has nothing of the project loaded."""

from __future__ import annotations

import os
from functools import partial
from typing import Any, Dict

from . import test_process
from .processes import Child, become_child
from .pytest_child import ChildSettings, run_pytest
from .wire import Wire


class ColdChild(Child):
    """Imports pytest and runs it; its pipes are its own."""

    def __init__(self, settings: ChildSettings, limits: Dict[str, int], order: Dict[str, Any]) -> None:
        self.report_fd, report_write = os.pipe()
        self.output_fd, output_write = os.pipe()
        pid = os.fork()
        if pid == 0:
            os.dup2(output_write, 1)
            os.dup2(output_write, 2)
            become_child(limits, keep=(report_write,))
            body = partial(run_pytest, settings)
            test_process.run(body, order, Wire(report_write))
        os.close(report_write)
        os.close(output_write)
        super().__init__(pid)

    def close(self) -> None:
        """Let go of the pipes."""
        os.close(self.report_fd)
        os.close(self.output_fd)

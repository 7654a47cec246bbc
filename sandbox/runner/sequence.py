"""The order in which the reporter writes, seen by the supervisor: what comes otherwise was not written by it.

Code in the test process that knows the order can keep to it. So this proves nothing; it makes a forgery by a
few lines fail, and control tests on the host are for the others (docs/verdicts.md).
"""

from __future__ import annotations

from collections import Counter
from typing import Any, Dict, List, Optional

NO_START = "a result without its start"
TWICE = "a second result"
NOT_COLLECTED = "a test that was not collected"
LATE = "a report after the last one"
AGAIN = "a second collection"


class Sequence:
    """What one test process has reported so far, and the ``violations`` of the order.

    ``tests`` are those of a process that was forked with its tests collected: it does not announce the first.
    None for one that collects them itself.
    """

    def __init__(self, tests: Optional[List[str]] = None) -> None:
        self._left: Optional[Counter[str]] = None if tests is None else Counter(tests)
        self._running = tests[0] if tests else ""
        self._may_collect = True
        self._is_controlled = self._is_over = False
        self.violations: List[str] = []

    def see(self, kind: str, event: Dict[str, Any]) -> None:
        """Take one event, of the shape that the reporter gives it."""
        if self._is_over:
            self._add(LATE)
        elif kind == "collected":
            self._collected([str(test) for test, _file in event["items"]])
        elif kind == "start":
            self._started(str(event["id"]))
        elif kind == "result":
            self._ended(event)
        elif kind == "control":
            if self._is_controlled:
                self._add(LATE)
            self._is_controlled = True
        elif kind == "end":
            self._is_over = True

    def _collected(self, tests: List[str]) -> None:
        # Once, also where tests were collected before the fork: a candidate's modules may be imported anew.
        if not self._may_collect:
            self._add(AGAIN)
        self._may_collect = False
        self._left = Counter(tests)

    def _started(self, test: str) -> None:
        self._may_collect = False
        if self._is_controlled:
            self._add(LATE)
        if self._left is None or test not in self._left:
            self._add(NOT_COLLECTED)
        self._running = test

    def _ended(self, event: Dict[str, Any]) -> None:
        test = event["id"]
        if event["status"] == "error" or (event.get("file") and "::" not in test):
            # Of a file that cannot be collected, or of all tests of a file: neither is started.
            if test == self._running:
                self._settle(test)
        elif self._is_controlled:
            self._add(LATE)
        elif test != self._running:
            self._add(TWICE if self._left is not None and not self._left[test] else NO_START)
        else:
            self._settle(test)

    def _settle(self, test: str) -> None:
        if self._left is not None:
            if not self._left[test]:
                self._add(TWICE)
            self._left[test] -= 1
        self._running = ""

    def _add(self, violation: str) -> None:
        if violation not in self.violations:
            self.violations.append(violation)

"""Fixtures of the session's scope that are set up once, before the fork, where each fork would take long.

A test database is the usual one. Which fixtures a test needs, its run on the unchanged project shows. They
are kept only where setting them up left nothing that forks would share: no file or socket, thread or
process. What ran of the project meanwhile counts as run at its import, see ``swap``.
"""

from __future__ import annotations

import os
from time import perf_counter  # a test or a fixture may freeze those of the module
from typing import Any, Callable, Dict, List, Optional

import pytest

from .fork import threads
from .processes import has_children

Within = Callable[[Callable[[], Any]], Optional[BaseException]]  # calls under a limit; what was raised
LEAST_S = 0.02  # what is quicker is not worth it


class SharedFixtures:
    """A plugin of pytest that notes what the fixtures of the session take, and can set them up by name."""

    def __init__(self) -> None:
        self._slow: Dict[str, List[str]] = {}  # by the test that was the first to need them
        self.made: List[str] = []

    @pytest.hookimpl(hookwrapper=True)
    def pytest_fixture_setup(self, fixturedef: Any, request: Any) -> Any:
        started = perf_counter()
        yield
        is_slow = perf_counter() - started >= LEAST_S
        if is_slow and fixturedef.scope == "session" and fixturedef.params is None:
            self._slow.setdefault(request._pyfuncitem.nodeid, []).append(fixturedef.argname)

    def slow(self) -> List[Any]:
        """A test and those fixtures that were set up for it in here and took long, if there are any."""
        return next(([test, names] for test, names in self._slow.items()), [])

    def make(self, item: Any, names: List[str], within: Within) -> str:
        """Set up the fixtures ``names`` as ``item`` sees them; why they cannot be kept, else nothing."""
        before = _descriptors()
        session = item.session

        def set_up() -> None:
            session._setupstate.setup(session)
            for name in names:
                item._request.getfixturevalue(name)
            item._initrequest()  # in a fork it begins anew

        error = within(set_up)
        if error is not None:
            return "%s: %s" % (type(error).__name__, error)
        self.made += names
        if _descriptors() != before:
            return "it opens a file or a socket"
        return "it starts a thread or a process" if threads() != 1 or has_children() else ""

    def undo(self, session: Any, within: Within) -> None:
        """In a fork: tear them down, since all is to be imported anew."""
        if self.made:
            within(lambda: session._setupstate.teardown_exact(None))


def _descriptors() -> "set[str]":
    """The numbers of what is open."""
    return set(os.listdir("/proc/self/fd"))

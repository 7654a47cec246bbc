"""Fixtures of the session's scope that are set up once, before the fork, where each fork would take long.

A test database is the usual one. Which fixtures a test needs, its run on the unchanged project shows. They
are kept only where setting them up left nothing that forks would share (no file or socket, memory, thread or
process) and ran no program, which may have run the project. What of the project ran in here meanwhile counts
as run at its import, see ``swap``, and a candidate that changes it is judged in a whole run.
"""

from __future__ import annotations

import os
import resource
import sys
from time import perf_counter  # a test or a fixture may freeze those of the module
from typing import Any, Callable, Dict, List, Optional

import pytest

from .fork import threads
from .processes import has_children

Within = Callable[[Callable[[], Any]], Optional[BaseException]]  # calls under a limit; what was raised
LEAST_S = 0.02  # what is quicker is not worth it
FOLLOWS_NO_SWAP = "numba"  # compiles what it is given, and does not follow an exchange of code


class SharedFixtures:
    """A plugin of pytest that notes what the fixtures of the session take, and can set them up by name."""

    def __init__(self) -> None:
        self._slow: Dict[str, List[str]] = {}  # by the test that was the first to need them
        self.made: List[str] = []

    @pytest.hookimpl(hookwrapper=True)
    def pytest_fixture_setup(self, fixturedef: Any, request: Any) -> Any:
        started = perf_counter()
        outcome = yield
        is_slow = perf_counter() - started >= LEAST_S
        if is_slow and outcome.excinfo is None and _is_of_session(fixturedef):
            self._slow.setdefault(request._pyfuncitem.nodeid, []).append(fixturedef.argname)

    def slow(self) -> List[Any]:
        """A test and those fixtures that were set up for it in here and took long, if there are any."""
        return next(([test, names] for test, names in self._slow.items()), [])

    def make(self, item: Any, names: List[str], within: Within) -> str:
        """Set up the fixtures ``names`` as ``item`` sees them; why they cannot be kept, else nothing.

        Other fixtures of the session that it has are set up too, in pytest's order: they may be needed.
        """
        before = _shared_things()
        session, known = item.session, item._fixtureinfo.name2fixturedefs
        own = [name for name in item.fixturenames if known.get(name) and _is_of_session(known[name][-1])]

        def set_up() -> None:
            session._setupstate.setup(session)
            for name in dict.fromkeys([*own, *names]):
                item._request.getfixturevalue(name)
            item._initrequest()  # in a fork it begins anew

        error = within(set_up)
        self._slow.clear()
        if error is not None:
            return "%s: %s" % (type(error).__name__, error)
        self.made += names
        if FOLLOWS_NO_SWAP in sys.modules:
            return "%s is loaded" % FOLLOWS_NO_SWAP
        is_alone = not has_children() and threads() == 1  # what has ended is collected, and counted below
        after = _shared_things()
        changed = [reason for reason in before if before[reason] != after[reason]]
        if changed:
            return changed[0]
        return "" if is_alone else "it starts a thread or a process"


def _is_of_session(fixture: Any) -> bool:
    return bool(fixture.scope == "session" and fixture.params is None)


def _shared_things() -> Dict[str, Any]:
    """What forks would have in common, or what says that something was done elsewhere; by the reason."""
    with open("/proc/self/maps") as maps:
        shared = sorted({line.split()[-1] for line in maps if line.split()[1].endswith("s")})
    return {
        "it runs a program": resource.getrusage(resource.RUSAGE_CHILDREN).ru_minflt,
        "it shares memory": shared,
        "it opens a file or a socket": set(os.listdir("/proc/self/fd")),
    }

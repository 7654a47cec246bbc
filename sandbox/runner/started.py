"""The zygotes that one project's runs of tests begin with: with pytest loaded, and with nothing loaded."""

from __future__ import annotations

from typing import Any, Callable, Dict, Optional

from .zygote import Zygote, ZygoteLost

Beat = Callable[[], None]


class Started:
    """``payload`` and ``settings`` are those of each ``Zygote``; pytest's begins to load at once."""

    def __init__(self, payload: Dict[str, Any], settings: Dict[str, Any]) -> None:
        self._payload, self._settings = payload, settings
        self._pytest: Optional[Zygote] = Zygote(payload, "pytest_zygote", settings)
        self._is_new = True
        self._empty: Optional[Zygote] = None
        self._light: Optional[Zygote] = None

    def load_pytest(self, heartbeat: Beat) -> Dict[str, Any]:
        """What pytest's zygote says when it has loaded pytest; one that has said so before is ended.

        Before that it makes a copy of itself, for tests that are mere calls: it is not much of a process yet,
        and another interpreter would take some 75 ms to start. Where it cannot, there is none.

        Raises:
            ZygoteLost: it ended, or cannot be started.
        """
        if self._pytest is None or not self._is_new:
            self._end(self._pytest, self._light)
            self._pytest = Zygote(self._payload, "pytest_zygote", self._settings)
        self._is_new, self._light = False, None
        try:
            self._pytest.receive(heartbeat)  # it is up
            self._light = Zygote(self._payload, "direct_zygote", self._settings, self._pytest)
        except (ZygoteLost, OSError):
            self._end(self._pytest)
            self._pytest = Zygote(self._payload, "pytest_zygote", dict(self._settings, alone=True))
        return self._pytest.receive(heartbeat)

    def pytest(self) -> Optional[Zygote]:
        """The one with pytest, if it lives."""
        return self._pytest if self._pytest is not None and self._pytest.alive else None

    def empty(self, heartbeat: Beat) -> Zygote:
        """The one that has nothing loaded.

        Raises:
            ZygoteLost: it cannot be started.
        """
        if self._empty is None or not self._empty.alive:
            self._end(self._empty)
            self._empty = Zygote(self._payload, "empty_zygote", self._settings)
            self._empty.receive(heartbeat)
        return self._empty

    def start(self, entry: str, settings: Dict[str, Any]) -> Zygote:
        """One more, which is the caller's: what has been loaded already need not be loaded again.

        Raises:
            ZygoteLost: it could not be copied from what is loaded.
        """
        if entry == "direct_zygote" and self._light is not None:
            light, self._light = self._light, None
            if light.alive:
                return light
            light.close()
        parent = self.pytest() if entry == "project_zygote" else None
        return Zygote(self._payload, entry, dict(self._settings, **settings), parent)

    def tidy(self) -> None:
        """Let go of those that ended: another process may get their numbers."""
        for zygote in (self._pytest, self._empty, self._light):
            if zygote is not None and not zygote.alive:
                zygote.close()

    def close(self) -> None:
        """End them."""
        self._end(self._pytest, self._empty, self._light)
        self._pytest = self._empty = self._light = None

    @staticmethod
    def _end(*zygotes: Optional[Zygote]) -> None:
        for zygote in zygotes:
            if zygote is not None:
                zygote.close()

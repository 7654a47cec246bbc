"""Zygotes that are being loaded with the project, perhaps while something else runs."""

from __future__ import annotations

from typing import Any, Callable, Dict, Optional, Tuple

from .zygote import Zygote, ZygoteLost

Start = Callable[..., Zygote]  # of an entry, the settings to add, and whether it is needed at once


class Loading:
    """``project`` collects the tests of ``files``; ``light`` is there in case that some are mere calls.

    Raises:
        ZygoteLost: what the project's is a copy of made none.
    """

    def __init__(self, files: "set[str]", start: Start, *, light: bool, at_once: bool = True) -> None:
        self.files = files
        self.project = start("project_zygote", {"files": sorted(files)})
        self.light: Optional[Zygote] = start("direct_zygote", {}, at_once) if light else None

    def ready(self, heartbeat: Callable[[], None]) -> Dict[str, Any]:
        """What the project's zygote says when it has loaded; see ``Zygote.receive``."""
        if self.light is not None:
            self.light.deliver()
        return self.project.receive(heartbeat)

    def close(self) -> None:
        """End them."""
        for zygote in (self.project, self.light):
            if zygote is not None:
                zygote.close()


def loaded(
    begun: Optional[Loading], files: "set[str]", start: Start, *, light: bool, heartbeat: Callable[[], None]
) -> Tuple[Loading, Dict[str, Any]]:
    """Zygotes with ``files``, and what the project's says: those that were ``begun`` if they will do.

    Raises:
        ZygoteLost: the project's was lost.
    """
    if begun is not None:
        try:
            if light and begun.files == files:
                ready = begun.ready(heartbeat)
                if "problem" not in ready:
                    return begun, ready
        except ZygoteLost:
            pass  # what ran beside it may have been in its way
        begun.close()
    loading = Loading(files, start, light=light)
    try:
        return loading, loading.ready(heartbeat)
    except ZygoteLost:
        loading.close()
        raise

"""What a run of the Action works with."""

from dataclasses import dataclass
from pathlib import Path

from bot.config.settings import Settings
from bot.github.client import GitHub
from bot.ports import Progress


@dataclass(frozen=True, slots=True, kw_only=True)
class Workplace:
    """What a repair in the Action works with; ``directory`` is private, ``secrets`` are never written."""

    github: GitHub
    settings: Settings
    directory: Path
    progress: Progress
    trigger: str
    secrets: tuple[str, ...] = ()

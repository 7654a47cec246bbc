"""What to do next, a sentence for each verdict: ``advice.toml``."""

import tomllib
from importlib.resources import files

from bot.triage.model import CauseKind

SENTENCES: dict[str, str] = tomllib.loads((files("bot.triage") / "advice.toml").read_text("utf-8"))


def advice(kind: CauseKind, subkind: str) -> str:
    """The sentence for a verdict; that for its kind where there is none of its own."""
    return SENTENCES.get(f"{kind.value}/{subkind}", SENTENCES[kind.value])

"""The prompts as a model gets them, kept as files: a change of one shows in a diff.

After a wanted change: ``REGREEN_WRITE_GOLDEN=1 pytest tests/unit/agent/test_agent_golden_prompts.py``.
"""

import os
from pathlib import Path

from every_case import every_case
from test_agent_prompts import FULL, USED

from bot.agent.prompts import render

DIRECTORY = Path(__file__).parents[2] / "golden" / "prompts"


@every_case("name", ["system", *sorted(USED), "critic", "rank"])
def test_a_prompt_is_what_it_was(name):
    file = DIRECTORY / f"{name}.md"
    text = render(name, **FULL) + "\n"
    if os.environ.get("REGREEN_WRITE_GOLDEN"):
        file.write_text(text, "utf-8")
    assert file.read_text("utf-8") == text

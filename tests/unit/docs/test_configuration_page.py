"""docs/configuration.md: what the table of options says, and examples that work."""

import re
import runpy
from pathlib import Path

from bot.config.options import OPTIONS
from bot.config.sources import load

DOCS = Path(__file__).parents[3] / "docs"
PAGE = DOCS / "configuration.md"


def test_the_page_is_what_the_table_says():
    page = runpy.run_path(str(DOCS / "configuration.py"))["page"]()
    assert PAGE.read_text("utf-8") == page, "run: python docs/configuration.py"


def test_every_option_is_on_the_page_with_its_variables():
    text = PAGE.read_text("utf-8")
    in_bytes = ", ".join(f"`{option.name}`" for option in OPTIONS if option.kind == "bytes")
    assert f"or bytes for {in_bytes}." in text
    for option in OPTIONS:
        assert any(f"`{name}{end}" in text for name in (option.name, option.flag) for end in "` ")
        assert all(f"`{name}`" in text for name in option.variables)
        # The page says how these names are made and does not list them.
        assert option.variable == f"REGREEN_{option.name.upper().replace('-', '_')}"


def test_the_example_is_a_file_that_works(tmp_path):
    (example,) = re.findall(r"```yaml\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    (tmp_path / "regreen.yml").write_text(example)
    settings = load({"project": tmp_path, "config": tmp_path / "regreen.yml"}, {})
    assert (settings.sandbox, settings.limits.memory_mib, settings.time_budget) == ("docker", 4096, 600)

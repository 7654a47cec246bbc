"""Record docs/demo.svg from a real run: ``python docs/record.py PROJECT [OPTIONS OF regreen fix]``."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

from rich.console import Console
from rich.text import Text

TARGET = Path(__file__).with_name("demo.svg")
WIDTH = 92
STYLES = {"+": "green", "-": "red", "@": "cyan", "d": "bold"}


def main() -> None:
    """Run the command, and draw what it printed as a terminal would show it."""
    project, *options = sys.argv[1:]
    environment = {**os.environ, "FORCE_COLOR": "1", "COLUMNS": str(WIDTH), "TERM": "xterm-256color"}
    command = [sys.executable, "-m", "bot", "fix", project, *options]
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
    with Path(os.devnull).open("w", encoding="utf-8") as nowhere:
        console = Console(record=True, width=WIDTH, force_terminal=True, file=nowhere)
        console.print(Text(f"$ regreen fix {project}", style="bold"))
        for line in done.stdout.splitlines():
            console.print(Text(line, style=STYLES.get(line[:1], "")))
        # Of the progress line's redrawing only the last state is of interest.
        evidence = done.stderr[done.stderr.index("Verified") - 30 :]
        console.print(
            Text.from_ansi(
                re.sub(r"^.*?(?=\x1b\[[0-9;]*m? *Verified|Verified)", "", evidence, flags=re.DOTALL)
            )
        )
        svg = console.export_svg(title="regreen")
    # The drawing must not load a font from elsewhere.
    TARGET.write_text(re.sub(r"@font-face \{.*?\}\s*", "", svg, flags=re.DOTALL), "utf-8")


main()

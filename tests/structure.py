"""Fails where the source outgrows its limits or two classes share a name: ``python tests/structure.py``."""

import ast
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
MAX_ENTRIES = 30
"""Of ``bot/``, bytecode left out."""

MAX_FILE_LINES, MAX_FUNCTION_LINES = 300, 50


def main() -> int:
    """Print a line for each problem; 1 where there is one."""
    entries = [one for one in (ROOT / "bot").iterdir() if one.name != "__pycache__"]
    found = [*_problems(), *_long_files()]
    if len(entries) > MAX_ENTRIES:
        found.append(f"bot/ has {len(entries)} entries, more than {MAX_ENTRIES}")
    for problem in found:
        print(problem)  # noqa: T201 - it is a program
    return int(bool(found))


def _problems() -> Iterator[str]:
    classes: dict[str, list[str]] = defaultdict(list)
    for place in ("bot", "sandbox", "benchmarks"):
        for path in sorted((ROOT / place).rglob("*.py")):
            name, text = path.relative_to(ROOT).as_posix(), path.read_text("utf-8")
            for node in ast.walk(ast.parse(text)):
                if isinstance(node, ast.ClassDef) and place != "benchmarks" and node.name[0] != "_":
                    classes[node.name].append(f"{name}:{node.lineno}")
                elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                    lines = (node.end_lineno or 0) - node.lineno + 1
                    if lines > MAX_FUNCTION_LINES:
                        yield f"{name}: {node.name} has {lines} lines, more than {MAX_FUNCTION_LINES}"
    for name, places in classes.items():
        if len(places) > 1:
            yield f"two classes have the name {name}: {', '.join(places)}"


def _long_files() -> Iterator[str]:
    for place in ("bot", "sandbox", "benchmarks", "tests"):
        for path in sorted((ROOT / place).rglob("*.py")):
            if (lines := path.read_text("utf-8").count("\n")) > MAX_FILE_LINES:
                yield f"{path.relative_to(ROOT)}: {lines} lines, more than {MAX_FILE_LINES}"


if __name__ == "__main__":
    sys.exit(main())

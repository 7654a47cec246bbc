"""Regenerate the logs in ``runners/``: really run many versions of many test runners on tiny projects.

    .venv/bin/python tests/golden/cilog/make_runner_logs.py VENVS [name ...]

VENVS is a directory that holds an environment for each recipe of cases.toml; what is missing there is made
first, for which pyenv's interpreters and an index of packages are needed. The ``*.json`` beside the logs were
checked by eye; this script never writes them. Paths of this machine, durations, addresses and process ids are
replaced.
"""

import re
import shlex
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from make_logs import CHECKOUT, LOGS, PROJECTS, dress, lay, output_of

HERE = Path(__file__).parent / "runners"
PYENV = Path.home() / ".pyenv" / "versions"

RECIPES: dict[str, list[str]] = LOGS["recipes"]
PYTEST = "{p} -m pytest -p no:cacheprovider -c /dev/null --rootdir=."
REPORT = "--junitxml=report.xml > /dev/null 2>&1; cat report.xml; echo"


@dataclass(frozen=True, kw_only=True)
class Case:
    """One log: a project, and a command for the shell, in which ``{p8}`` is a recipe's interpreter."""

    files: dict[str, str]
    command: str
    dress: str


def case_of(row: dict[str, Any]) -> Case:
    """A row of ``cases.toml``; ``without`` leaves files out by a word of their names."""
    files = {path: text for name in row["projects"] for path, text in PROJECTS[name].items()}
    command = row["command"].replace("{report}", REPORT)
    for recipe in RECIPES:
        command = command.replace(f"{{pytest:{recipe}}}", PYTEST.replace("{p}", f"{{{recipe}}}"))
    left = {path: text for path, text in files.items() if row.get("without", "\0") not in path}
    return Case(files=left, command=command, dress=row.get("dress", "github"))


CASES = {name: case_of(row) for name, row in LOGS["runners"].items()}


def run(case: Case, root: Path, pythons: dict[str, str]) -> tuple[list[str], int]:
    """The scrubbed lines that the command prints, and its exit status."""
    files = dict(case.files)
    for recipe, python in pythons.items():
        files = {name: text.replace("{" + recipe + "}", python) for name, text in files.items()}
    lay(root, files)
    command = case.command.format(**{name: shlex.quote(path) for name, path in pythons.items()})
    printed, status = output_of(["bash", "-c", command], root, {"PYTHONPATH": str(root)})
    return scrub(printed, root, pythons).split("\n")[:-1], status


def scrub(text: str, root: Path, pythons: dict[str, str]) -> str:
    """The text without anything of this machine or of this moment."""
    text = text.replace(str(root), CHECKOUT)
    for recipe, python in pythons.items():
        version = RECIPES[recipe][0]
        tool = f"/opt/hostedtoolcache/Python/{version}/x64"
        text = text.replace(str(Path(python).parents[1]), tool).replace(str(PYENV / version), tool)
    text = re.sub(r"(?m)^((?:configfile|plugins): ).*$", r"\1scrubbed", text)
    text = re.sub(r"0x[0-9a-f]{6,}", "0x00007f0000000000", text)
    text = re.sub(r'\b(hostname|timestamp|time)="[^"]*"', r'\1="0"', text)
    text = re.sub(r"\b(pid[= ]|MainThread \()\d+", r"\g<1>4242", text)
    return re.sub(r"\b\d+\.\d{2,3}( ?s\b| seconds)", r"0.12\1", text)


def python_of(venvs: Path, recipe: str) -> str:
    """The recipe's interpreter; its environment is made where it is missing."""
    version, *packages = RECIPES[recipe]
    directory = venvs / recipe
    if not directory.exists():
        subprocess.run([str(PYENV / version / "bin" / "python"), "-m", "venv", str(directory)], check=True)
        subprocess.run(
            [str(directory / "bin" / "python"), "-m", "pip", "install", "-q", *packages], check=True
        )
    return str(directory / "bin" / "python")


def main() -> None:
    """Write the logs named on the command line, or all."""
    venvs = Path(sys.argv[1]).resolve()
    HERE.mkdir(exist_ok=True)
    for name in sys.argv[2:] or CASES:
        case = CASES[name]
        used = [case.command, *case.files.values()]
        wanted = [recipe for recipe in RECIPES if any("{" + recipe + "}" in text for text in used)]
        pythons = {recipe: python_of(venvs, recipe) for recipe in wanted}
        with tempfile.TemporaryDirectory() as directory:
            lines, status = run(case, Path(directory).resolve(), pythons)
        (HERE / f"{name}.log").write_bytes(dress(lines, status, case.dress))


if __name__ == "__main__":
    main()

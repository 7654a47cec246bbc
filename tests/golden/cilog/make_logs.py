"""Regenerate the golden logs: run pytest for real on tiny projects, then dress its output as a CI log.

    .venv/bin/python tests/golden/cilog/make_logs.py [name ...]

Each ``*.truth`` is what pytest reported to a plugin in the same run: the red node ids, known without reading
the log. The ``*.json`` were checked by eye against the logs; this script never writes them.
Machine paths, durations and addresses are replaced, so that a second run changes nothing of substance.
"""

import os
import re
import shlex
import subprocess
import sys
import tempfile
import tomllib
from dataclasses import dataclass, field
from pathlib import Path

HERE = Path(__file__).parent
sys.path.append(str(HERE.parents[1]))

from laying import lay  # noqa: E402
from sections import sections  # noqa: E402

PROJECTS = {project.name: project.parts for project in sections("cilog/projects.txt")}
LOGS = tomllib.loads((HERE / "cases.toml").read_text("utf-8"))
PYTEST = (sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-p", "record_reports", "-c", os.devnull)
CHECKOUT = "/home/runner/work/demo/demo"


@dataclass(frozen=True, kw_only=True)
class Case:
    """One log: a project, and the pytest runs whose output follow one another in it."""

    files: dict[str, str]
    runs: tuple[tuple[str, ...], ...]
    dress: str = "github"  # github | gh | plain
    environment: dict[str, str] = field(default_factory=dict)


CASES = {
    name: Case(
        files=PROJECTS[row["project"]],
        runs=tuple(tuple(shlex.split(run)) for run in row.get("runs", [""])),
        dress=row.get("dress", "github"),
        environment=row.get("environment", {}),
    )
    for name, row in LOGS["pytest"].items()
}


def run(case: Case, root: Path) -> tuple[list[str], int]:
    """The scrubbed lines that the case's runs print, and the last exit status."""
    lay(root, case.files)
    environment = {"RECORD_REPORTS": str(root / "reports"), **case.environment}
    output, status = "", 0
    for arguments in case.runs:
        printed, status = output_of([*PYTEST, f"--rootdir={root}", *arguments], root, environment)
        output += printed
    return scrub(output, root).split("\n")[:-1], status


def output_of(command: list[str], root: Path, environment: dict[str, str]) -> tuple[str, int]:
    """What a command prints in ``root``, and its exit status."""
    whole = {
        "PATH": os.environ["PATH"],
        "HOME": str(root),
        "COLUMNS": "80",
        "LANG": "C.UTF-8",
        "PYTHONPATH": f"{root}{os.pathsep}{HERE}",
        "PYTHONDONTWRITEBYTECODE": "1",
        **environment,
    }
    done = subprocess.run(
        command, cwd=root, env=whole, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False
    )
    return done.stdout.decode("utf-8", "replace"), done.returncode


def scrub(text: str, root: Path) -> str:
    """The text without anything of this machine or of this moment."""
    text = text.replace(str(root), CHECKOUT)
    text = text.replace(sys.prefix, "/opt/hostedtoolcache/Python/3.11.7/x64")
    text = text.replace(sys.base_prefix, "/opt/hostedtoolcache/Python/3.11.7/x64")
    text = re.sub(r"(?m)^((?:configfile|plugins): ).*$", r"\1scrubbed", text)
    text = re.sub(r"0x[0-9a-f]{6,}", "0x7f0000000000", text)
    return re.sub(r"\bin \d+\.\d\ds", "in 0.12s", text)


def dress(lines: list[str], status: int, how: str) -> bytes:
    """The lines as the place named ``how`` would store them."""
    if how == "plain":
        return ("\n".join(lines) + "\n").encode()
    lines = [
        "##[group]Run python -m pytest",
        "\x1b[36;1mpython -m pytest\x1b[0m",
        "shell: /usr/bin/bash -e {0}",
        "##[endgroup]",
        *lines,
        *([f"##[error]Process completed with exit code {status}."] if status else []),
        "Post job cleanup.",
    ]
    stamped = [
        f"2024-07-13T09:04:{n // 100 % 60:02}.{n % 100:02}73607Z {line}" for n, line in enumerate(lines)
    ]
    if how == "gh":
        stamped = [f"test (3.11)\tRun tests\t{line}" for line in stamped]
        return ("\n".join(stamped) + "\n").encode()
    return b"\xef\xbb\xbf" + ("\r\n".join(stamped) + "\r\n").encode()


def main() -> None:
    """Write the logs named on the command line, or all."""
    for name in sys.argv[1:] or CASES:
        with tempfile.TemporaryDirectory() as directory:
            root = Path(directory).resolve()
            lines, status = run(CASES[name], root)
            reports = root / "reports"
            truth = reports.read_text(encoding="utf-8") if reports.exists() else ""
        (HERE / f"{name}.truth").write_text(truth, encoding="utf-8")
        (HERE / f"{name}.log").write_bytes(dress(lines, status, CASES[name].dress))


if __name__ == "__main__":
    main()

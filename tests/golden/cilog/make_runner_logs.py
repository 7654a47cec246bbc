"""Regenerate the logs in ``runners/``: really run many versions of many test runners on tiny projects.

    .venv/bin/python tests/golden/cilog/make_runner_logs.py VENVS [name ...]

VENVS is a directory that holds an environment for each recipe below; what is missing there is made first, for
which pyenv's interpreters and an index of packages are needed. The ``*.json`` beside the logs were checked by
eye; this script never writes them. Paths of this machine, durations, addresses and process ids are replaced.
"""

import re
import shlex
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

from make_logs import CHECKOUT, PROJECTS, dress, lay, output_of

HERE = Path(__file__).parent / "runners"
PYENV = Path.home() / ".pyenv" / "versions"

RECIPES = {  # the interpreter, and what is installed
    "p6": ("3.8.18", ["pytest==6.2.5", "pytest-xdist<3", "pytest-timeout<2.2", "pytest-rerunfailures==10.3"]),
    "p7": (
        "3.10.13",
        ["pytest==7.4.4", "pytest-xdist", "pytest-timeout", "pytest-randomly", "pytest-subtests"],
    ),
    "p8": (
        "3.12.1",
        [
            "pytest==8.3.5",
            "pytest-xdist",
            "pytest-timeout",
            "pytest-rerunfailures",
            "numpy",
            "zope.testrunner",
            "stestr",
        ],
    ),
    "p9": ("3.13.0", ["pytest>=9,<10", "pytest-xdist", "pytest-timeout"]),
    "dj": ("3.11.7", ["django<5.3", "tblib"]),
    "tox4": ("3.11.7", ["tox>=4", "nox"]),
    "tox3": ("3.9.18", ["tox<4", "nose"]),
    "twisted": ("3.11.7", ["twisted"]),
}
PYTEST = "{p} -m pytest -p no:cacheprovider -c /dev/null --rootdir=."
REPORT = "--junitxml=report.xml > /dev/null 2>&1; cat report.xml; echo"
WITHOUT_BROKEN = {path: text for path, text in PROJECTS["many"].items() if "broken" not in path}


@dataclass(frozen=True, kw_only=True)
class Case:
    """One log: a project, and a command for the shell, in which ``{p8}`` is a recipe's interpreter."""

    files: dict[str, str]
    command: str
    dress: str = "github"
    environment: dict[str, str] = field(default_factory=dict)


def pytest(recipe: str, arguments: str = "") -> str:
    """The command for a run of pytest."""
    return f"{PYTEST.replace('{p}', '{' + recipe + '}')} {arguments}".strip()


CASES = {
    "p6_long": Case(files=PROJECTS["many"], command=pytest("p6")),
    "p6_xdist": Case(files=WITHOUT_BROKEN, command=pytest("p6", "-n 2 -v --tb=short")),
    "p6_reruns": Case(files=PROJECTS["flaky"], command=pytest("p6", "--reruns 2 -v")),
    "p6_doctest": Case(files=PROJECTS["doctest"], command=pytest("p6", "--doctest-modules"), dress="plain"),
    "p6_errors": Case(files=PROJECTS["errors"], command=pytest("p6", "-ra --tb=line")),
    "p6_parameters": Case(files=PROJECTS["parameters"], command=pytest("p6", "-vv")),
    "p7_random": Case(files=WITHOUT_BROKEN, command=pytest("p7", "-p randomly -v -p no:xdist")),
    "p7_subtests": Case(files=PROJECTS["subtests"], command=pytest("p7", "-p no:randomly")),
    "p7_timeout": Case(files=PROJECTS["slow"], command=pytest("p7", "-p no:randomly --timeout=1 -v")),
    "p7_timeout_thread": Case(
        files=PROJECTS["slow"], command=pytest("p7", "-p no:randomly --timeout=1 --timeout-method=thread")
    ),
    "p7_native_all": Case(files=PROJECTS["basic"], command=pytest("p7", "-p no:randomly -rA --tb=native")),
    "p7_spoof": Case(files=PROJECTS["spoof"], command=pytest("p7", "-p no:randomly -rA -vv --color=yes")),
    "p7_exit_first": Case(
        files=PROJECTS["basic"], command=pytest("p7", "-p no:randomly -x -q --showlocals"), dress="gh"
    ),
    "p8_many": Case(files=PROJECTS["many"], command=pytest("p8", "-vv --continue-on-collection-errors")),
    "p8_arrays": Case(files=PROJECTS["arrays"], command=pytest("p8")),
    "p8_groups": Case(files=PROJECTS["groups"], command=pytest("p8", "--tb=auto")),
    "p8_reruns": Case(files=PROJECTS["flaky"], command=pytest("p8", "--reruns 1 -rR")),
    "p8_segfault": Case(files=PROJECTS["segfault"], command=pytest("p8", "test_other.py test_native.py")),
    "p8_xdist_segfault": Case(files=PROJECTS["segfault"], command=pytest("p8", "-n 2")),
    "p8_internal": Case(files=PROJECTS["internal"], command=pytest("p8")),
    "p8_no_file": Case(files=PROJECTS["basic"], command=pytest("p8", "tests/no_such_test.py")),
    "p8_conftest": Case(
        files={**PROJECTS["basic"], "conftest.py": "import no_such_plugin\n"}, command=pytest("p8", "tests")
    ),
    "p9_many": Case(files=PROJECTS["many"], command=pytest("p9", "--tb=short")),
    "p9_subtests": Case(files=PROJECTS["subtests"], command=pytest("p9")),
    "p9_groups": Case(files=PROJECTS["groups"], command=pytest("p9", "--tb=native -q")),
    "p9_maxfail": Case(files=WITHOUT_BROKEN, command=pytest("p9", "--maxfail=2 --tb=long")),
    "p9_crash": Case(
        files=PROJECTS["crash"], command=pytest("p9", "-v; ") + pytest("p9", "-q test_before.py")
    ),
    "unittest_38": Case(files=PROJECTS["unittest"], command="{p6} -m unittest discover -v"),
    "unittest_312_buffer": Case(files=PROJECTS["unittest"], command="{p8} -m unittest discover -b"),
    "unittest_313": Case(files=PROJECTS["unittest"], command="{p9} -m unittest", dress="gh"),
    "unittest_twice": Case(
        files=PROJECTS["unittest"],
        command="{p7} -m unittest tests.test_account.TestSetUp; "
        "{p7} -m unittest -v tests.test_account.TestClass",
    ),
    "unittest_spoof": Case(files=PROJECTS["spoofed"], command="{p8} -m unittest -b -v test_spoof 2>&1"),
    "unittest_segfault": Case(
        files=PROJECTS["native"],
        command="{p8} -X faulthandler -m unittest -v test_native",
    ),
    "django": Case(files=PROJECTS["django"], command="{dj} manage.py test"),
    "django_parallel": Case(files=PROJECTS["django"], command="{dj} manage.py test --parallel 2 -v 2"),
    "nose": Case(files=PROJECTS["nose"], command="{tox3} -m nose -v"),
    "trial": Case(files=PROJECTS["trial"], command="{twisted} -m twisted.trial test_trial"),
    "p6_report": Case(
        files=PROJECTS["many"],
        command=pytest("p6", "-o junit_family=xunit1 --continue-on-collection-errors " + REPORT),
        dress="plain",
    ),
    "p8_report": Case(
        files=PROJECTS["many"],
        command=pytest("p8", "--continue-on-collection-errors " + REPORT),
        dress="plain",
    ),
    "zope": Case(files=PROJECTS["plain"], command="{p8} -m zope.testrunner --test-path=."),
    "stestr": Case(files=PROJECTS["plain"], command="{p8} -m stestr --test-path . run pkg.tests"),
    "doctest": Case(files=PROJECTS["scripts"], command="{p8} -m scripts.numbers"),
    "scripts": Case(
        files=PROJECTS["scripts"],
        command="{p8} -m scripts.report; {p8} scripts/grouped.py; {p8} scripts/wrong.py",
    ),
    "tox3": Case(files={**WITHOUT_BROKEN, **PROJECTS["tox"]}, command="{tox3} -m tox"),
    "tox4": Case(files={**WITHOUT_BROKEN, **PROJECTS["tox"]}, command="{tox4} -m tox"),
    "nox": Case(files={**WITHOUT_BROKEN, **PROJECTS["nox"]}, command="{tox4} -m nox"),
}


def run(case: Case, root: Path, pythons: dict[str, str]) -> tuple[list[str], int]:
    """The scrubbed lines that the command prints, and its exit status."""
    files = dict(case.files)
    for recipe, python in pythons.items():
        files = {name: text.replace("{" + recipe + "}", python) for name, text in files.items()}
    lay(files, root)
    command = case.command.format(**{name: shlex.quote(path) for name, path in pythons.items()})
    environment = {"PYTHONPATH": str(root), **case.environment}
    printed, status = output_of(["bash", "-c", command], root, environment)
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
    version, packages = RECIPES[recipe]
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

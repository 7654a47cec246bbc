"""The wheel: what is in it, that it starts, and what it says where another package is called ``bot``."""

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from bot import __version__

ROOT = Path(__file__).resolve().parents[2]
START = "import regreen; regreen.main()"


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """A directory that holds what the wheel installs."""
    directory = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "uv", "build", "--quiet", "--wheel", "--no-build-isolation"]
    copy = directory / "source"
    names = ["regreen.py", "pyproject.toml", "README.md", "LICENSE", "bot", "sandbox"]
    copy.mkdir()
    for name in names:
        (copy / name).symlink_to(ROOT / name)
    subprocess.run(
        [*build, "--python", sys.executable, "--out-dir", str(directory), str(copy)], check=True, timeout=120
    )
    (wheel,) = directory.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(directory / "installed")
    return directory / "installed"


def start(*arguments, path, cwd):
    """Run the command as its console script does, with ``path`` first among the places of modules."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, path))}
    return subprocess.run(
        [sys.executable, "-P", "-c", START, *arguments],
        env=environment,
        cwd=cwd,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


@pytest.mark.slow
def test_it_holds_our_packages_and_no_benchmarks(installed):
    names = {path.name for path in installed.iterdir() if not path.name.endswith(".dist-info")}
    assert names == {"bot", "sandbox", "regreen.py"}
    data = {path.suffix for path in (installed / "bot").rglob("*") if path.is_file()}
    assert {".jinja", ".json", ".typed"} <= data


def test_it_starts_from_anywhere(installed, tmp_path):
    done = start("--version", path=[installed], cwd=tmp_path)
    assert (done.returncode, done.stdout.strip()) == (0, f"regreen, version {__version__}")


@pytest.mark.parametrize("name", ["bot", "sandbox"])
def test_another_package_of_that_name_is_one_clear_message(installed, tmp_path, name):
    (tmp_path / name).mkdir()
    (tmp_path / name / "__init__.py").write_text("raise SystemExit('the other one ran')\n", "utf-8")
    done = start("--version", path=[tmp_path, installed], cwd=tmp_path)
    assert done.returncode == 2
    assert done.stderr.startswith(f"regreen: {tmp_path / name} has the name of a package of Regreen")
    assert "uvx regreen" in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_project_with_a_package_bot_is_none_of_its_business(installed, tmp_path):
    (tmp_path / "bot").mkdir()
    (tmp_path / "bot" / "__init__.py").write_text("raise SystemExit('the project ran')\n", "utf-8")
    assert start("--version", path=[installed], cwd=tmp_path).returncode == 0

"""The CPython versions that the runner supports: found on this machine, each with an environment for tests.

An environment holds pytest and nothing else. It is made once, by uv, in a directory under the user's cache;
a lock keeps pytest-xdist's workers from making the same one twice.

``python tests/interpreters.py`` installs what is missing, where uv has it, and makes all environments.
"""

import fcntl
import functools
import hashlib
import importlib.metadata
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

VERSIONS = ("3.7", "3.8", "3.9", "3.10", "3.11", "3.12", "3.13", "3.14")
REQUIRED_IN_CI = VERSIONS[:-1]
# The last pytest that an old Python can have; the others get the one that runs these tests.
LAST_PYTEST = {"3.7": "7.4.4", "3.8": "8.3.5", "3.9": "8.4.2"}
READY = ".ready"
QUESTION = "import platform, sys; print(platform.python_implementation(), *sys.version_info[:3])"
START_TIMEOUT_S = 30
BUILD_TIMEOUT_S = 300


class InterpreterMissing(Exception):
    """There is no such version here, or no environment could be made for it."""


@functools.cache
def find(version: str) -> tuple[str, str]:
    """The executable of CPython ``version`` (such as ``3.8``), and its full version.

    Looked for in REGREEN_TEST_PYTHONS (paths, separated by colons), among pyenv's and uv's, on PATH; the
    first that starts and is what it seems to be is taken.
    """
    tried = []
    for candidate in _candidates(version):
        full = _version(candidate)
        if full.rpartition(".")[0] == version:
            return candidate, full
        tried.append(candidate)
    hint = f" (tried {', '.join(tried)})" if tried else ""
    raise InterpreterMissing(
        f"no CPython {version} here{hint}: try 'uv python install {version}', or name one in "
        "REGREEN_TEST_PYTHONS"
    )


def seems_present(version: str) -> bool:
    """Whether there is something to try; nothing is started, except what REGREEN_TEST_PYTHONS names."""
    return next(_candidates(version), None) is not None


@functools.cache
def environment(version: str) -> str:
    """The interpreter of an environment with pytest for CPython ``version``."""
    base, full = find(version)
    pytest = LAST_PYTEST.get(version) or importlib.metadata.version("pytest")
    key = hashlib.sha256(base.encode()).hexdigest()[:8]
    directory = _cache() / f"{full}-pytest-{pytest}-{key}"
    directory.parent.mkdir(parents=True, exist_ok=True)
    python = directory / "bin" / "python"
    with directory.with_suffix(directory.suffix + ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (directory / READY).exists() or not python.exists():
            shutil.rmtree(directory, ignore_errors=True)
            _uv("venv", "--quiet", "--no-project", "--python", base, directory)
            _uv("pip", "install", "--quiet", "--python", python, f"pytest=={pytest}")
            (directory / READY).touch()
    return str(python)


def _candidates(version: str) -> Iterator[str]:
    for path in filter(None, os.environ.get("REGREEN_TEST_PYTHONS", "").split(":")):
        if _version(path).rpartition(".")[0] == version:
            yield path
    pyenv = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv", "versions")
    uv = Path(os.environ.get("UV_PYTHON_INSTALL_DIR") or Path.home() / ".local" / "share" / "uv" / "python")
    for directory in [*pyenv.glob(f"{version}.*"), *uv.glob(f"cpython-{version}.*")]:
        if (directory / "bin" / "python3").exists() and "freethreaded" not in directory.name:
            yield str(directory / "bin" / "python3")
    for path in os.environ.get("PATH", os.defpath).split(":"):
        if os.access(Path(path, f"python{version}"), os.X_OK):
            yield str(Path(path, f"python{version}"))


@functools.cache
def _version(python: str) -> str:
    """The full version of a CPython; empty for anything else."""
    argv = [python, "-I", "-c", QUESTION]
    try:
        answer = subprocess.run(
            argv, capture_output=True, text=True, timeout=START_TIMEOUT_S, check=True, cwd="/"
        )
    except (OSError, subprocess.SubprocessError):
        return ""
    implementation, *numbers = answer.stdout.split()
    return ".".join(numbers) if implementation == "CPython" else ""


def _cache() -> Path:
    base = Path(os.environ.get("XDG_CACHE_HOME", ""))
    return (base if base.is_absolute() else Path.home() / ".cache") / "regreen" / "test-interpreters"


def _uv(*arguments: str | Path) -> None:
    argv = [sys.executable, "-m", "uv", *map(str, arguments)]
    try:
        subprocess.run(argv, capture_output=True, text=True, timeout=BUILD_TIMEOUT_S, check=True)
    except subprocess.CalledProcessError as error:
        reason = (error.stderr.strip().splitlines() or ["no reason given"])[-1].strip()
        raise InterpreterMissing(f"uv {' '.join(map(str, arguments))}: {reason}") from error
    except (OSError, subprocess.SubprocessError) as error:
        raise InterpreterMissing(f"uv cannot be run: {error}") from error


def main() -> None:
    """Install what is missing, make every environment, and say what there is."""
    for version in VERSIONS:
        try:
            _install_where_missing(version)
            line = environment(version)
        except InterpreterMissing as error:
            line = str(error)
        sys.stdout.write(f"{version}: {line}\n")


def _install_where_missing(version: str) -> None:
    try:
        find(version)
    except InterpreterMissing:
        _uv("python", "install", version)


if __name__ == "__main__":
    main()

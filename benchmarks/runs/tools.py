"""Other people's programs: uv, git, and tools in environments of their own, which nothing depends on."""

import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from uv import find_uv_bin

from bot.errors import MachineError
from bot.patch.text import decode, encode

TIMEOUT_S = 900
# What git would read of the machine's or the caller's own configuration must not change a checkout.
_GIT_ENVIRONMENT = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1", "GIT_TERMINAL_PROMPT": "0"}
_GIT = ("git", "-c", "safe.directory=*", "-c", "core.hooksPath=/dev/null", "-c", "advice.detachedHead=false")


def environment(requirements: Sequence[str], *, directory: Path, python: str = sys.executable) -> Path:
    """The interpreter of an environment with ``requirements``, made below ``directory`` if it is not there.

    Raises:
        MachineError: it cannot be installed, for want of the package index or otherwise.
    """
    key = hashlib.sha256("\0".join([python, *requirements]).encode()).hexdigest()[:16]
    made = directory / key
    interpreter = made / "bin" / "python"
    if not (made / "ready").exists():
        shutil.rmtree(made, ignore_errors=True)
        uv("venv", "--quiet", "--python", python, str(made))
        uv("pip", "install", "--quiet", "--python", str(interpreter), *requirements)
        (made / "ready").write_text("\n".join(requirements) + "\n", "utf-8")
    return interpreter


def uv(*arguments: str) -> str:
    """What uv prints for ``arguments``.

    Raises:
        MachineError: it fails.
    """
    return printed(f"uv {arguments[0]}", [find_uv_bin(), *arguments])


def git(*arguments: object) -> str:
    """What git prints for ``arguments``; the machine's and the caller's own configuration has no say.

    Raises:
        MachineError: it fails.
    """
    return printed("git", [*_GIT, *map(str, arguments)], variables={**os.environ, **_GIT_ENVIRONMENT})


def printed(
    what: str, argv: Sequence[str], *, sent: str = "", variables: Mapping[str, str] | None = None
) -> str:
    """What the program ``argv`` prints when it is ``sent`` that; ``what`` names it in an error.

    Raises:
        MachineError: it cannot be started, fails, or does not end in time.
    """
    try:
        done = subprocess.run(
            argv, input=encode(sent), capture_output=True, timeout=TIMEOUT_S, check=False, env=variables
        )
    except (OSError, subprocess.SubprocessError) as error:
        raise MachineError(f"{what}: {error}") from error
    if done.returncode:
        raise MachineError(f"{what}: {decode(done.stderr).strip()[-500:]}")
    return decode(done.stdout)

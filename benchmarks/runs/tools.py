"""Other people's tools in environments of their own: they are measured with, not depended on."""

import hashlib
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from uv import find_uv_bin

from bot.errors import MachineError

INSTALL_TIMEOUT_S = 900


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
    try:
        done = subprocess.run(
            [find_uv_bin(), *arguments],
            capture_output=True,
            text=True,
            timeout=INSTALL_TIMEOUT_S,
            check=False,
        )
    except (OSError, subprocess.SubprocessError) as error:
        raise MachineError(f"uv {arguments[0]}: {error}") from error
    if done.returncode:
        raise MachineError(f"uv {' '.join(arguments[:2])}: {done.stderr.strip()[-500:]}")
    return done.stdout

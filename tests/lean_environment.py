"""An environment as a project has it: pytest and nothing else."""

from __future__ import annotations

import shutil
import venv
from importlib.metadata import distribution
from pathlib import Path


def make(folder: Path) -> Path:
    """Make it in ``folder`` out of this program's own files, without the network."""
    venv.create(folder, symlinks=True)
    (packages,) = folder.glob("lib/python*/site-packages")
    for name in ("pytest", "pluggy", "iniconfig", "packaging", "pygments"):
        for file in distribution(name).files or ():
            target = packages / file
            if ".." not in file.parts and file.suffix != ".pyc":
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(file.locate(), target)
    return folder

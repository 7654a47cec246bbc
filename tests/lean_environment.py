"""An environment as a project has it: pytest and nothing else."""

import shutil
import venv
from importlib.metadata import distribution
from importlib.util import cache_from_source
from pathlib import Path


def make(directory: Path) -> Path:
    """Make it in ``directory`` out of this program's own files, without the network."""
    venv.create(directory, symlinks=True)
    (packages,) = directory.glob("lib/python*/site-packages")
    for name in ("pytest", "pluggy", "iniconfig", "packaging", "pygments"):
        for file in distribution(name).files or ():
            if ".." not in file.parts and file.suffix != ".pyc":
                _copy(Path(file.locate()), packages / file)
    return directory


def _copy(source: Path, target: Path) -> None:
    """With what it was compiled to, valid for a source of the same age: most sandboxes cannot write that."""
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy2(source, target)
    if source.suffix == ".py" and (compiled := Path(cache_from_source(str(source)))).exists():
        (target.parent / "__pycache__").mkdir(exist_ok=True)
        shutil.copy2(compiled, target.parent / "__pycache__")

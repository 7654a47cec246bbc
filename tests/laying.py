"""Files of tests, laid out on the disk."""

from collections.abc import Mapping
from pathlib import Path


def lay(root: Path, files: Mapping[str, str | bytes]) -> Path:
    """Write ``files``, source or bytes by path, below ``root``, which is made where there is none."""
    root.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return root

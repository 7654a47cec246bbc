"""What lies in a folder."""

import hashlib
from pathlib import Path


def take(folder, pattern="**/*"):
    """Digests of the files by their paths in the folder."""
    folder = Path(folder)
    return {
        path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.glob(pattern))
        if path.is_file()
    }

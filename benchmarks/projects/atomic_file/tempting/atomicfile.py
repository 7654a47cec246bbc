"""Files that are replaced as a whole, or not at all."""

import os
from pathlib import Path


class AtomicFile:
    """Within `with`, a text file beside the target; at its end it takes the target's place."""

    def __init__(self, path, keep_backup=False):
        self.path = Path(path)
        self.keep_backup = keep_backup
        self._draft = self.path.with_name(self.path.name + ".draft")
        self._file = None

    def __enter__(self):
        self._file = self._draft.open("w", encoding="utf-8")
        return self._file

    def __exit__(self, kind, error, trace):
        self._file.close()
        if kind is not None:
            self._draft.unlink()
            return kind is not ValueError
        if self.keep_backup and self.path.exists():
            os.replace(self.path, self.path.with_name(self.path.name + ".bak"))
        os.replace(self._draft, self.path)
        return False


def write_lines(path, lines, **options):
    """Writes each line; returns how many there were."""
    count = 0
    with AtomicFile(path, **options) as file:
        for line in lines:
            if "\n" in line:
                raise ValueError(f"more than one line: {line!r}")
            file.write(line + "\n")
            count += 1
    return count


def read_lines(path):
    return Path(path).read_text(encoding="utf-8").splitlines()

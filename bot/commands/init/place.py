"""Write files into a repository: all of them or none, over nothing that is there, behind no link."""

from collections.abc import Mapping
from pathlib import Path

from bot.delivery.worktree import apply_to_worktree
from bot.errors import ConfigurationError, DeliveryError


def place(top: Path, files: Mapping[str, str], *, force: bool) -> tuple[str, ...]:
    """Write ``files`` (path to text) below ``top``; the paths that were written, without those unchanged.

    Raises:
        ConfigurationError: another file is there and ``force`` was not given, or a link is in the way.
        DeliveryError: they cannot be written; nothing is changed then.
    """
    before = {path: there for path in files if (there := current_file(top, path)) is not None}
    after = {path: text.encode() for path, text in files.items()}
    changed = [path for path in files if before.get(path) != after[path]]
    taken = [path for path in changed if path in before]
    if taken and not force:
        raise ConfigurationError(
            f"{' and '.join(taken)} {'is' if len(taken) == 1 else 'are'} there already, and nothing was "
            "written: --dry-run shows what would be, --force replaces what is there"
        )
    new = {path: after[path] for path in changed}
    apply_to_worktree(top, before=before, after=new, doing="write the files")
    return tuple(changed)


def current_file(top: Path, path: str) -> bytes | None:
    """The content of the file at ``path`` below ``top``, None where there is none.

    Raises:
        ConfigurationError: a link is in the way, or what is there is no file.
        DeliveryError: it cannot be read.
    """
    target = top / path
    for part in (target, *target.parents):
        if part == top:
            break
        if part.is_symlink():
            raise ConfigurationError(
                f"{part.relative_to(top)} is a symbolic link, and nothing is written behind one: put a real "
                "file or directory in its place, or use --dry-run and copy the files"
            )
        if part.exists() and not (part.is_file() if part == target else part.is_dir()):
            kind = "file" if part == target else "directory"
            raise ConfigurationError(f"{part.relative_to(top)} is in the way: it is no {kind}; move it away")
    try:
        return target.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise DeliveryError(f"cannot read {target}: {error.strerror}") from error

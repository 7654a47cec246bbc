"""Projects of tests as the snapshots that a sandbox is given."""

from sandbox.snapshot import Entry, Snapshot


def snapshot(files, *entries):
    """A project of ``files``, source or bytes by path, and of further entries."""
    made = (
        Entry(path=path, data=source if isinstance(source, bytes) else source.encode())
        for path, source in sorted(files.items())
    )
    return Snapshot(entries=(*entries, *made))

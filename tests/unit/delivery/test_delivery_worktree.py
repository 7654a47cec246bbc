"""Writing a verified patch: every file or none, and nothing behind a link."""

import errno
import os
import signal
import stat
import subprocess
import sys

import pytest

from bot.delivery.journal import Journal
from bot.delivery.worktree import apply_to_worktree, write_atomically
from bot.errors import DeliveryError

UMASK = os.umask(0o022)
os.umask(UMASK)
BEFORE = {"a.py": b"a = 1\n", "pkg/b.py": b"b = 1\n"}
AFTER = {"a.py": b"a = 2\n", "pkg/b.py": b"b = 2\r\n\xff"}


@pytest.fixture
def root(tmp_path):
    directory = tmp_path / "project"
    for path, data in BEFORE.items():
        (directory / path).parent.mkdir(parents=True, exist_ok=True)
        (directory / path).write_bytes(data)
    return directory


def contents(root):
    """Every file under ``root``, so that what was left behind shows too."""
    return {p.relative_to(root).as_posix(): p.read_bytes() for p in root.rglob("*") if p.is_file()}


def mode(path):
    return stat.S_IMODE(path.stat().st_mode)


@pytest.fixture
def fail_second_replace(monkeypatch):
    """Let the second file's replacement fail with the given error."""

    def arm(error):
        original, calls = os.replace, []

        def replace(source, target, **given):
            calls.append(target)
            if len(calls) == 2:
                raise error
            return original(source, target, **given)

        monkeypatch.setattr(os, "replace", replace)

    return arm


def test_every_file_is_replaced(root):
    apply_to_worktree(root, before=BEFORE, after=AFTER)
    assert contents(root) == AFTER


def test_modes_are_kept(root):
    (root / "a.py").chmod(0o755)
    (root / "pkg/b.py").chmod(0o640)
    apply_to_worktree(root, before=BEFORE, after=AFTER)
    assert (mode(root / "a.py"), mode(root / "pkg/b.py")) == (0o755, 0o640)


def test_a_new_file(root):
    apply_to_worktree(
        root, before={"a.py": BEFORE["a.py"]}, after={"a.py": AFTER["a.py"], "pkg/c.py": b"c\n"}
    )
    assert contents(root) == {**BEFORE, "a.py": AFTER["a.py"], "pkg/c.py": b"c\n"}
    assert mode(root / "pkg/c.py") == 0o666 & ~UMASK


def test_a_new_file_in_a_new_directory(root):
    apply_to_worktree(root, before={}, after={"new/deep/c.py": b"c\n"})
    assert contents(root) == {**BEFORE, "new/deep/c.py": b"c\n"}


@pytest.mark.parametrize("stale", ["a.py", "pkg/b.py"])
def test_a_file_that_changed_meanwhile_stops_all(root, stale):
    (root / stale).write_bytes(b"edited = True\n")
    now = contents(root)
    with pytest.raises(DeliveryError, match=f"{stale} was changed while the repair ran"):
        apply_to_worktree(root, before=BEFORE, after=AFTER)
    assert contents(root) == now


def test_a_file_that_went_or_came_meanwhile_stops_all(root):
    (root / "pkg/b.py").unlink()
    with pytest.raises(DeliveryError, match=r"pkg/b\.py was changed"):
        apply_to_worktree(root, before=BEFORE, after=AFTER)
    with pytest.raises(DeliveryError, match=r"a\.py was changed"):
        apply_to_worktree(root, before={}, after={"a.py": b"new\n"})
    assert contents(root) == {"a.py": BEFORE["a.py"]}


def test_a_link_is_not_followed(root, tmp_path):
    outside = tmp_path / "outside.py"
    outside.write_bytes(BEFORE["a.py"])
    (root / "a.py").unlink()
    (root / "a.py").symlink_to(outside)
    with pytest.raises(DeliveryError, match=r"a\.py is or lies behind a symbolic link"):
        apply_to_worktree(root, before=BEFORE, after=AFTER)
    assert outside.read_bytes() == BEFORE["a.py"]
    assert (root / "pkg/b.py").read_bytes() == BEFORE["pkg/b.py"]


def test_a_directory_that_is_a_link_is_not_followed(root, tmp_path):
    (root / "pkg").rename(tmp_path / "outside")
    (root / "pkg").symlink_to(tmp_path / "outside")
    with pytest.raises(DeliveryError, match=r"pkg/b\.py is or lies behind a symbolic link"):
        apply_to_worktree(root, before=BEFORE, after=AFTER)
    with pytest.raises(DeliveryError, match=r"pkg/new/c\.py is or lies behind"):
        apply_to_worktree(root, before={}, after={"pkg/new/c.py": b"c\n"})
    assert contents(tmp_path / "outside") == {"b.py": BEFORE["pkg/b.py"]}
    assert (root / "a.py").read_bytes() == BEFORE["a.py"]


def test_a_root_that_is_reached_by_a_link_is_the_callers_choice(root, tmp_path):
    (tmp_path / "link").symlink_to(root)
    apply_to_worktree(tmp_path / "link", before=BEFORE, after=AFTER)
    assert contents(root) == AFTER


def test_a_directory_that_cannot_be_written_stops_all(root, monkeypatch):
    original, made = os.open, []

    def refuse(path, *given, **more):
        made.append(path) if str(path).startswith(".regreen-") else None
        if len(made) == 2:  # root may write to a read-only directory: a real one tells nothing
            raise PermissionError(errno.EACCES, "Permission denied", str(path))
        return original(path, *given, **more)

    monkeypatch.setattr(os, "open", refuse)
    with pytest.raises(DeliveryError, match=r"nothing was changed: .*Permission denied"):
        apply_to_worktree(root, before=BEFORE, after=AFTER)
    assert contents(root) == BEFORE


def test_a_file_in_the_place_of_a_directory_stops_all(root):
    with pytest.raises(DeliveryError, match="nothing was changed"):
        apply_to_worktree(root, before={"a.py": BEFORE["a.py"]}, after={"a.py": b"x", "a.py/b.py": b"y"})
    assert contents(root) == BEFORE


def test_a_disk_that_is_full_stops_all(root, monkeypatch):
    synced = []

    def full(descriptor):
        synced.append(descriptor)
        if len(synced) == 2:
            raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(DeliveryError, match=r"nothing was changed: .*No space left"):
        apply_to_worktree(root, before=BEFORE, after=AFTER)
    assert contents(root) == BEFORE


def test_a_failure_in_the_middle_puts_back_what_was_done(root, fail_second_replace):
    (root / "a.py").chmod(0o755)
    fail_second_replace(OSError(errno.EROFS, "Read-only file system"))
    with pytest.raises(DeliveryError, match=r"nothing was changed: .*Read-only"):
        apply_to_worktree(root, before=BEFORE, after=AFTER)
    assert contents(root) == BEFORE
    assert mode(root / "a.py") == 0o755


def test_a_new_file_goes_again_when_the_next_one_fails(root, fail_second_replace):
    fail_second_replace(OSError(errno.EROFS, "Read-only file system"))
    with pytest.raises(DeliveryError):
        apply_to_worktree(
            root, before={"a.py": BEFORE["a.py"]}, after={"new/c.py": b"c\n", "a.py": AFTER["a.py"]}
        )
    assert contents(root) == BEFORE
    assert not (root / "new").exists()


@pytest.mark.parametrize("error", [KeyboardInterrupt, SystemExit(143)], ids=["Ctrl-C", "SIGTERM"])
def test_an_interruption_in_the_middle_puts_back_what_was_done(root, fail_second_replace, error):
    fail_second_replace(error)
    with pytest.raises((KeyboardInterrupt, SystemExit)):
        apply_to_worktree(root, before=BEFORE, after=AFTER)
    assert contents(root) == BEFORE


KILLED = """
import os, signal, sys
from pathlib import Path
from bot.delivery.journal import Journal
from bot.delivery.journal import Journal
from bot.delivery.worktree import apply_to_worktree

root, state = Path(sys.argv[1]), Path(sys.argv[2])
original, calls = os.replace, []

def replace(source, target, **given):
    calls.append(target)
    if given and len([one for one in calls if one in ("a.py", "b.py")]) == 2:
        os.kill(os.getpid(), signal.SIGKILL)
    return original(source, target, **given)

os.replace = replace
before = {"a.py": b"a = 1\\n", "pkg/b.py": b"b = 1\\n"}
after = {"a.py": b"a = 2\\n", "pkg/b.py": b"b = 2\\n"}
apply_to_worktree(root, before=before, after=after, journal=Journal.of(state, root))
"""


def killed_between_files(root, state):
    """A run that is killed when it has replaced the first of two files."""
    ended = subprocess.run([sys.executable, "-c", KILLED, str(root), str(state)], check=False)
    assert ended.returncode == -signal.SIGKILL
    assert (root / "a.py").read_bytes() == b"a = 2\n"


def test_a_run_that_was_killed_between_two_files_is_undone_by_the_next(root, tmp_path):
    killed_between_files(root, tmp_path / "state")
    journal = Journal.of(tmp_path / "state", root)
    assert journal.undo(root) == ("a.py",)
    assert contents(root) == BEFORE
    assert journal.undo(root) == ()
    assert not list((tmp_path / "state").rglob("*.json"))


def test_what_was_edited_since_it_was_killed_stays(root, tmp_path):
    killed_between_files(root, tmp_path / "state")
    (root / "a.py").write_bytes(b"mine = True\n")
    assert Journal.of(tmp_path / "state", root).undo(root) == ()
    assert contents(root) == {**BEFORE, "a.py": b"mine = True\n"}


@pytest.mark.parametrize("text", ["", "[]", "{", '{"root": 1, "files": {}}', "[" * 100_000])
def test_a_journal_that_cannot_be_read_changes_nothing(root, tmp_path, text):
    journal = Journal.of(tmp_path / "state", root)
    journal.path.parent.mkdir(parents=True)
    journal.path.write_text(text)
    assert journal.undo(root) == ()
    assert contents(root) == BEFORE


def test_no_journal_is_left_when_all_is_written(root, tmp_path):
    apply_to_worktree(root, before=BEFORE, after=AFTER, journal=Journal.of(tmp_path / "state", root))
    assert contents(root) == AFTER
    assert not [path for path in (tmp_path / "state").rglob("*") if path.is_file()]


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may give files away")
def test_the_owner_is_kept(root):
    os.chown(root / "a.py", 1234, 2345)
    apply_to_worktree(root, before=BEFORE, after=AFTER)
    status = (root / "a.py").stat()
    assert (status.st_uid, status.st_gid) == (1234, 2345)


def test_a_file_with_further_hard_links_is_not_cut_off_from_them(root, tmp_path):
    (tmp_path / "other").hardlink_to(root / "a.py")
    with pytest.raises(DeliveryError, match=r"a\.py has 2 hard links"):
        apply_to_worktree(root, before=BEFORE, after=AFTER)
    assert contents(root) == BEFORE


def test_a_read_only_file_is_not_replaced(root):
    (root / "pkg/b.py").chmod(0o444)
    with pytest.raises(DeliveryError, match=r"pkg/b\.py is read-only"):
        apply_to_worktree(root, before=BEFORE, after=AFTER)
    assert contents(root) == BEFORE


def test_a_directory_that_is_swapped_for_a_link_meanwhile_is_not_followed(root, tmp_path, monkeypatch):
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "b.py").write_bytes(BEFORE["pkg/b.py"])
    original = os.replace

    def swap(source, target, **given):
        if target == "a.py":
            (root / "pkg").rename(tmp_path / "moved")
            (root / "pkg").symlink_to(outside)
        return original(source, target, **given)

    monkeypatch.setattr(os, "replace", swap)
    apply_to_worktree(root, before=BEFORE, after=AFTER)
    assert contents(outside) == {"b.py": BEFORE["pkg/b.py"]}
    assert contents(tmp_path / "moved") == {"b.py": AFTER["pkg/b.py"]}


# one file


def test_one_file_is_written_and_rewritten(tmp_path):
    target = tmp_path / "fix.patch"
    write_atomically(target, b"one\xff")
    assert (target.read_bytes(), mode(target)) == (b"one\xff", 0o666 & ~UMASK)
    target.chmod(0o600)
    write_atomically(target, b"two")
    assert (target.read_bytes(), mode(target)) == (b"two", 0o600)
    assert list(tmp_path.iterdir()) == [target]


def test_an_output_that_cannot_be_written_is_named(tmp_path):
    with pytest.raises(DeliveryError, match=r"cannot write .*missing/fix.patch: No such file"):
        write_atomically(tmp_path / "missing" / "fix.patch", b"x")
    with pytest.raises(DeliveryError, match=r"cannot write .*: Is a directory"):
        write_atomically(tmp_path, b"x")
    assert list(tmp_path.iterdir()) == []


def test_a_failed_replacement_leaves_the_old_file_and_nothing_else(tmp_path, monkeypatch):
    target = tmp_path / "fix.patch"
    target.write_bytes(b"old")

    def fail(*_given, **_more):
        raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr(os, "replace", fail)
    with pytest.raises(DeliveryError, match="Input/output error"):
        write_atomically(target, b"new")
    assert contents(tmp_path) == {"fix.patch": b"old"}


def test_a_device_or_pipe_is_written_to_and_not_replaced(tmp_path):
    """``--output /dev/null``, as root, must not leave a file in its place."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        write_atomically(pipe, b"diff")
        assert os.read(reader, 99) == b"diff"
    finally:
        os.close(reader)
    assert pipe.is_fifo()


def test_a_link_to_a_file_stays_a_link(tmp_path):
    (tmp_path / "real.patch").write_bytes(b"old")
    (tmp_path / "link.patch").symlink_to("real.patch")
    write_atomically(tmp_path / "link.patch", b"new")
    assert (tmp_path / "link.patch").is_symlink()
    assert (tmp_path / "real.patch").read_bytes() == b"new"


@pytest.mark.parametrize(("umask", "expected"), [(0o077, 0o600), (0o002, 0o664)])
def test_a_new_file_has_the_mode_that_the_umask_leaves(root, umask, expected):
    before = os.umask(umask)
    try:
        write_atomically(root / "fix.diff", b"diff\n")
        apply_to_worktree(root, before={}, after={"new.py": b"x = 1\n"})
    finally:
        os.umask(before)
    assert (mode(root / "fix.diff"), mode(root / "new.py")) == (expected, expected)


def test_a_file_that_is_replaced_is_never_more_open_than_it_was(root, monkeypatch):
    (root / "a.py").chmod(0o640)
    seen = []
    fsync = os.fsync
    monkeypatch.setattr(os, "fsync", lambda fd: (seen.append(os.fstat(fd).st_mode & 0o777), fsync(fd)))
    write_atomically(root / "a.py", b"a = 2\n")
    assert (seen, mode(root / "a.py")) == ([0o600], 0o640)


KILLED_EARLY = KILLED.replace("original, calls = os.replace, []", "original, calls = os.fsync, []").replace(
    """def replace(source, target, **given):
    calls.append(target)
    if given and len([one for one in calls if one in ("a.py", "b.py")]) == 2:
        os.kill(os.getpid(), signal.SIGKILL)
    return original(source, target, **given)

os.replace = replace
""",
    """def sync(descriptor):
    calls.append(os.readlink(f"/proc/self/fd/{descriptor}"))
    if len([one for one in calls if ".regreen-" in one]) == 2:
        os.kill(os.getpid(), signal.SIGKILL)
    return original(descriptor)

os.fsync = sync
""",
)


def test_a_run_that_was_killed_before_it_replaced_a_file_leaves_nothing_after_the_next(root, tmp_path):
    ended = subprocess.run([sys.executable, "-c", KILLED_EARLY, str(root), str(tmp_path / "s")], check=False)
    assert ended.returncode == -signal.SIGKILL
    assert set(contents(root)) > set(BEFORE)
    assert Journal.of(tmp_path / "s", root).undo(root) == ()
    assert contents(root) == BEFORE


def test_a_file_that_has_grown_beyond_all_memory_is_not_read(root, tmp_path):
    with (root / "a.py").open("wb") as sparse:
        sparse.truncate(1 << 42)
    with pytest.raises(DeliveryError, match="was changed while"):
        apply_to_worktree(root, before=BEFORE, after=AFTER)
    assert (root / "pkg/b.py").read_bytes() == BEFORE["pkg/b.py"]


def test_a_file_that_has_grown_since_a_run_was_killed_is_not_read(root, tmp_path):
    killed_between_files(root, tmp_path / "state")
    with (root / "a.py").open("wb") as sparse:
        sparse.truncate(1 << 42)
    assert Journal.of(tmp_path / "state", root).undo(root) == ()
    assert (root / "a.py").stat().st_size == 1 << 42

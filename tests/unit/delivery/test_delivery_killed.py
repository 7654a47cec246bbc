"""What a run that was killed while it wrote leaves."""

import errno
import os
import signal
import subprocess
import sys

import pytest
from sections import sections
from worktree_support import AFTER, BEFORE, UMASK, contents, mode

from bot.delivery.journal import Journal
from bot.delivery.worktree import apply_to_worktree, write_atomically
from bot.errors import DeliveryError

APPLIED = sections("sources/delivery_killed.txt")[0].parts["APPLIED"]


def killed(root, state, *when):
    ended = subprocess.run([sys.executable, "-c", APPLIED, str(root), str(state), *when], check=False)
    assert ended.returncode == -signal.SIGKILL


def killed_between_files(root, state):
    """A run that is killed when it has replaced the first of two files."""
    killed(root, state)
    assert (root / "a.py").read_bytes() == b"a = 2\n"


def test_a_run_that_was_killed_between_two_files_is_undone_by_the_next(root, tmp_path):
    killed_between_files(root, tmp_path / "state")
    journal = Journal.of(tmp_path / "state", root)
    assert journal.undo(root) == ("a.py",)
    assert contents(root) == BEFORE
    assert journal.undo(root) == ()
    assert not list((tmp_path / "state").rglob("*.json"))


@pytest.mark.parametrize("size", [None, 1 << 42])
def test_what_was_edited_since_it_was_killed_stays_and_is_not_read_where_it_has_grown(root, tmp_path, size):
    killed_between_files(root, tmp_path / "state")
    (root / "a.py").write_bytes(b"mine = True\n")
    if size:
        os.truncate(root / "a.py", size)
    assert Journal.of(tmp_path / "state", root).undo(root) == ()
    with (root / "a.py").open("rb") as file:
        assert file.readline() == b"mine = True\n"
    assert (root / "pkg/b.py").read_bytes() == BEFORE["pkg/b.py"]


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


def test_one_file_is_written_and_rewritten_also_behind_a_link(tmp_path):
    target = tmp_path / "fix.patch"
    write_atomically(target, b"one\xff")
    assert (target.read_bytes(), mode(target)) == (b"one\xff", 0o666 & ~UMASK)
    target.chmod(0o600)
    write_atomically(target, b"two")
    assert (target.read_bytes(), mode(target)) == (b"two", 0o600)
    assert list(tmp_path.iterdir()) == [target]
    link = tmp_path / "link.patch"
    link.symlink_to("fix.patch")
    write_atomically(link, b"three")
    assert link.is_symlink()
    assert target.read_bytes() == b"three"


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


def test_a_run_that_was_killed_before_it_replaced_a_file_leaves_nothing_after_the_next(root, tmp_path):
    killed(root, tmp_path / "s", "before it replaces any")
    assert set(contents(root)) > set(BEFORE)
    assert Journal.of(tmp_path / "s", root).undo(root) == ()
    assert contents(root) == BEFORE

"""Writing a verified patch: every file or none, and nothing behind a link."""

import errno
import os

import pytest
from worktree_support import AFTER, BEFORE, UMASK, contents, mode

from bot.delivery.worktree import apply_to_worktree, write_atomically
from bot.errors import DeliveryError

os.umask(UMASK)


@pytest.fixture
def fail_second(monkeypatch):
    """Let a call of ``os`` fail with the given error for the second file."""

    def arm(name, error):
        original, calls = getattr(os, name), []

        def call(what, *given, **more):
            if name != "open" or str(what).startswith(".regreen-"):
                calls.append(what)
            if len(calls) == 2:
                raise error
            return original(what, *given, **more)

        monkeypatch.setattr(os, name, call)

    return arm


def test_every_file_is_replaced_and_modes_are_kept_where_the_caller_names_the_root_by_a_link(root, tmp_path):
    (root / "a.py").chmod(0o755)
    (root / "pkg/b.py").chmod(0o640)
    (tmp_path / "link").symlink_to(root)
    apply_to_worktree(tmp_path / "link", before=BEFORE, after=AFTER)
    assert contents(root) == AFTER
    assert (mode(root / "a.py"), mode(root / "pkg/b.py")) == (0o755, 0o640)


def test_new_files(root):
    new = {"a.py": AFTER["a.py"], "pkg/c.py": b"c\n", "new/deep/c.py": b"d\n"}
    apply_to_worktree(root, before={"a.py": BEFORE["a.py"]}, after=new)
    assert contents(root) == {**BEFORE, **new}
    assert mode(root / "pkg/c.py") == 0o666 & ~UMASK


CHANGES = {
    "the first was edited": (
        lambda root: (root / "a.py").write_bytes(b"x"),
        r"a\.py was changed while the repair",
    ),
    "the last was edited": (
        lambda root: (root / "pkg/b.py").write_bytes(b"x"),
        r"pkg/b\.py was changed while",
    ),
    "one went": (lambda root: (root / "pkg/b.py").unlink(), r"pkg/b\.py was changed"),
    "one has a hard link": (
        lambda root: (root / "c.py").hardlink_to(root / "a.py"),
        r"a\.py has 2 hard links",
    ),
    "one is read-only": (lambda root: (root / "pkg/b.py").chmod(0o444), r"pkg/b\.py is read-only"),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_file_that_is_not_what_it_was_stops_all(root, change):
    meanwhile, said = CHANGES[change]
    meanwhile(root)
    now = contents(root)
    with pytest.raises(DeliveryError, match=said):
        apply_to_worktree(root, before=BEFORE, after=AFTER)
    assert contents(root) == now


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ({}, {"a.py": b"new\n"}, r"a\.py was changed"),
        ({"a.py": BEFORE["a.py"]}, {"a.py": b"x", "a.py/b.py": b"y"}, "nothing was changed"),
    ],
    ids=["it came meanwhile", "in the place of a directory"],
)
def test_a_file_that_should_not_be_there_stops_all(root, before, after, said):
    with pytest.raises(DeliveryError, match=said):
        apply_to_worktree(root, before=before, after=after)
    assert contents(root) == BEFORE


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


@pytest.mark.parametrize(("call", "number"), [("open", errno.EACCES), ("fsync", errno.ENOSPC)])
def test_a_directory_that_cannot_be_written_and_a_full_disk_stop_all(root, fail_second, call, number):
    """Root may write to a read-only directory: a real one tells nothing."""
    fail_second(call, OSError(number, os.strerror(number)))
    with pytest.raises(DeliveryError, match=f"nothing was changed: .*{os.strerror(number)}"):
        apply_to_worktree(root, before=BEFORE, after=AFTER)
    assert contents(root) == BEFORE


READ_ONLY = OSError(errno.EROFS, "Read-only file system")


@pytest.mark.parametrize(
    ("error", "raised", "said"),
    [
        (READ_ONLY, DeliveryError, "nothing was changed: .*Read-only"),
        (KeyboardInterrupt(), KeyboardInterrupt, None),
        (SystemExit(143), SystemExit, None),
    ],
)
def test_what_ends_it_in_the_middle_puts_back_what_was_done(root, fail_second, error, raised, said):
    (root / "a.py").chmod(0o755)
    fail_second("replace", error)
    with pytest.raises(raised, match=said):
        apply_to_worktree(root, before=BEFORE, after=AFTER)
    assert contents(root) == BEFORE
    assert mode(root / "a.py") == 0o755


def test_a_new_file_goes_again_when_the_next_one_fails(root, fail_second):
    fail_second("replace", READ_ONLY)
    with pytest.raises(DeliveryError):
        apply_to_worktree(
            root, before={"a.py": BEFORE["a.py"]}, after={"new/c.py": b"c\n", "a.py": AFTER["a.py"]}
        )
    assert contents(root) == BEFORE
    assert not (root / "new").exists()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may give files away")
def test_the_owner_is_kept(root):
    os.chown(root / "a.py", 1234, 2345)
    apply_to_worktree(root, before=BEFORE, after=AFTER)
    status = (root / "a.py").stat()
    assert (status.st_uid, status.st_gid) == (1234, 2345)


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


def test_a_file_that_has_grown_beyond_all_memory_is_not_read(root, tmp_path):
    with (root / "a.py").open("wb") as sparse:
        sparse.truncate(1 << 42)
    with pytest.raises(DeliveryError, match="was changed while"):
        apply_to_worktree(root, before=BEFORE, after=AFTER)
    assert (root / "pkg/b.py").read_bytes() == BEFORE["pkg/b.py"]

"""The workspace is put back, whatever was done to it."""

import os
import shutil
import stat
from pathlib import Path

import pytest
from snapshots import snapshot

from sandbox.runner.server import Server
from sandbox.runner.watch import Watch
from sandbox.runner.workspace import LOOK_EVERY, Workspace

FILES = {"shop.py": b"PRICE = 1\n", "kit/tools.py": b"TOOLS = 2\n", "kit/deep/x.txt": b"x"}


@pytest.fixture
def root(tmp_path):
    directory = tmp_path / "workspace"
    directory.mkdir()
    return directory


@pytest.fixture
def workspace(root):
    space = Workspace(str(root))
    space.unpack(snapshot(FILES).archive())
    space.lay({})
    space.restore()
    return space


def contents(root):
    return {str(path.relative_to(root)): path.read_bytes() for path in root.rglob("*") if path.is_file()}


def rewrite(root):
    path = root / "shop.py"
    before = path.stat()
    path.write_bytes(b"PRICE = 2\n")
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


def second_name(root):
    os.link(root / "shop.py", root / "second")
    (root / "second").write_bytes(b"PRICE = 2\n")


def link_in_place_of_a_directory(root):
    shutil.rmtree(root / "kit")
    (root / "kit").symlink_to("/tmp")


def file_in_place_of_a_directory(root):
    shutil.rmtree(root / "kit")
    (root / "kit").write_bytes(b"")


def directory_in_place_of_a_file(root):
    (root / "shop.py").unlink()
    (root / "shop.py" / "in").mkdir(parents=True)


def links_in_place_of_files(root):
    (root / "shop.py").unlink()
    (root / "shop.py").symlink_to("kit/tools.py")


def no_rights(root):
    for path in ("kit/tools.py", "kit/deep", "kit", "."):
        (root / path).chmod(0)


def stubborn(root):
    (root / "shop" / "deep").mkdir(parents=True)
    (root / "shop" / "deep" / "x").write_bytes(b"")
    (root / "shop" / "deep").chmod(0o500)
    (root / "shop").chmod(0o500)


def deep(root):
    home = os.open(".", os.O_RDONLY)
    os.chdir(root)
    try:
        for _ in range(1500):
            Path("d").mkdir()
            os.chdir("d")
    finally:
        os.fchdir(home)
        os.close(home)


def bytecode(root):
    (root / "__pycache__").mkdir(exist_ok=True)
    (root / "__pycache__" / "shop.cpython-311.pyc").write_bytes(b"forged")
    (root / "kit" / "__pycache__" / "in").mkdir(parents=True)


def gone(root):
    for path in root.iterdir():
        shutil.rmtree(path) if path.is_dir() else path.unlink()


@pytest.mark.parametrize(
    "damage",
    [
        *(
            rewrite,
            second_name,
            link_in_place_of_a_directory,
            file_in_place_of_a_directory,
            no_rights,
            stubborn,
        ),
        *(directory_in_place_of_a_file, links_in_place_of_files, deep, bytecode, gone),
    ],
    ids=lambda damage: damage.__name__,
)
def test_it_is_put_back(workspace, root, damage):
    for _ in range(2):
        workspace.lay({"shop.py": b"PRICE = 3\n", "new/file.py": b""})
        damage(root)
        workspace.restore()
        assert contents(root) == FILES
        assert not (root / "kit").is_symlink()
        assert stat.S_IMODE((root / "shop.py").stat().st_mode) == 0o644
        assert not (root / "shop").exists()


def test_bytecode_of_the_unchanged_project_stays_until_a_candidate_touches_it(workspace, root):
    cache = root / "__pycache__"
    workspace.lay({})
    cache.mkdir()
    (cache / "shop.pyc").write_bytes(b"true")
    (cache / "kit.pyc").write_bytes(b"true")
    workspace.restore()
    workspace.lay({"shop.py": b""})
    (cache / "shop.pyc").write_bytes(b"lies")
    (cache / "other.pyc").write_bytes(b"lies")
    workspace.restore()
    assert [path.name for path in cache.iterdir()] == ["kit.pyc"]


def test_bytecode_that_was_rewritten_unseen_is_not_taken_over(workspace, root, tmp_path):
    path = root / "__pycache__" / "shop.pyc"
    path.parent.mkdir()
    path.write_bytes(b"true")
    workspace.lay({})
    workspace.restore()
    os.link(path, tmp_path / "outside")
    (tmp_path / "outside").write_bytes(b"lies")
    workspace.lay({})
    (root / "__pycache__" / "new.pyc").write_bytes(b"true")
    workspace.restore()
    assert [found.name for found in path.parent.iterdir()] == ["new.pyc"]


def test_changes_have_times_of_their_own(workspace, root):
    seen = set()
    for _ in range(3):
        workspace.lay({"shop.py": b"PRICE = 9\n"})
        seen.add(int((root / "shop.py").stat().st_mtime))
        workspace.restore()
    assert len(seen) == 3


@pytest.fixture
def unseen(workspace, root, tmp_path):
    """The project's file was changed through a name outside, of which inotify says nobody."""
    workspace.lay({})
    os.link(root / "shop.py", tmp_path / "outside")
    workspace.restore()
    workspace.lay({})
    with (tmp_path / "outside").open("r+b") as handle:
        handle.write(b"PRICE = 7\n")
    workspace.restore()
    return workspace


def test_what_inotify_cannot_see_is_found_before_a_whole_run(unseen, root):
    unseen.inspect()
    assert contents(root) == FILES


def test_what_inotify_cannot_see_is_found_before_a_command(unseen, root, monkeypatch):
    server = Server(0, 1, {"settings": {"root": str(root), "limits": {}, "lifetime_s": 60}})
    server.workspace = unseen
    monkeypatch.setattr(server, "_execute", lambda _order: contents(root))
    changed = {"kit/tools.py": b"TOOLS = 3\n"}
    order = {"op": "exec", "changes": {"kit/tools.py": 10}}
    assert server.do_exec(order, changed["kit/tools.py"]) == {**FILES, **changed}
    assert contents(root) == FILES


def test_what_inotify_cannot_see_is_found_in_time(unseen, root):
    for _ in range(LOOK_EVERY):
        unseen.lay({})
        unseen.restore()
    assert contents(root) == FILES


def test_temporary_directories_keep_what_was_there_at_the_start(tmp_path):
    temporary = tmp_path / "temporary"
    (temporary / "mounted").mkdir(parents=True)
    (tmp_path / "workspace").mkdir()
    workspace = Workspace(str(tmp_path / "workspace"), (str(temporary),))
    workspace.lay({})
    stubborn(temporary)
    (temporary / "left").write_bytes(b"")
    temporary.chmod(0o500)
    workspace.restore()
    assert [path.name for path in temporary.iterdir()] == ["mounted"]
    assert stat.S_IMODE(temporary.stat().st_mode) != 0o500


@pytest.mark.parametrize("path", ["/etc/passwd", "..", "../x", "a/../../x", ".", ""])
def test_no_path_leaves_the_root(workspace, path):
    with pytest.raises(ValueError, match="leaves the workspace"):
        workspace.path(path)


@pytest.fixture
def watch(tmp_path):
    (tmp_path / "directory").mkdir()
    (tmp_path / "directory" / "file").write_bytes(b"")
    watch = Watch()
    watch.start([str(tmp_path), str(tmp_path / "directory")])
    yield watch
    watch.close()


def test_a_watch_tells_once_of_what_is_made_written_renamed_and_removed(watch, tmp_path):
    assert not watch.changed()
    for action in (
        lambda: (tmp_path / "directory" / "file").write_bytes(b"x"),
        (tmp_path / "new").mkdir,
        lambda: (tmp_path / "new").rename(tmp_path / "old"),
        (tmp_path / "old").rmdir,
        lambda: (tmp_path / "directory" / "file").chmod(0o600),
    ):
        action()
        assert watch.changed()
        assert not watch.changed()


def test_a_directory_that_was_made_anew_is_watched_again(watch, tmp_path):
    shutil.rmtree(tmp_path / "directory")
    (tmp_path / "directory").mkdir()
    watch.settle()
    assert not watch.changed()
    (tmp_path / "directory" / "file").write_bytes(b"x")
    assert watch.changed()


def test_where_it_cannot_watch_everything_counts_as_changed(tmp_path):
    watch = Watch()
    assert watch.changed()
    watch.start([str(tmp_path / "absent")])
    assert watch.changed()


def test_a_watch_is_added_to_without_an_end_and_watches_no_more_than_was_asked_for(watch, tmp_path):
    added = tmp_path / "directory" / "added"
    added.mkdir()
    watch.settle()
    descriptor = watch._fd
    (tmp_path / "directory" / "file").write_bytes(b"x")
    watch.start([str(tmp_path), str(tmp_path / "directory"), str(added)])
    assert watch._fd == descriptor
    assert watch.changed(), "what was seen so far is not lost"
    (added / "file").write_bytes(b"")
    assert watch.changed()
    watch.start([str(tmp_path)])
    (added / "file").write_bytes(b"x")
    assert not watch.changed()

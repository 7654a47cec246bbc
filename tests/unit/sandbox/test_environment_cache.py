"""What a hostile build left in the cache of environments is measured and removed, whatever it is."""

import subprocess
import sys
import time

import pytest

from sandbox.environment import watched
from sandbox.environment.cache import EnvironmentCache
from sandbox.environment.watched import Room

DEPTH = 1_500


@pytest.fixture(autouse=True)
def _nothing_is_left(tmp_path):
    """pytest could not remove it either."""
    yield
    subprocess.run(["rm", "-rf", "--", *map(str, tmp_path.iterdir())], check=True)


def dig(top):
    """Directories within each other, whose path no system call takes; the last may not be entered."""
    made = "d" * 200
    program = f"""
import os
os.chdir({str(top)!r})
for _ in range({DEPTH}):
    os.mkdir({made!r})
    os.chdir({made!r})
os.mkdir("closed", 0)
"""
    subprocess.run([sys.executable, "-c", program], check=True)


def build(cache, left):
    """A build that leaves what ``left`` makes, and fails."""
    with cache.claim("a") as built:
        left(built)
        raise ValueError("failed")


def test_directories_that_nobody_can_follow_are_removed(tmp_path):
    cache = EnvironmentCache(tmp_path / "environments")
    with cache.claim("a") as built:
        dig(built)
        cache.seal("a", "a plan")
    assert cache.complete("a")
    assert cache.prune(now=time.time() + 90 * 24 * 3600) == 1
    assert not (tmp_path / "environments" / "a").exists()


def test_a_build_that_failed_leaves_none_of_them(tmp_path):
    with pytest.raises(ValueError, match="failed"):
        build(EnvironmentCache(tmp_path), dig)
    assert not (tmp_path / "a").exists()


def test_a_link_is_not_followed_when_it_is_removed(tmp_path):
    kept = tmp_path / "kept"
    kept.mkdir(mode=0o500)

    def left(built):
        (built / "inner" / "below").mkdir(parents=True)
        (built / "inner" / "link").symlink_to(kept)
        (built / ".removed-0").symlink_to(kept)

    with pytest.raises(ValueError, match="failed"):
        build(EnvironmentCache(tmp_path / "environments"), left)
    assert kept.stat().st_mode & 0o777 == 0o500


def test_a_step_may_not_take_all_entries_of_a_file_system(tmp_path, monkeypatch):
    free = [1 << 40, 10_000_000]
    monkeypatch.setattr(watched, "_free", lambda _path: tuple(free))
    room = Room.on(str(tmp_path), most=1 << 30)
    assert not room.is_short()
    free[1] -= watched.MAX_ENTRIES + 1
    assert room.is_short()

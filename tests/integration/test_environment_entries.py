"""The cache of built environments."""

import fcntl
import os
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from sandbox.environment.cache import EnvironmentCache


def test_two_builders_of_one_entry_wait_for_each_other(tmp_path):
    cache, built, inside = EnvironmentCache(tmp_path), [], threading.Semaphore(1)

    def build(number):
        with cache.claim("entry") as directory:
            assert inside.acquire(blocking=False), "two builders at once"
            if directory is not None:
                (directory / "file").write_text(str(number))
                built.append(number)
                cache.seal("entry", "plan")
            inside.release()

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(build, range(4)))
    assert len(built) == 1
    assert cache.complete("entry")


def test_a_build_that_failed_leaves_nothing_that_looks_complete(tmp_path):
    cache = EnvironmentCache(tmp_path)

    def build():
        with cache.claim("entry") as directory:
            (directory / "half").write_text("")
            raise KeyError

    with pytest.raises(KeyError):
        build()
    assert not cache.complete("entry")
    assert not (tmp_path / "entry").exists()


def test_old_entries_go_and_the_ones_in_use_stay(tmp_path):
    cache = EnvironmentCache(tmp_path)
    day = 24 * 3600
    now = 100 * day
    for name, age in (("ancient", 40), ("old", 10), ("recent", 3), ("fresh", 0)):
        with cache.claim(name) as directory:
            (directory / "file").write_bytes(b"x" * 1024 * 1024)
            cache.seal(name, "plan")
        os.utime(tmp_path / name / "record.json", (now - age * day, now - age * day))
    assert cache.prune(now=now) == 1
    assert not cache.complete("ancient")
    assert cache.prune(now=now, kept_mib=1) == 2
    assert (tmp_path / "fresh" / "built" / "file").exists()
    assert {path.name for path in tmp_path.iterdir()} == {"fresh", "fresh.lock"}


def test_what_a_killed_build_left_goes_and_what_is_being_built_stays(tmp_path):
    cache = EnvironmentCache(tmp_path)
    (tmp_path / "killed" / "built").mkdir(parents=True)
    (tmp_path / "killed.lock").touch()
    with cache.claim("building") as directory:
        assert cache.prune() == 0
        assert directory.is_dir()
        assert {path.name for path in tmp_path.iterdir()} == {"building", "building.lock"}


def test_a_lock_whose_file_was_removed_meanwhile_keeps_nobody_out(tmp_path, monkeypatch):
    """The one who waited holds a file that is gone: the next builder would not see it."""
    cache, taken = EnvironmentCache(tmp_path), []
    flock = fcntl.flock

    def slow(descriptor, operation):
        flock(descriptor, operation)
        taken.append(descriptor)
        if len(taken) == 1:
            (tmp_path / "entry.lock").unlink()

    monkeypatch.setattr("fcntl.flock", slow)
    with cache.claim("entry"), (tmp_path / "entry.lock").open("ab") as other, pytest.raises(BlockingIOError):
        flock(other, fcntl.LOCK_EX | fcntl.LOCK_NB)

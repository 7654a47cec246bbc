"""The tests that failed when somebody last ran pytest are the first to be run."""

import json
import os
import subprocess
import sys

import pytest
from every_case import every_case

from bot.environments.last_failed import MAX_BYTES, MAX_FILES, PLACE, last_failed


@pytest.fixture
def cache(tmp_path):
    path = tmp_path / PLACE
    path.parent.mkdir(parents=True)
    return path


def test_pytests_own_cache_names_the_files(tmp_path):
    (tmp_path / "test_good.py").write_text("def test_a(): pass\n")
    (tmp_path / "test_bad.py").write_text("def test_b(): assert 0\ndef test_c(): assert 0\n")
    argv = [sys.executable, "-m", "pytest", "--rootdir", str(tmp_path), "-c", "/dev/null", str(tmp_path)]
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST")}
    subprocess.run(argv, cwd=tmp_path, env=environment, capture_output=True, check=False)
    assert last_failed(tmp_path) == ("test_bad.py",)


@every_case("text", ["", "[]", "[1", "3", '{"a": ' * 100_000, "x" * (MAX_BYTES + 1), "\ud800"])
def test_a_damaged_cache_says_nothing(tmp_path, cache, text):
    cache.write_text(text, "utf-8", "surrogatepass")
    assert last_failed(tmp_path) == ()


def test_many_files_are_cut(tmp_path, cache):
    cache.write_text(json.dumps({f"test_{number}.py::test": True for number in range(500)}))
    assert len(last_failed(tmp_path)) == MAX_FILES


@pytest.mark.parametrize("kind", ["none", "link", "pipe", "directory"])
def test_only_a_file_is_read(tmp_path, cache, kind):
    if kind == "link":
        elsewhere = tmp_path / "elsewhere"
        elsewhere.write_text('{"test_a.py::test": true}')
        cache.symlink_to(elsewhere)
    elif kind == "pipe":
        os.mkfifo(cache)
    elif kind == "directory":
        cache.mkdir()
    assert last_failed(tmp_path) == ()

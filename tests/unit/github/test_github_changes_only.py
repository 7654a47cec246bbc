"""A commit that changes the files it is asked for, with their contents, and nothing else."""

import pytest
from fakes.github import Executable, Link

WITH = {"a/b/c.py": b"1\n", "a/d.py": b"2\n", "e.py": b"3\n"}


@pytest.mark.parametrize(
    ("pushed", "files", "only"),
    [
        ({"a/b/c.py": b"9\n"}, {"a/b/c.py": b"9\n"}, True),
        ({"a/b/c.py": b"9\n", "e.py": b"8\n"}, {"a/b/c.py": b"9\n", "e.py": b"8\n"}, True),
        ({"new/f.py": b"9\n"}, {"new/f.py": b"9\n"}, True),
        ({"a/b/c.py": b"8\n"}, {"a/b/c.py": b"9\n"}, False),
        ({"e.py": b"8\n"}, {"e.py": b"8\n", "a/d.py": b"9\n"}, False),
        ({"a/b/c.py": b"9\n", "a/d.py": b"9\n"}, {"a/b/c.py": b"9\n"}, False),
        ({"a/b/c.py": b"9\n", "a/b/g.py": b"9\n"}, {"a/b/c.py": b"9\n"}, False),
        ({"new/f.py": b"9\n", "new/g.py": b"9\n"}, {"new/f.py": b"9\n"}, False),
        ({"a/b/c.py": b"9\n", "h/i.py": b"9\n"}, {"a/b/c.py": b"9\n"}, False),
        ({"a/b/c.py": b"9\n", "e.py": None}, {"a/b/c.py": b"9\n"}, False),
        ({"a/b/c.py": None, "a/b": b"9\n"}, {"a/b/c.py": b"9\n"}, False),
        ({"e.py": None, "e.py/f.py": b"9\n"}, {"e.py/f.py": b"9\n"}, False),
        ({"e.py": Executable(b"9\n")}, {"e.py": b"9\n"}, False),
        ({"new.py": Executable(b"9\n")}, {"new.py": b"9\n"}, False),
        ({"e.py": Link("a/d.py")}, {"e.py": b"2\n"}, False),
    ],
)
def test_a_commit_changes_these_files_only_or_more_or_less(github, pushed, files, only):
    parent = github.server.world.push(github.repository, "main", WITH)
    sha = github.server.world.push(github.repository, "main", pushed)
    assert github.client.changes_only(files, sha=sha, parent=parent) is only
